//! Acts on many jobs: the set frozen at the click, each job ended once, everything told.
use domain::ids::{JobId, OperatorActionId, TenantId};
use domain::jobs::whole::StallCode;
use domain::jobs::{Ending, JobFilter, Queue, State};
use domain::operator_actions::{
    self as actions, ItemFilter, ItemState, Kind, OperatorAction, Order,
};
use domain::{Actor, Error, Scope, db};
use serde_json::json;

use crate::world::{World, failed};

fn retry_failed() -> JobFilter {
    JobFilter {
        state: vec![State::Failed],
        ..JobFilter::default()
    }
}

async fn order(
    world: &World,
    actor: &Actor,
    kind: Kind,
    filter: &JobFilter,
) -> domain::Result<OperatorAction> {
    let order = Order {
        kind,
        filter,
        reason: Some("Register oli maas"),
        expected_count: None,
        per_second: None,
    };
    let mut tx = world.reading(actor).await;
    let made = actions::order(&mut tx, actor, &order).await;
    if made.is_ok() {
        tx.commit().await?;
    }
    made
}

async fn step(world: &World, id: OperatorActionId, most: i64) -> i64 {
    let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
    let step = actions::step(&mut tx, id, most).await.unwrap();
    tx.commit().await.unwrap();
    step.taken
}

async fn settle(world: &World, id: OperatorActionId) -> OperatorAction {
    let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
    while actions::settle(&mut tx, id).await.unwrap() {}
    tx.commit().await.unwrap();
    find(world, id).await
}

async fn find(world: &World, id: OperatorActionId) -> OperatorAction {
    let mut tx = world.reading(&world.chamber()).await;
    actions::find(&mut tx, id).await.unwrap()
}

async fn stall(world: &World, id: OperatorActionId) -> Option<StallCode> {
    let mut tx = world.reading(&world.chamber()).await;
    let action = actions::find(&mut tx, id).await.unwrap();
    let stall = actions::stall(&mut tx, &action).await.unwrap();
    stall.map(|stall| stall.code)
}

fn counts(action: &OperatorAction) -> [i64; 5] {
    ItemState::ALL.map(|state| action.count(state))
}

/// A bulk action of so many tasks of bureau 101, all failed.
async fn failed_tasks(world: &World, tasks: i32) {
    world.cases(world.b101, tasks).await;
    world.launch(&world.kt(), 3, json!({})).await;
    let claimed = world.claim_all(Queue::Bulk).await;
    world.end(&claimed, |_| failed()).await;
}

