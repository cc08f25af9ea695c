//! The ledger of outward messages, and the two transactions of type 9.
use domain::bulk_actions::sync::{self, Conclusion, Leave, Prepared, Sending};
use domain::bulk_actions::{self as actions, Status};
use domain::ids::TenantId;
use domain::jobs::{Claimed, Ending, Outcome, Queue};
use domain::outward::{self, Settled, State};
use domain::{Scope, db};
use serde_json::json;
use uuid::Uuid;

use crate::world::{Made, World, act, failed};

fn settled(state: State) -> Settled<'static> {
    Settled {
        state,
        request: "<q/>",
        response: "<a/>",
        error_code: None,
    }
}

async fn prepare(world: &World, job: &Claimed) -> Prepared {
    let mut tx = db::begin(&world.jobs, Scope::Bureau(job.tenant_id))
        .await
        .unwrap();
    let prepared = sync::prepare(&mut tx, job, Uuid::now_v7()).await.unwrap();
    tx.commit().await.unwrap();
    prepared
}

fn sending(prepared: Prepared) -> Sending {
    match prepared {
        Prepared::Send(sending) | Prepared::AlreadyDone(sending) => *sending,
        other => panic!("{other:?}"),
    }
}

async fn conclude(world: &World, job: &Claimed, sending: &Sending, end: Conclusion<'_>) -> bool {
    let mut tx = db::begin(&world.jobs, Scope::Bureau(job.tenant_id))
        .await
        .unwrap();
    let written = sync::conclude(&mut tx, job, sending, &end).await.unwrap();
    if written {
        tx.commit().await.unwrap();
    }
    written
}

