//! Acts of a person: cancel, pause, pace, retry of one task, mark as done; refusals and races.
use domain::bulk_actions::{self as actions, Pace, Status};
use domain::jobs::{Ending, Queue, State};
use domain::{Error, Result};
use serde_json::json;

use crate::world::{World, act, failed};

fn code<T: std::fmt::Debug>(outcome: Result<T>) -> String {
    match outcome {
        Err(Error::Refused { code, .. }) => code.into(),
        Err(Error::Invalid(violations)) => format!("422 {}", violations[0].path),
        Err(Error::NotFound) => "404".into(),
        Err(Error::Forbidden) => "403".into(),
        Ok(_) => "ok".into(),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn cancel_ends_what_waits_and_leaves_what_runs() {
    let world = World::new().await;
    world.cases(world.b101, 5).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    // Two go back: one waits, one is on its way.
    sqlx::query("update jobs set state = case when id % 2 = 0 then 'queued' else 'dispatched' end::job_state where id = any($1)")
        .bind(jobs[3..].iter().map(|job| job.id.0).collect::<Vec<_>>())
        .execute(&world.admin)
        .await
        .unwrap();
    act(&world, &kt, async |tx| actions::cancel(tx, &kt, id).await)
        .await
        .unwrap();
    let action = world.action(id).await;
    assert!(action.cancelled_at.is_some() && action.status == Status::InProgress);
    assert_eq!(
        (
            world.in_state(id, State::Cancelled).await,
            world.in_state(id, State::Running).await
        ),
        (2, 3)
    );
    assert_eq!(
        code(act(&world, &kt, async |tx| actions::cancel(tx, &kt, id).await).await),
        "not_in_progress"
    );
    world
        .end(&jobs[..3], |n| {
            if n == 0 {
                Ending::Ok
            } else {
                Ending::Cancelled
            }
        })
        .await;
    assert_eq!(world.action(id).await.status, Status::Cancelled);
    assert_eq!(
        code(
            act(&world, &kt, async |tx| actions::retry(tx, &kt, id, &[])
                .await)
            .await
        ),
        "not_retriable"
    );
    assert_eq!(
        code(
            act(&world, &kt, async |tx| actions::retry_task(
                tx, &kt, jobs[4].id
            )
            .await)
            .await
        ),
        "not_retriable"
    );
    assert_eq!(world.audited("cancel", id.0).await, 1);
}

#[tokio::test]
async fn steps_cannot_be_skipped() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let tasks = world.tasks_of(id).await;
    let done = async |task, reason: &str| {
        code(
            act(&world, &kt, async |tx| {
                actions::mark_done(tx, &kt, task, reason).await
            })
            .await,
        )
    };
    let retry = async |statuses: &[Status]| {
        code(
            act(&world, &kt, async |tx| {
                actions::retry(tx, &kt, id, statuses).await
            })
            .await,
        )
    };
    assert_eq!(done(tasks[0], "põhjus").await, "not_failed");
    assert_eq!(retry(&[]).await, "not_retriable");
    let jobs = world.claim_all(Queue::Bulk).await;
    assert_eq!(done(tasks[0], "põhjus").await, "not_failed");
    world
        .end(&jobs, |n| if n == 0 { failed() } else { Ending::Ok })
        .await;
    assert_eq!(done(tasks[1], "põhjus").await, "not_failed");
    assert_eq!(done(tasks[0], "  ").await, "422 reason");
    assert_eq!(done(tasks[0], "nul \0").await, "422 reason");
    assert_eq!(retry(&[Status::Ok]).await, "422 status");
    assert_eq!(retry(&[Status::Warning]).await, "nothing_to_retry");
    assert_eq!(done(tasks[0], "Tehtud käsitsi.").await, "ok");
    assert_eq!(world.action(id).await.status, Status::Ok);
    assert_eq!(world.audited("mark_done", tasks[0].0).await, 1);
    assert_eq!(done(domain::ids::JobId(i64::MAX), "põhjus").await, "404");
}

#[tokio::test]
async fn one_task_is_retried_ahead_of_others() {
    let world = World::new().await;
    world.cases(world.b101, 3).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world
        .end(&jobs, |n| if n == 2 { failed() } else { Ending::Ok })
        .await;
    act(&world, &kt, async |tx| {
        actions::retry_task(tx, &kt, jobs[2].id).await
    })
    .await
    .unwrap();
    let (priority, state): (i16, State) =
        sqlx::query_as("select priority, state from jobs where id = $1")
            .bind(jobs[2].id.0)
            .fetch_one(&world.admin)
            .await
            .unwrap();
    assert_eq!((priority, state), (1, State::Queued));
    assert_eq!(world.action(id).await.status, Status::InProgress);
    let again = world.claim_all(Queue::Bulk).await;
    world.end(&again, |_| Ending::Ok).await;
    assert_eq!(world.action(id).await.status, Status::Ok);
}

#[tokio::test]
async fn pause_returns_what_is_on_its_way_and_resume_goes_on() {
    let world = World::new().await;
    world.cases(world.b101, 3).await;
    let kt = world.kt();
    let id = world.launch(&kt, 3, json!({})).await;
    sqlx::query("update jobs set state = 'dispatched', dispatch_no = 1")
        .execute(&world.admin)
        .await
        .unwrap();
    act(&world, &kt, async |tx| actions::pause(tx, &kt, id).await)
        .await
        .unwrap();
    assert_eq!(world.in_state(id, State::Queued).await, 3);
    assert_eq!(
        code(act(&world, &kt, async |tx| actions::pause(tx, &kt, id).await).await),
        "already_paused"
    );
    let pace = Pace {
        per_second: Some(5),
        parallel: Some(2),
    };
    act(&world, &kt, async |tx| {
        actions::set_pace(tx, &kt, id, pace).await
    })
    .await
    .unwrap();
    let action = world.action(id).await;
    assert_eq!(
        (
            action.per_second,
            action.parallel,
            action.paused_at.is_some()
        ),
        (Some(5), Some(2), true)
    );
    for (per_second, path) in [
        (0, "422 perSecond"),
        (-1, "422 perSecond"),
        (100_001, "422 perSecond"),
    ] {
        let wrong = Pace {
            per_second: Some(per_second),
            parallel: None,
        };
        assert_eq!(
            code(
                act(&world, &kt, async |tx| actions::set_pace(
                    tx, &kt, id, wrong
                )
                .await)
                .await
            ),
            path
        );
    }
    act(&world, &kt, async |tx| actions::resume(tx, &kt, id).await)
        .await
        .unwrap();
    assert_eq!(
        code(act(&world, &kt, async |tx| actions::resume(tx, &kt, id).await).await),
        "not_paused"
    );
    for act in ["pause", "resume", "pace"] {
        assert_eq!(world.audited(act, id.0).await, 1);
    }
}

#[tokio::test]
async fn of_two_who_settle_one_task_one_wins() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let kt = world.kt();
    for _ in 0..10 {
        let id = world.launch(&kt, 3, json!({})).await;
        let jobs = world.claim_all(Queue::Bulk).await;
        world.end(&jobs, |_| failed()).await;
        let task = jobs[0].id;
        let (done, retried) = tokio::join!(
            act(&world, &kt, async |tx| actions::mark_done(
                tx, &kt, task, "käsitsi"
            )
            .await),
            act(&world, &kt, async |tx| actions::retry_task(tx, &kt, task)
                .await),
        );
        assert_eq!(
            [done.is_ok(), retried.is_ok()]
                .iter()
                .filter(|won| **won)
                .count(),
            1
        );
        let action = world.action(id).await;
        if done.is_ok() {
            assert_eq!(
                (action.status, world.in_state(id, State::Ok).await),
                (Status::Ok, 1)
            );
        } else {
            assert_eq!(
                (action.status, world.in_state(id, State::Queued).await),
                (Status::InProgress, 1)
            );
            let jobs = world.claim_all(Queue::Bulk).await;
            assert_eq!(jobs.len(), 1);
            world.end(&jobs, |_| Ending::Ok).await;
        }
    }
}

#[tokio::test]
async fn cancel_against_finish_loses_no_task() {
    let world = World::new().await;
    world.cases(world.b101, 20).await;
    let kt = world.kt();
    for round in 0..10 {
        let id = world.launch(&kt, 3, json!({})).await;
        let jobs = world.claim_all(Queue::Bulk).await;
        let (half, rest) = jobs.split_at(round * 2);
        sqlx::query("update jobs set state = 'dispatched' where id = any($1)")
            .bind(rest.iter().map(|job| job.id.0).collect::<Vec<_>>())
            .execute(&world.admin)
            .await
            .unwrap();
        tokio::join!(
            async {
                act(&world, &kt, async |tx| actions::cancel(tx, &kt, id).await)
                    .await
                    .unwrap()
            },
            world.end(half, |_| Ending::Ok),
        );
        world.close(&jobs).await;
        let action = world.action(id).await;
        let (ok, cancelled) = (
            world.in_state(id, State::Ok).await,
            world.in_state(id, State::Cancelled).await,
        );
        assert_eq!(
            (ok + cancelled, action.status),
            (20, Status::Cancelled),
            "round {round}"
        );
    }
}