#[tokio::test]
async fn a_frozen_set_is_worked_off_and_each_job_is_told_how_it_ended() {
    let world = World::new().await;
    failed_tasks(&world, 7).await;
    let made = order(&world, &world.kt(), Kind::Retry, &retry_failed())
        .await
        .unwrap();
    assert_eq!((made.total, counts(&made)), (7, [7, 0, 0, 0, 0]));
    // What fails later has not been chosen.
    let later: i64 = sqlx::query_scalar("insert into jobs (tenant_id, queue, kind, state, finished_at) values ($1, 'bulk', 'TouchCase', 'failed', now()) returning id")
        .bind(world.b101.0)
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(step(&world, made.id, 3).await, 3);
    assert_eq!(counts(&find(&world, made.id).await), [4, 3, 0, 0, 0]);
    let claimed = world.claim_all(Queue::Bulk).await;
    assert_eq!(claimed.len(), 3, "only what was taken up runs");
    world
        .end(&claimed, |n| if n == 0 { failed() } else { Ending::Ok })
        .await;
    let under_way = settle(&world, made.id).await;
    assert_eq!(
        (counts(&under_way), under_way.finished_at),
        ([4, 0, 2, 1, 0], None)
    );
    assert_eq!(step(&world, made.id, 500).await, 4);
    let claimed = world.claim_all(Queue::Bulk).await;
    world.end(&claimed, |_| Ending::Ok).await;
    let over = settle(&world, made.id).await;
    assert_eq!(counts(&over), [0, 0, 6, 1, 0]);
    assert_eq!(
        over.count(ItemState::Done)
            + over.count(ItemState::Failed)
            + over.count(ItemState::Skipped),
        over.total
    );
    assert_eq!(over.status, domain::bulk_actions::Status::Failed);
    assert!(over.finished_at.is_some());
    settle(&world, made.id).await;
    let told: Vec<(i64, serde_json::Value)> = sqlx::query_as(
        "select user_id, jsonb_build_array(facts -> 'done', facts -> 'failed', facts -> 'total') from notices
         where kind = 'operator_action'",
    )
    .fetch_all(&world.admin)
    .await
    .unwrap();
    assert_eq!(
        told,
        [(over.created_by.id.0, serde_json::json!([6, 1, 7]))],
        "told once"
    );
    let state: State = sqlx::query_scalar("select state from jobs where id = $1")
        .bind(later)
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(state, State::Failed, "later matches are untouched");
    for act in ["order", "finish"] {
        assert_eq!(world.audited(act, made.id.0).await, 1, "{act}");
    }

    // Only what failed is taken up again, by a run of its own.
    let mut tx = world.reading(&world.kt()).await;
    let child = actions::child(&mut tx, &world.kt(), made.id).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((child.total, child.parent), (1, Some(made.id)));
    assert_eq!(find(&world, made.id).await.children, [child.id.0]);

    // What became of the job later changes nothing in what the first run tells; repaired, it is not taken up once more.
    let why = why_failed(&world, made.id).await;
    assert!(why.is_some());
    assert_eq!(step(&world, child.id, 500).await, 1);
    assert_eq!(why_failed(&world, made.id).await, why);
    let claimed = world.claim_all(Queue::Bulk).await;
    world.end(&claimed, |_| Ending::Ok).await;
    assert_eq!(counts(&settle(&world, child.id).await), [0, 0, 1, 0, 0]);
    assert_eq!(why_failed(&world, made.id).await, why);
    let mut tx = world.reading(&world.kt()).await;
    let again = actions::child(&mut tx, &world.kt(), made.id).await;
    assert!(
        matches!(
            again,
            Err(Error::Refused {
                code: "nothing_failed",
                ..
            })
        ),
        "{again:?}"
    );
}

/// What the only failed item of an action says.
async fn why_failed(world: &World, id: OperatorActionId) -> Option<String> {
    let mut tx = world.reading(&world.kt()).await;
    let filter = ItemFilter {
        states: vec![ItemState::Failed],
        reason: None,
    };
    let items = actions::items(&mut tx, id, &filter, JobId(0), 10)
        .await
        .unwrap();
    assert_eq!(items.len(), 1);
    items[0].text()
}

#[tokio::test]
async fn what_cannot_be_retried_is_skipped_with_its_reason() {
    let world = World::new().await;
    failed_tasks(&world, 5).await;
    let made = order(&world, &world.kt(), Kind::Retry, &JobFilter::default())
        .await
        .unwrap();
    let ids: Vec<i64> = sqlx::query_scalar("select id from jobs order by id")
        .fetch_all(&world.admin)
        .await
        .unwrap();
    sqlx::query("update jobs set state = 'ok' where id = $1")
        .bind(ids[0])
        .execute(&world.admin)
        .await
        .unwrap();
    sqlx::query("update jobs set state = 'queued' where id = $1")
        .bind(ids[1])
        .execute(&world.admin)
        .await
        .unwrap();
    sqlx::query("delete from jobs where id = $1")
        .bind(ids[2])
        .execute(&world.admin)
        .await
        .unwrap();
    sqlx::query(
        "insert into outward_calls (tenant_id, subject, operation, intent, class, state, message_id, job_id)
         values ($1, 'case:1', 'arrest.send', 1, 'once', 'unknown', gen_random_uuid(), $2)",
    )
    .bind(world.b101.0)
    .bind(ids[3])
    .execute(&world.admin)
    .await
    .unwrap();
    assert_eq!(step(&world, made.id, 500).await, 5);
    let now = find(&world, made.id).await;
    assert_eq!(counts(&now), [0, 1, 0, 0, 4]);
    let mut reasons: Vec<(&str, i64)> = now
        .skipped
        .iter()
        .map(|(word, _, count)| (word.as_str(), *count))
        .collect();
    reasons.sort_unstable();
    assert_eq!(
        reasons,
        [("gone", 1), ("live", 1), ("ok", 1), ("unknown_outcome", 1)]
    );
    assert!(now.skipped.iter().all(|(_, text, _)| !text.is_empty()));
    let mut tx = world.reading(&world.kt()).await;
    let filter = ItemFilter {
        states: vec![ItemState::Skipped],
        reason: Some("live".into()),
    };
    let items = actions::items(&mut tx, made.id, &filter, JobId(0), 10)
        .await
        .unwrap();
    assert_eq!(
        items.iter().map(|item| item.job_id.0).collect::<Vec<_>>(),
        [ids[1]]
    );
}

