//! Type 9 against the simulated register: refusals, unknown outcomes, read-back; its log of effects is the judge.
use domain::bulk_actions::{self as actions, Status};
use domain::jobs::{Claimed, Failure, Queue};
use register_simulator::{Act, Handle, Resend, Rule, Settings};
use serde_json::json;

use crate::world::{World, act};
use crate::{context, told, work};

async fn simulator() -> Handle {
    register_simulator::start("127.0.0.1:0".parse().unwrap())
        .await
        .unwrap()
}

async fn open_problems(world: &World) -> Vec<i16> {
    sqlx::query_scalar("select type from problems where resolved_at is null order by case_id, type")
        .fetch_all(&world.admin)
        .await
        .unwrap()
}

async fn launched(world: &World, cases: i32) -> Vec<Claimed> {
    world.cases(world.b101, cases).await;
    world.launch(&world.chamber(), 9, json!({})).await;
    world.claim_all(Queue::Register).await
}

#[tokio::test]
async fn data_is_sent_and_the_state_read_back() {
    let (world, register) = (World::new().await, simulator().await);
    let jobs = launched(&world, 2).await;
    let ctx = context(&world, &register.url(), true);
    for job in &jobs {
        work(&world, &ctx, std::slice::from_ref(job)).await.unwrap();
        let said = "Andmed on täitmisregistrile saadetud.\nOlek registris: Menetluses.";
        assert_eq!(told(&world, job).await, ("ok".into(), said.into()));
    }
    assert_eq!(register.effects().len(), 2);
    assert_eq!(
        world.action(jobs[0].bulk_action_id.unwrap()).await.status,
        Status::Ok
    );
    let synced: i64 = sqlx::query_scalar("select count(*) from cases where synced_at is not null")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(synced, 2);
    let requests: Vec<String> = sqlx::query_scalar("select request from outward_calls order by id")
        .fetch_all(&world.admin)
        .await
        .unwrap();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert!(
            request.contains("<xrd:userId>"),
            "who asks is named: {request}"
        );
        assert!(
            !request.contains("38001010004"),
            "personal codes are masked: {request}"
        );
    }
}

#[tokio::test]
async fn every_tenth_refused_then_retried_all_ok() {
    let (world, register) = (World::new().await, simulator().await);
    let jobs = launched(&world, 20).await;
    let koda = world.chamber();
    let id = jobs[0].bulk_action_id.unwrap();
    let ctx = context(&world, &register.url(), false);
    let refuse = Act::Refuse {
        code: "Viga".into(),
        text: "Andmed ei sobi".into(),
    };
    register
        .script([Rule {
            every: Some(10),
            ..Rule::always(refuse)
        }])
        .unwrap();
    for job in &jobs {
        work(&world, &ctx, std::slice::from_ref(job)).await.unwrap();
    }
    assert_eq!(world.action(id).await.status, Status::Failed);
    assert_eq!(open_problems(&world).await, [2, 2], "never opened there");
    let failed = told(&world, &jobs[9]).await;
    assert_eq!(
        failed,
        (
            "failed".into(),
            "Täitmisregister keeldus: Andmed ei sobi".into()
        )
    );
    register.clear_script();
    act(&world, &koda, async |tx| {
        actions::retry(tx, &koda, id, &[Status::Failed]).await
    })
    .await
    .unwrap();
    for job in &world.claim_all(Queue::Register).await {
        work(&world, &ctx, std::slice::from_ref(job)).await.unwrap();
    }
    assert_eq!(world.action(id).await.status, Status::Ok);
    assert!(open_problems(&world).await.is_empty());
    assert_eq!(register.effects().len(), 20, "one accepted effect a case");
}

#[tokio::test]
async fn an_unknown_outcome_is_sent_again_under_the_same_id() {
    for state_service in [true, false] {
        let (world, register) = (World::new().await, simulator().await);
        register.set_state_service(state_service);
        let jobs = launched(&world, 1).await;
        let ctx = context(&world, &register.url(), state_service);
        register
            .script([Rule {
                times: Some(1),
                ..Rule::always(Act::HalfBody)
            }])
            .unwrap();
        let first = work(&world, &ctx, &jobs).await;
        assert!(
            matches!(first, Err(Failure::Transient { ref code, .. }) if code == "register_outcome_unknown"),
            "{first:?}"
        );
        let state: String = sqlx::query_scalar("select state from outward_calls")
            .fetch_one(&world.admin)
            .await
            .unwrap();
        assert_eq!(state, "unknown");
        work(&world, &ctx, &jobs).await.unwrap();
        let (state, output) = told(&world, &jobs[0]).await;
        assert_eq!(state, "ok");
        assert!(
            output.starts_with("Andmed olid täitmisregistris juba olemas."),
            "{output}"
        );
        assert_eq!(register.effects().len(), 1, "one effect, whatever was sent");
    }
}

