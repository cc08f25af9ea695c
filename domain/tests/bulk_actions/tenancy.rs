//! Another bureau's action is not there; the chamber's shows each bureau its own tasks; operators see and steer, launch nothing.
use domain::bulk_actions::{self as actions, Launch, Status, TaskFilter};
use domain::jobs::{Ending, Queue};
use domain::page::Page;
use domain::{Actor, Error};
use serde_json::json;

use crate::world::{World, act, failed};

async fn refused(
    world: &World,
    actor: &Actor,
    id: domain::ids::BulkActionId,
    task: domain::ids::JobId,
) -> Vec<String> {
    let name = |error: Error| format!("{error}");
    let launch = Launch::default();
    let mut told = Vec::new();
    let mut tx = world.reading(actor).await;
    told.push(actions::find(&mut tx, id).await.map(drop).map_err(name));
    told.push(
        actions::find_task(&mut tx, task)
            .await
            .map(drop)
            .map_err(name),
    );
    told.push(
        actions::freeze(&mut tx, actor, id, &launch)
            .await
            .map(drop)
            .map_err(name),
    );
    drop(tx);
    told.push(
        act(world, actor, async |tx| {
            actions::cancel(tx, actor, id).await
        })
        .await
        .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| {
            actions::retry(tx, actor, id, &[]).await.map(drop)
        })
        .await
        .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| actions::pause(tx, actor, id).await)
            .await
            .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| {
            actions::resume(tx, actor, id).await
        })
        .await
        .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| {
            actions::set_pace(tx, actor, id, actions::Pace::default()).await
        })
        .await
        .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| {
            actions::confirm_success(tx, actor, id).await
        })
        .await
        .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| {
            actions::confirm_failed(tx, actor, id).await
        })
        .await
        .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| {
            actions::retry_task(tx, actor, task).await
        })
        .await
        .map_err(name),
    );
    told.push(
        act(world, actor, async |tx| {
            actions::mark_done(tx, actor, task, "põhjus").await
        })
        .await
        .map_err(name),
    );
    told.into_iter()
        .map(|outcome| outcome.err().unwrap_or_else(|| "ok".into()))
        .collect()
}

#[tokio::test]
async fn another_bureaus_action_is_not_found() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    world.cases(world.b102, 2).await;
    let id = world.launch(&world.kt(), 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs, |_| failed()).await;
    let before: String = state(&world).await;
    assert_eq!(
        refused(&world, &world.kt2(), id, jobs[0].id).await,
        ["not found"; 12]
    );
    assert_eq!(state(&world).await, before, "nothing was changed");

    let kt2 = world.kt2();
    let mut tx = world.reading(&kt2).await;
    assert_eq!(
        actions::by_date(
            &mut tx,
            Page {
                limit: 14,
                offset: 0
            },
            26
        )
        .await
        .unwrap()
        .total,
        0
    );
    let counts = actions::count(&mut tx, &[id]).await.unwrap()[&id];
    assert_eq!(counts.total(), 0);
    assert!(
        actions::tasks_after(
            &mut tx,
            id,
            &TaskFilter::default(),
            domain::ids::JobId(0),
            10
        )
        .await
        .unwrap()
        .is_empty()
    );
}