async fn note(world: &World, tenant: TenantId, id: i64, state: State) {
    let mut tx = db::begin(&world.jobs, Scope::Bureau(tenant)).await.unwrap();
    outward::settle(&mut tx, id, &settled(state)).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn the_machine_sends_again_under_the_same_id_and_a_person_orders_anew() {
    let world = World::new().await;
    world.case(world.b101, Made::default()).await;
    let koda = world.chamber();
    let id = world.launch(&koda, 9, json!({})).await;
    let job = world.claim_all(Queue::Register).await.remove(0);
    let first = sending(prepare(&world, &job).await);
    assert_eq!(
        (first.ledger.state, first.ledger.sent_count),
        (State::Intent, 0)
    );
    // The worker died: the next run finds the intent, not knowing whether it left.
    let second = sending(prepare(&world, &job).await);
    assert_eq!(
        (second.ledger.message_id, second.ledger.sent_count),
        (first.ledger.message_id, 1)
    );
    note(&world, job.tenant_id, first.ledger.id, State::Unknown).await;
    assert_eq!(
        sending(prepare(&world, &job).await).ledger.message_id,
        first.ledger.message_id
    );

    // The register refuses; the task fails, the case gets its problem, types 1 to 7 would skip it.
    let refusal = Conclusion {
        outcome: Outcome::new(&job, failed(), "Täitmisregister keeldus: viga"),
        ledger: Some(settled(State::Refused)),
        agreed: false,
        problem: Some((2, "viga".into())),
    };
    assert!(conclude(&world, &job, &first, refusal).await);
    world.close(std::slice::from_ref(&job)).await;
    assert_eq!(world.action(id).await.status, Status::Failed);
    assert_eq!(open_problems(&world).await, (vec![2], 1));

    act(&world, &koda, async |tx| {
        actions::retry(tx, &koda, id, &[]).await
    })
    .await
    .unwrap();
    let job = world.claim_all(Queue::Register).await.remove(0);
    let anew = sending(prepare(&world, &job).await);
    assert_eq!(
        anew.ledger.message_id, first.ledger.message_id,
        "one of its sendings was never answered: the refusal of another says nothing of it"
    );
    let yes = Conclusion {
        outcome: Outcome::new(&job, Ending::Ok, "saadetud"),
        ledger: Some(settled(State::Done)),
        agreed: true,
        problem: None,
    };
    assert!(conclude(&world, &job, &anew, yes).await);
    assert_eq!(open_problems(&world).await, (vec![], 0));
    let rows: i64 = sqlx::query_scalar("select count(*) from outward_calls")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(rows, 1, "one message, however often it left");
    assert_eq!(world.audited("sync_to_register", anew.case_id.0).await, 2);
}

#[tokio::test]
async fn what_was_surely_refused_is_ordered_anew_as_a_message_of_its_own() {
    let world = World::new().await;
    world.case(world.b101, Made::default()).await;
    let koda = world.chamber();
    let id = world.launch(&koda, 9, json!({})).await;
    let job = world.claim_all(Queue::Register).await.remove(0);
    let first = sending(prepare(&world, &job).await);
    note(&world, job.tenant_id, first.ledger.id, State::NotSent).await;
    let second = sending(prepare(&world, &job).await);
    assert_eq!(second.ledger.message_id, first.ledger.message_id);
    let refusal = Conclusion {
        outcome: Outcome::new(&job, failed(), "Täitmisregister keeldus: viga"),
        ledger: Some(settled(State::Refused)),
        agreed: false,
        problem: None,
    };
    assert!(conclude(&world, &job, &second, refusal).await);
    world.close(std::slice::from_ref(&job)).await;
    act(&world, &koda, async |tx| {
        actions::retry(tx, &koda, id, &[]).await
    })
    .await
    .unwrap();
    let job = world.claim_all(Queue::Register).await.remove(0);
    let anew = sending(prepare(&world, &job).await);
    assert_ne!(anew.ledger.message_id, first.ledger.message_id);
}

/// The register keeps what it had first; a sending of other data under the same id must not pass for agreement.
#[tokio::test]
async fn a_case_that_changed_between_two_sendings_is_known() {
    let world = World::new().await;
    let case = world.case(world.b101, Made::default()).await;
    world.launch(&world.chamber(), 9, json!({})).await;
    let job = world.claim_all(Queue::Register).await.remove(0);
    assert!(!sending(prepare(&world, &job).await).ledger.changed);
    assert!(!sending(prepare(&world, &job).await).ledger.changed);
    sqlx::query(
        "update cases set start_fee_initial_cents = start_fee_initial_cents + 100 where id = $1",
    )
    .bind(case.0)
    .execute(&world.admin)
    .await
    .unwrap();
    assert!(sending(prepare(&world, &job).await).ledger.changed);
    assert!(
        sending(prepare(&world, &job).await).ledger.changed,
        "either may be there"
    );
}

/// What surely never arrived, or is not told at all, cannot be the older data that the register has.
#[tokio::test]
async fn a_change_counts_only_where_the_older_data_may_have_arrived() {
    let world = World::new().await;
    let case = world.case(world.b101, Made::default()).await;
    world.launch(&world.chamber(), 9, json!({})).await;
    let job = world.claim_all(Queue::Register).await.remove(0);
    let arrange = async |text: &'static str| {
        sqlx::query(text)
            .bind(case.0)
            .execute(&world.admin)
            .await
            .unwrap();
    };
    let first = sending(prepare(&world, &job).await);
    note(&world, job.tenant_id, first.ledger.id, State::NotSent).await;
    arrange("update cases set date_opened = date_opened - 1 where id = $1").await;
    assert!(!sending(prepare(&world, &job).await).ledger.changed);
    arrange("update cases set synced_at = now() where id = $1").await;
    let third = sending(prepare(&world, &job).await);
    assert!(!third.ledger.changed && third.registered);
    // Now one is in doubt, and a later one that did not go changes nothing about that.
    note(&world, job.tenant_id, first.ledger.id, State::NotSent).await;
    arrange("update cases set date_opened = date_opened - 1 where id = $1").await;
    assert!(sending(prepare(&world, &job).await).ledger.changed);
}

#[tokio::test]
async fn a_message_leaves_only_while_its_run_is_ours_and_not_cancelled() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let koda = world.chamber();
    let id = world.launch(&koda, 9, json!({})).await;
    let jobs = world.claim_all(Queue::Register).await;
    let asked = async |job: &Claimed| {
        let mut tx = world.queue().await;
        sync::may_leave(&mut tx, job).await.unwrap()
    };
    assert_eq!(asked(&jobs[0]).await, Leave::Yes);
    let overtaken = Claimed {
        dispatch_no: jobs[0].dispatch_no - 1,
        ..jobs[0].clone()
    };
    assert_eq!(asked(&overtaken).await, Leave::NotOurs);
    act(&world, &koda, async |tx| {
        actions::cancel(tx, &koda, id).await
    })
    .await
    .unwrap();
    assert_eq!(asked(&jobs[0]).await, Leave::Cancelled);
    world.end(&jobs[1..], |_| Ending::Cancelled).await;
    assert_eq!(asked(&jobs[1]).await, Leave::NotOurs);
}

