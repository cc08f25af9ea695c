//! The closing rule: its result follows the rows, and it never closes over a live task.
use domain::bulk_actions::{self as actions, Status};
use domain::jobs::{Ending, Queue, State};
use serde_json::json;

use crate::world::{World, act, failed};

#[tokio::test]
async fn the_result_follows_the_rows() {
    let world = World::new().await;
    world.cases(world.b101, 3).await;
    let cancelled = || Ending::Cancelled;
    for (endings, result) in [
        ([Ending::Ok, Ending::Ok, Ending::Ok], Status::Ok),
        ([Ending::Ok, Ending::Warning, Ending::Ok], Status::Warning),
        ([Ending::Ok, cancelled(), Ending::Ok], Status::Warning),
        ([cancelled(), cancelled(), cancelled()], Status::Cancelled),
        ([failed(), Ending::Warning, cancelled()], Status::Failed),
    ] {
        let id = world.launch(&world.kt(), 3, json!({})).await;
        let jobs = world.claim_all(Queue::Bulk).await;
        assert_eq!(jobs.len(), 3);
        assert_eq!(world.action(id).await.status, Status::InProgress);
        world.end(&jobs[..2], |n| endings[n].clone()).await;
        assert_eq!(
            world.action(id).await.status,
            Status::InProgress,
            "one is still running"
        );
        world.end(&jobs[2..], |_| endings[2].clone()).await;
        let action = world.action(id).await;
        assert_eq!(action.status, result, "{endings:?}");
        assert!(
            action.finished_at.is_some()
                && (action.started_at.is_some() || result == Status::Cancelled)
        );
    }
}

/// Twenty tasks of a register end at once: none queues for the action's row while others are live.
#[tokio::test]
async fn an_end_that_closes_nothing_waits_for_nobody() {
    let world = World::new().await;
    world.cases(world.b101, 3).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs[..1], |_| Ending::Ok).await;
    let mut held = world.acting(&kt).await;
    sqlx::query("select from bulk_actions where id = $1 for update")
        .bind(id.0)
        .execute(&mut *held)
        .await
        .unwrap();
    world.end(&jobs[1..2], |_| Ending::Ok).await;
    assert!(world.action(id).await.started_at.is_some());
    held.rollback().await.unwrap();
    world.end(&jobs[2..], |_| Ending::Ok).await;
    assert_eq!(world.action(id).await.status, Status::Ok);
}

#[tokio::test]
async fn a_retry_opens_it_and_the_rule_closes_it_again() {
    let world = World::new().await;
    world.cases(world.b101, 4).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world
        .end(&jobs, |n| if n < 2 { failed() } else { Ending::Warning })
        .await;
    assert_eq!(world.action(id).await.status, Status::Failed);

    let retried = act(&world, &kt, async |tx| {
        actions::retry(tx, &kt, id, &[Status::Failed]).await
    })
    .await
    .unwrap();
    assert_eq!(retried.tasks, 2);
    let action = world.action(id).await;
    assert_eq!(
        (action.status, action.finished_at),
        (Status::InProgress, None)
    );
    assert_eq!(world.in_state(id, State::Queued).await, 2);
    assert_eq!(world.in_state(id, State::Warning).await, 2);

    let jobs = world.claim_all(Queue::Bulk).await;
    assert!(
        jobs.iter().all(|job| job.run == 2),
        "history is kept: the run's number rises"
    );
    world.end(&jobs, |_| Ending::Ok).await;
    assert_eq!(world.action(id).await.status, Status::Warning);
    assert_eq!(world.audited("retry", id.0).await, 1);
}

#[tokio::test]
async fn a_pause_ends_with_its_action() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    act(&world, &kt, async |tx| actions::pause(tx, &kt, id).await)
        .await
        .unwrap();
    world.end(&jobs, |_| failed()).await;
    let action = world.action(id).await;
    assert_eq!(action.status, Status::Failed);
    assert!(
        action.paused_at.is_none() && action.paused_by.is_none(),
        "a single retry would wait for a resume that nobody can see"
    );
}

/// A retry after months: what is in the archive still counts for the result.
#[tokio::test]
async fn archived_tasks_count_for_the_result() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let id = world.launch(&world.kt(), 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs[..1], |_| failed()).await;
    sqlx::query(
        "update jobs set created_at = created_at - interval '91 days', started_at = started_at - interval '91 days',
                         finished_at = finished_at - interval '91 days' where id = $1",
    )
    .bind(jobs[0].id.0)
    .execute(&world.admin)
    .await
    .unwrap();
    let mut tx = world.queue().await;
    domain::jobs::sweep::archive(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.in_state(id, State::Failed).await, 0, "archived");
    world.end(&jobs[1..], |_| Ending::Ok).await;
    assert_eq!(world.action(id).await.status, Status::Failed);
}

#[tokio::test]
async fn an_action_without_cases_is_cancelled_after_an_hour() {
    let world = World::new().await;
    let kt = world.kt();
    let id = act(&world, &kt, async |tx| {
        actions::create(tx, &kt, 3, None).await
    })
    .await
    .unwrap();
    let sweep = async || {
        let mut tx = world.queue().await;
        actions::sweep(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        world.action(id).await.status
    };
    assert_eq!(sweep().await, Status::InProgress);
    sqlx::query("update bulk_actions set created_at = created_at - interval '61 minutes'")
        .execute(&world.admin)
        .await
        .unwrap();
    assert_eq!(sweep().await, Status::Cancelled);
}

#[tokio::test]
async fn the_sweep_cancels_what_came_back_to_a_cancelled_action() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    act(&world, &kt, async |tx| actions::cancel(tx, &kt, id).await)
        .await
        .unwrap();
    assert_eq!(
        world.action(id).await.status,
        Status::InProgress,
        "two are running"
    );
    let pairs: Vec<_> = jobs.iter().map(|job| (job.id, job.dispatch_no)).collect();
    let back = domain::jobs::run::Back::Released {
        reason: "drain".into(),
    };
    let mut tx = world.queue().await;
    domain::jobs::run::put_back(&mut tx, &pairs, &back, std::time::Duration::ZERO)
        .await
        .unwrap();
    actions::sweep(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let action = world.action(id).await;
    assert_eq!(
        (action.status, world.in_state(id, State::Cancelled).await),
        (Status::Cancelled, 2)
    );
}

#[tokio::test]
async fn requests_for_a_result_are_checked_against_the_rows() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let success = async || {
        act(&world, &kt, async |tx| {
            actions::confirm_success(tx, &kt, id).await
        })
        .await
        .is_ok()
    };
    let fail = async || {
        act(&world, &kt, async |tx| {
            actions::confirm_failed(tx, &kt, id).await
        })
        .await
        .is_ok()
    };
    assert_eq!(
        (success().await, fail().await),
        (false, false),
        "in progress"
    );
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs[..1], |_| failed()).await;
    assert_eq!(
        (success().await, fail().await),
        (false, false),
        "one is running"
    );
    world.end(&jobs[1..], |_| Ending::Ok).await;
    assert_eq!((success().await, fail().await), (false, true));
    act(&world, &kt, async |tx| {
        actions::mark_done(tx, &kt, jobs[0].id, "Tehtud käsitsi.").await
    })
    .await
    .unwrap();
    assert_eq!((success().await, fail().await), (true, false));
}