#[tokio::test]
async fn it_says_why_what_it_sent_stands_still() {
    let world = World::new().await;
    failed_tasks(&world, 2).await;
    let made = order(&world, &world.kt(), Kind::Retry, &retry_failed())
        .await
        .unwrap();
    assert_eq!(stall(&world, made.id).await, None, "nothing is sent yet");
    step(&world, made.id, 500).await;
    assert_eq!(stall(&world, made.id).await, Some(StallCode::NoWorkers));
    sqlx::query("update bulk_actions set paused_at = now()")
        .execute(&world.admin)
        .await
        .unwrap();
    assert_eq!(stall(&world, made.id).await, Some(StallCode::ActionPaused));
    sqlx::query("update bulk_actions set paused_at = null")
        .execute(&world.admin)
        .await
        .unwrap();
    let claimed = world.claim_all(Queue::Bulk).await;
    assert_eq!(stall(&world, made.id).await, None, "it runs");
    world.end(&claimed, |_| Ending::Ok).await;
    settle(&world, made.id).await;
    assert_eq!(stall(&world, made.id).await, None, "it is over");
}

/// The state and the error of each job of an action, by id.
async fn endings(
    world: &World,
) -> Vec<(String, Option<String>, Option<String>, Option<String>, i16)> {
    sqlx::query_as(
        "select state::text, output, error_code, error_key, failures from jobs order by id",
    )
    .fetch_all(&world.admin)
    .await
    .unwrap()
}

#[tokio::test]
async fn after_a_stop_no_job_begins_and_what_waits_is_as_it_was() {
    let world = World::new().await;
    failed_tasks(&world, 6).await;
    let before = endings(&world).await;
    let kt = Actor {
        request_id: "again".into(),
        ..world.kt()
    };
    let traced = async || {
        let of = "select count(*) from jobs where request_id = 'again'";
        let count = sqlx::query_scalar::<_, i64>(of).fetch_one(&world.admin);
        count.await.unwrap()
    };
    let made = order(&world, &kt, Kind::Retry, &retry_failed())
        .await
        .unwrap();
    assert_eq!(step(&world, made.id, 4).await, 4);
    assert_ne!(endings(&world).await, before);
    assert_eq!(traced().await, 4, "of the request that had them run again");
    // One of the four begins before the stop.
    let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
    sqlx::query("update jobs set state = 'running', dispatch_no = dispatch_no + 1 where id = (select min(id) from jobs)")
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let mut tx = world.reading(&kt).await;
    actions::stop(&mut tx, &kt, made.id).await.unwrap();
    tx.commit().await.unwrap();
    step(&world, made.id, 500).await;
    assert!(
        world.claim_all(Queue::Bulk).await.is_empty(),
        "no job begins"
    );
    let now = endings(&world).await;
    assert_eq!(now[0].0, "running");
    assert_eq!(now[1..], before[1..]);
    assert_eq!(traced().await, 1, "the others are of the request they were");
    let stopped = find(&world, made.id).await;
    assert_eq!(counts(&stopped), [0, 1, 0, 0, 5]);
    assert_eq!(
        stopped
            .skipped
            .iter()
            .map(|(word, _, count)| (word.as_str(), *count))
            .collect::<Vec<_>>(),
        [("stopped", 5)]
    );
}

#[tokio::test]
async fn only_so_many_are_on_their_way_at_once() {
    let world = World::new().await;
    sqlx::query("insert into jobs (tenant_id, queue, kind, state, finished_at) select $1, 'bulk', 'TouchCase', 'failed', now() from generate_series(1, 2300)")
        .bind(world.b101.0)
        .execute(&world.admin)
        .await
        .unwrap();
    let made = order(&world, &world.kt(), Kind::Retry, &retry_failed())
        .await
        .unwrap();
    let mut taken = Vec::new();
    for _ in 0..6 {
        taken.push(step(&world, made.id, 500).await);
    }
    assert_eq!(taken, [500, 500, 500, 500, 0, 0]);
    let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
    sqlx::query("update jobs set state = 'ok', finished_at = now() where id in (select id from jobs where state = 'queued' order by id limit 100)")
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    settle(&world, made.id).await;
    assert_eq!(step(&world, made.id, 500).await, 100);
}