#[tokio::test]
async fn a_second_message_about_a_case_waits_for_the_first() {
    let world = World::new().await;
    world.case(world.b101, Made::default()).await;
    let koda = world.chamber();
    world.launch(&koda, 9, json!({})).await;
    world.launch(&koda, 9, json!({})).await;
    let jobs = world.claim_all(Queue::Register).await;
    let first = sending(prepare(&world, &jobs[0]).await);
    assert!(matches!(prepare(&world, &jobs[1]).await, Prepared::Busy));
    note(&world, jobs[0].tenant_id, first.ledger.id, State::Done).await;
    assert!(matches!(prepare(&world, &jobs[1]).await, Prepared::Send(_)));
}

#[tokio::test]
async fn a_fenced_run_keeps_what_it_learnt_and_the_next_run_sends_nothing() {
    let world = World::new().await;
    world.case(world.b101, Made::default()).await;
    world.launch(&world.chamber(), 9, json!({})).await;
    let job = world.claim_all(Queue::Register).await.remove(0);
    let first = sending(prepare(&world, &job).await);
    sqlx::query("update jobs set state = 'queued'")
        .execute(&world.admin)
        .await
        .unwrap();
    let yes = Conclusion {
        outcome: Outcome::new(&job, Ending::Ok, "saadetud"),
        ledger: Some(settled(State::Done)),
        agreed: true,
        problem: None,
    };
    assert!(!conclude(&world, &job, &first, yes).await, "fenced");
    note(&world, job.tenant_id, first.ledger.id, State::Done).await;
    note(&world, job.tenant_id, first.ledger.id, State::Unknown).await;
    assert!(matches!(prepare(&world, &job).await, Prepared::NotOurs));
    let again = world.claim_all(Queue::Register).await.remove(0);
    assert!(
        matches!(prepare(&world, &again).await, Prepared::AlreadyDone(_)),
        "done is never overwritten"
    );
}

#[tokio::test]
async fn nothing_is_sent_for_a_cancelled_action_or_without_a_bailiff() {
    let world = World::new().await;
    world.case(world.b101, Made::default()).await;
    let koda = world.chamber();
    world.launch(&koda, 9, json!({})).await;
    let job = world.claim_all(Queue::Register).await.remove(0);
    sqlx::query("update bureaus set bailiff_code = null")
        .execute(&world.admin)
        .await
        .unwrap();
    assert!(matches!(prepare(&world, &job).await, Prepared::NoBailiff));
    let action = job.bulk_action_id.unwrap();
    act(&world, &koda, async |tx| {
        actions::cancel(tx, &koda, action).await
    })
    .await
    .unwrap();
    assert!(matches!(prepare(&world, &job).await, Prepared::Cancelled));
    let rows: i64 = sqlx::query_scalar("select count(*) from outward_calls")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn a_retry_skips_what_may_have_taken_effect_once() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let koda = world.chamber();
    let id = world.launch(&koda, 9, json!({})).await;
    let jobs = world.claim_all(Queue::Register).await;
    world.end(&jobs, |_| failed()).await;
    sqlx::query(
        "insert into outward_calls (tenant_id, subject, operation, intent, class, state, message_id, job_id)
         values ($1, 'arrest:1', 'earest.set', 1, 'once', 'unknown', gen_random_uuid(), $2)",
    )
    .bind(world.b101.0)
    .bind(jobs[0].id.0)
    .execute(&world.admin)
    .await
    .unwrap();
    let one = act(&world, &koda, async |tx| {
        actions::retry_task(tx, &koda, jobs[0].id).await
    })
    .await;
    assert!(matches!(
        one,
        Err(domain::Error::Refused {
            code: "unknown_outcome",
            ..
        })
    ));
    let retried = act(&world, &koda, async |tx| {
        actions::retry(tx, &koda, id, &[]).await
    })
    .await
    .unwrap();
    assert_eq!(
        (
            retried.tasks,
            retried.skipped[0].reason,
            retried.skipped[0].count
        ),
        (1, "unknown_outcome", 1)
    );
    assert_eq!(retried.skipped[0].text, "tulemus teadmata");
}

/// Types of open problems, and what the list row says of their number.
async fn open_problems(world: &World) -> (Vec<i16>, i16) {
    let types =
        sqlx::query_scalar("select type from problems where resolved_at is null order by type")
            .fetch_all(&world.admin)
            .await
            .unwrap();
    let listed = sqlx::query_scalar("select open_problems from case_list")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    (types, listed)
}