#[tokio::test]
async fn a_bureau_sees_its_own_tasks_of_the_chambers_action_and_leaves_steering_to_it() {
    let world = World::new().await;
    world.cases(world.b101, 3).await;
    world.cases(world.b102, 2).await;
    let id = world.launch(&world.chamber(), 9, json!({})).await;
    for (actor, tasks) in [
        (world.kt(), 3),
        (world.kt2(), 2),
        (world.chamber(), 5),
        (world.operator(), 5),
    ] {
        let mut tx = world.reading(&actor).await;
        let counts = actions::count(&mut tx, &[id]).await.unwrap()[&id];
        let found = actions::tasks(
            &mut tx,
            id,
            &TaskFilter::default(),
            Page {
                limit: 25,
                offset: 0,
            },
            &counts,
        )
        .await
        .unwrap();
        assert_eq!(
            (counts.total(), found.rows.len()),
            (tasks, usize::try_from(tasks).unwrap())
        );
        let days = actions::by_date(
            &mut tx,
            Page {
                limit: 14,
                offset: 0,
            },
            26,
        )
        .await
        .unwrap();
        assert_eq!(
            (days.total, days.rows[0].total, days.rows[0].actions[0].id),
            (1, 1, id)
        );
    }
    let jobs = world.claim_all(Queue::Register).await;
    world.end(&jobs, |_| failed()).await;
    let own = jobs.iter().find(|job| job.tenant_id == world.b101).unwrap();
    let told = refused(&world, &world.kt(), id, own.id).await;
    assert_eq!(&told[..2], ["ok", "ok"]);
    assert!(told[2..].iter().all(|told| told == "forbidden"), "{told:?}");
    let foreign = jobs.iter().find(|job| job.tenant_id == world.b102).unwrap();
    assert_eq!(
        refused(&world, &world.kt(), id, foreign.id).await[1],
        "not found"
    );
}

#[tokio::test]
async fn an_operator_steers_all_and_launches_nothing() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let (dev, kt) = (world.operator(), world.kt());
    let id = world.launch(&kt, 3, json!({})).await;
    let mut tx = world.reading(&dev).await;
    assert!(matches!(
        actions::create(&mut tx, &dev, 3, None).await,
        Err(Error::Forbidden)
    ));
    assert!(matches!(
        actions::create(&mut tx, &dev, 77, None).await,
        Err(Error::Forbidden)
    ));
    assert!(matches!(
        actions::preview(&mut tx, &dev, 3, None, &json!({})).await,
        Err(Error::Forbidden)
    ));
    drop(tx);
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs, |_| failed()).await;
    act(&world, &dev, async |tx| {
        actions::retry_task(tx, &dev, jobs[0].id).await
    })
    .await
    .unwrap();
    let again = world.claim_all(Queue::Bulk).await;
    world.end(&again, |_| Ending::Ok).await;
    act(&world, &dev, async |tx| {
        actions::mark_done(tx, &dev, jobs[1].id, "kontrollitud").await
    })
    .await
    .unwrap();
    assert_eq!(world.action(id).await.status, Status::Ok);
    let id = world.launch(&kt, 3, json!({})).await;
    act(&world, &dev, async |tx| actions::pause(tx, &dev, id).await)
        .await
        .unwrap();
    act(&world, &dev, async |tx| actions::cancel(tx, &dev, id).await)
        .await
        .unwrap();
    assert_eq!(world.action(id).await.status, Status::Cancelled);
}

#[tokio::test]
async fn the_chamber_steers_a_bureaus_action_and_adds_no_cases_to_it() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    world.cases(world.b102, 2).await;
    let (koda, kt) = (world.chamber(), world.kt());
    let id = act(&world, &kt, async |tx| {
        actions::create(tx, &kt, 3, None).await
    })
    .await
    .unwrap();
    let outcome = act(&world, &koda, async |tx| {
        actions::freeze(tx, &koda, id, &Launch::default()).await
    })
    .await;
    assert!(matches!(outcome, Err(Error::Forbidden)));
    act(&world, &kt, async |tx| {
        actions::freeze(tx, &kt, id, &Launch::default()).await
    })
    .await
    .unwrap();
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs, |_| failed()).await;
    act(&world, &koda, async |tx| {
        actions::retry(tx, &koda, id, &[]).await
    })
    .await
    .unwrap();
    act(&world, &koda, async |tx| {
        actions::cancel(tx, &koda, id).await
    })
    .await
    .unwrap();
    assert_eq!(world.action(id).await.status, Status::Cancelled);
}

/// A digest of everything an act could have changed.
async fn state(world: &World) -> String {
    sqlx::query_scalar(
        "select md5((select string_agg(j::text, ';' order by j.id) from jobs j) || (select string_agg(a::text, ';' order by a.id)
                    from bulk_actions a) || (select count(*) from audit)::text)",
    )
    .fetch_one(&world.admin)
    .await
    .unwrap()
}