#[tokio::test]
async fn a_bailiff_sees_who_of_the_chamber_acted_on_his_job() {
    let world = World::new().await;
    failed_tasks(&world, 1).await;
    let made = order(&world, &world.chamber(), Kind::Retry, &retry_failed())
        .await
        .unwrap();
    step(&world, made.id, 500).await;
    let seen = async |actor: Actor| {
        let mut tx = world.reading(&actor).await;
        let job: i64 = sqlx::query_scalar("select min(id) from jobs")
            .fetch_one(&world.admin)
            .await
            .unwrap();
        let job = domain::jobs::find::find(&mut tx, domain::ids::JobId(job))
            .await
            .ok()?;
        let events = domain::jobs::whole::events(&mut tx, &job).await.unwrap();
        let event = events.iter().find(|event| event.action == "retry")?;
        Some((
            event.who.clone(),
            event.role,
            event.reason.clone(),
            event.after.clone(),
        ))
    };
    let (who, role, reason, after) = seen(world.kt()).await.unwrap();
    assert!(who.is_some());
    assert_eq!(
        (role, reason.as_deref()),
        (Some(domain::Role::Koda), Some("Register oli maas"))
    );
    // The chamber's own page is not his to open.
    assert_eq!(after, Some(json!({"operatorAction": null})));
    let (.., after) = seen(world.chamber()).await.unwrap();
    assert_eq!(after, Some(json!({"operatorAction": made.id.0})));
    assert!(seen(world.kt2()).await.is_none());
}

#[tokio::test]
async fn two_jobs_of_one_key_are_never_both_queued() {
    let world = World::new().await;
    for _ in 0..2 {
        sqlx::query("insert into jobs (tenant_id, queue, kind, unique_key, state, finished_at) values ($1, 'cron', 'ReconcileCaseList', 'reconcile', 'failed', now())")
            .bind(world.koda.0)
            .execute(&world.admin)
            .await
            .unwrap();
    }
    let made = order(&world, &world.operator(), Kind::Retry, &retry_failed())
        .await
        .unwrap();
    step(&world, made.id, 500).await;
    let now = find(&world, made.id).await;
    assert_eq!(counts(&now), [0, 1, 0, 0, 1]);
    assert_eq!(now.skipped[0].0, "already_queued");
}

#[tokio::test]
async fn a_held_action_takes_nothing_up_and_a_stopped_one_leaves_the_rest() {
    let world = World::new().await;
    failed_tasks(&world, 6).await;
    let (kt, made) = (
        world.kt(),
        order(&world, &world.kt(), Kind::Retry, &retry_failed())
            .await
            .unwrap(),
    );
    assert_eq!(step(&world, made.id, 2).await, 2);
    let claimed = world.claim_all(Queue::Bulk).await;
    assert_eq!(claimed.len(), 2);
    let mut tx = world.reading(&kt).await;
    actions::pause(&mut tx, &kt, made.id).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(step(&world, made.id, 500).await, 0);
    let mut tx = world.reading(&kt).await;
    assert!(matches!(
        actions::pause(&mut tx, &kt, made.id).await,
        Err(Error::Refused { .. })
    ));
    actions::resume(&mut tx, &kt, made.id).await.unwrap();
    actions::set_pace(&mut tx, &kt, made.id, Some(5))
        .await
        .unwrap();
    actions::stop(&mut tx, &kt, made.id).await.unwrap();
    tx.commit().await.unwrap();
    step(&world, made.id, 500).await;
    world.end(&claimed, |_| Ending::Ok).await;
    let over = settle(&world, made.id).await;
    assert_eq!(counts(&over), [0, 0, 2, 0, 4]);
    assert_eq!(over.skipped[0].0, "stopped");
    assert_eq!(over.status, domain::bulk_actions::Status::Cancelled);
    for act in ["pause", "resume", "pace", "stop"] {
        assert_eq!(world.audited(act, made.id.0).await, 1, "{act}");
    }
}