/// The register keeps what it took first, so the later data must not pass for sent; a retry sends them as a new message.
#[tokio::test]
async fn data_that_changed_after_an_unheard_yes_are_a_warning_until_retried() {
    for resend in [Resend::Already, Resend::Same] {
        let (world, register) = (World::new().await, simulator().await);
        register.set_settings(Settings {
            resend,
            ..Settings::default()
        });
        let jobs = launched(&world, 1).await;
        let koda = world.chamber();
        let id = jobs[0].bulk_action_id.unwrap();
        let ctx = context(&world, &register.url(), false);
        register
            .script([Rule {
                times: Some(1),
                ..Rule::always(Act::HalfBody)
            }])
            .unwrap();
        work(&world, &ctx, &jobs).await.unwrap_err();
        sqlx::query("update cases set date_opened = date_opened - 1")
            .execute(&world.admin)
            .await
            .unwrap();
        work(&world, &ctx, &jobs).await.unwrap();
        let (state, output) = told(&world, &jobs[0]).await;
        assert_eq!(state, "warning", "{resend:?}");
        assert!(output.contains("varem saadetud andmed"), "{output}");
        let synced = async || -> bool {
            sqlx::query_scalar("select synced_at is not null from cases")
                .fetch_one(&world.admin)
                .await
                .unwrap()
        };
        assert!(!synced().await, "the register has the older data");
        assert_eq!(register.effects().len(), 1);

        act(&world, &koda, async |tx| {
            actions::retry(tx, &koda, id, &[Status::Warning]).await
        })
        .await
        .unwrap();
        let jobs = world.claim_all(Queue::Register).await;
        work(&world, &ctx, &jobs).await.unwrap();
        assert_eq!(told(&world, &jobs[0]).await.0, "ok");
        assert!(synced().await);
        assert_eq!(register.effects().len(), 2, "new data, another effect");
    }
}

/// Our database falters while the answer is in hand: it is written all the same, also by a run that was overtaken.
#[tokio::test]
async fn an_answer_in_hand_is_written_however_often_it_takes() {
    for (misbehaviour, overtaken, state) in [
        (None, false, "done"),
        (Some(Act::HalfBody), false, "unknown"),
        (Some(Act::KillHook { url: None }), true, "done"),
    ] {
        let (world, register) = (World::new().await, simulator().await);
        let jobs = launched(&world, 1).await;
        let ctx = context(&world, &register.url(), true);
        let once = |act| Rule {
            times: Some(1),
            ..Rule::always(act)
        };
        register.script(misbehaviour.map(once)).unwrap();
        // A sequence counts also what is rolled back.
        sqlx::raw_sql(
            "create sequence tries;
             create function falter() returns trigger language plpgsql security definer as $$ begin
               if nextval('tries') <= 3 then raise exception 'later' using errcode = '40001'; end if;
               return new; end $$;
             create trigger falter before update on outward_calls for each row
               when (new.settled_at is not null) execute function falter()",
        )
        .execute(&world.admin)
        .await
        .unwrap();
        let overtake = async {
            while overtaken && register.release() == 0 {
                if !register.effects().is_empty() {
                    sqlx::query("update jobs set state = 'queued'")
                        .execute(&world.admin)
                        .await
                        .unwrap();
                }
                tokio::task::yield_now().await;
            }
        };
        let (outcome, ()) = futures::future::join(work(&world, &ctx, &jobs), overtake).await;
        assert_eq!(outcome.is_ok(), state == "done", "{outcome:?}");
        let (kept, tries): (String, i64) =
            sqlx::query_as("select state, (select last_value from tries) from outward_calls")
                .fetch_one(&world.admin)
                .await
                .unwrap();
        assert_eq!((kept.as_str(), tries > 3), (state, true));
        assert_eq!(register.effects().len(), 1);
    }
}

/// Once synced, a case is known there: a later refusal doesn't mean that it was never opened.
#[tokio::test]
async fn a_refusal_after_a_sync_means_out_of_sync() {
    let (world, register) = (World::new().await, simulator().await);
    let jobs = launched(&world, 1).await;
    let ctx = context(&world, &register.url(), false);
    work(&world, &ctx, &jobs).await.unwrap();
    let refuse = Act::Refuse {
        code: "Viga".into(),
        text: "Andmed ei sobi".into(),
    };
    register.script([Rule::always(refuse)]).unwrap();
    world.launch(&world.chamber(), 9, json!({})).await;
    let jobs = world.claim_all(Queue::Register).await;
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(told(&world, &jobs[0]).await.0, "failed");
    assert_eq!(open_problems(&world).await, [5]);
}

#[tokio::test]
async fn a_register_that_cannot_be_reached_leaves_no_doubt() {
    let world = World::new().await;
    let jobs = launched(&world, 1).await;
    // Nothing listens on the discard port.
    let ctx = context(&world, "http://127.0.0.1:9/", false);
    let outcome = work(&world, &ctx, &jobs).await;
    assert!(
        matches!(outcome, Err(Failure::Transient { ref code, .. }) if code == "register_unreachable"),
        "{outcome:?}"
    );
    let state: String = sqlx::query_scalar("select state from outward_calls")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(state, "not_sent");
}

#[tokio::test]
async fn a_cancelled_action_sends_nothing_more() {
    let (world, register) = (World::new().await, simulator().await);
    let jobs = launched(&world, 2).await;
    let koda = world.chamber();
    let id = jobs[0].bulk_action_id.unwrap();
    let ctx = context(&world, &register.url(), false);
    work(&world, &ctx, &jobs[..1]).await.unwrap();
    act(&world, &koda, async |tx| {
        actions::cancel(tx, &koda, id).await
    })
    .await
    .unwrap();
    work(&world, &ctx, &jobs[1..]).await.unwrap();
    assert_eq!(
        told(&world, &jobs[1]).await,
        ("cancelled".into(), "Katkestatud.".into())
    );
    assert_eq!(register.effects().len(), 1);
    assert_eq!(world.action(id).await.status, Status::Cancelled);
}

#[tokio::test]
async fn a_bureau_without_a_bailiff_is_told_so() {
    let (world, register) = (World::new().await, simulator().await);
    let jobs = launched(&world, 1).await;
    sqlx::query("update bureaus set bailiff_code = null")
        .execute(&world.admin)
        .await
        .unwrap();
    let ctx = context(&world, &register.url(), false);
    work(&world, &ctx, &jobs).await.unwrap();
    assert_eq!(
        told(&world, &jobs[0]).await,
        (
            "failed".into(),
            "Bürool ei ole määratud kohtutäiturit.".into()
        )
    );
    assert!(register.calls().is_empty());
}