#[tokio::test]
async fn cancelling_ends_what_waits_and_acknowledges_what_failed() {
    let world = World::new().await;
    world.cases(world.b101, 4).await;
    let action = world.launch(&world.kt(), 3, json!({})).await;
    let ids = world.tasks_of(action).await;
    let all: Vec<i64> = ids.iter().map(|id| id.0).collect();
    for (id, state) in [(all[0], "failed"), (all[1], "ok"), (all[2], "running")] {
        sqlx::query("update jobs set state = $2::job_state where id = $1")
            .bind(id)
            .bind(state)
            .execute(&world.admin)
            .await
            .unwrap();
    }
    let made = order(&world, &world.kt(), Kind::Cancel, &JobFilter::default())
        .await
        .unwrap();
    step(&world, made.id, 500).await;
    let over = settle(&world, made.id).await;
    assert_eq!(counts(&over), [0, 0, 2, 0, 2]);
    let mut reasons: Vec<&str> = over
        .skipped
        .iter()
        .map(|(word, ..)| word.as_str())
        .collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["ended", "running"]);
    assert_eq!(world.in_state(action, State::Cancelled).await, 2);
    let counted: i64 = sqlx::query_scalar("select coalesce(sum(cancelled), 0) from queue_minutes")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(
        counted, 2,
        "what ends without a worker is in the figures too"
    );
}

#[tokio::test]
async fn nobody_reaches_the_jobs_of_another_bureau() {
    let world = World::new().await;
    failed_tasks(&world, 3).await;
    world.cases(world.b102, 2).await;
    world.launch(&world.kt2(), 3, json!({})).await;
    let claimed = world.claim_all(Queue::Bulk).await;
    world.end(&claimed, |_| failed()).await;
    let own = order(&world, &world.kt(), Kind::Retry, &retry_failed())
        .await
        .unwrap();
    assert_eq!(own.total, 3);
    let all = order(&world, &world.chamber(), Kind::Retry, &retry_failed())
        .await
        .unwrap();
    assert_eq!(all.total, 5);
    let mut tx = world.reading(&world.kt2()).await;
    for id in [own.id, all.id] {
        assert!(matches!(
            actions::find(&mut tx, id).await,
            Err(Error::NotFound)
        ));
        assert!(
            actions::items(&mut tx, id, &ItemFilter::default(), JobId(0), 10)
                .await
                .unwrap()
                .is_empty()
        );
    }
    let other = JobFilter {
        bureau: Some("101".into()),
        ..retry_failed()
    };
    assert!(matches!(
        order(&world, &world.kt2(), Kind::Retry, &other).await,
        Err(Error::Invalid(_))
    ));

    // A bailiff has his own tasks of the chamber's action, and leaves steering to the chamber.
    let chamber = world.launch(&world.chamber(), 3, json!({})).await;
    sqlx::query("update jobs set state = 'failed' where bulk_action_id = $1")
        .bind(chamber.0)
        .execute(&world.admin)
        .await
        .unwrap();
    let of_chamber = JobFilter {
        bulk_action: Some(chamber.0),
        ..JobFilter::default()
    };
    let made = order(&world, &world.kt(), Kind::Retry, &of_chamber)
        .await
        .unwrap();
    assert_eq!(made.total, 3);
    step(&world, made.id, 500).await;
    let now = find(&world, made.id).await;
    assert_eq!(
        (counts(&now), now.skipped[0].0.as_str()),
        ([0, 0, 0, 0, 3], "others")
    );
    assert_eq!(TenantId(made.bureau.id.0), world.b101);
}

#[tokio::test]
async fn an_empty_or_moved_set_is_refused() {
    let world = World::new().await;
    assert!(matches!(
        order(&world, &world.kt(), Kind::Retry, &retry_failed()).await,
        Err(Error::Invalid(_))
    ));
    failed_tasks(&world, 12).await;
    let filter = retry_failed();
    for (expected, refused) in [(0, true), (12, false), (30, true)] {
        let order = Order {
            kind: Kind::Retry,
            filter: &filter,
            reason: None,
            expected_count: Some(expected),
            per_second: None,
        };
        let mut tx = world.reading(&world.kt()).await;
        let made = actions::order(&mut tx, &world.kt(), &order).await;
        assert_eq!(
            matches!(
                made,
                Err(Error::Refused {
                    code: "count_moved",
                    ..
                })
            ),
            refused,
            "{expected}"
        );
    }
    let left: i64 = sqlx::query_scalar("select count(*) from operator_actions")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(left, 0, "a refused order leaves nothing");
}
