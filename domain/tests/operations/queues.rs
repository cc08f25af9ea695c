//! How queues stand and stood, for each reader's own eyes.
use chrono::TimeDelta;
use domain::Actor;
use domain::clock::now;
use domain::jobs::Queue;
use domain::queues::{self, Count, State};
use serde_json::json;

use crate::world::World;

async fn bulk(world: &World, actor: &Actor) -> State {
    let mut tx = world.reading(actor).await;
    let states = queues::states(&mut tx, now()).await.unwrap();
    assert_eq!(states.len(), Queue::ALL.len());
    states
        .into_iter()
        .find(|state| state.queue == Queue::Bulk)
        .unwrap()
}

#[tokio::test]
async fn each_reader_counts_his_own() {
    let world = World::new().await;
    sqlx::query(
        "insert into jobs (tenant_id, queue, kind, state, run_at, failures, bulk_action_id)
         select $1, 'bulk', 'TouchCase', s.state::job_state, now() + s.wait, s.failures, s.action
         from (values ('queued', interval '-10 min', 0, 1), ('queued', interval '1 hour', 2, 1), ('dispatched', interval '0', 0, 1),
                      ('running', interval '0', 0, null), ('ok', interval '0', 0, null)) s (state, wait, failures, action)",
    )
    .bind(world.b101.0)
    .execute(&world.admin)
    .await
    .unwrap();
    sqlx::query("insert into jobs (tenant_id, queue, kind) values ($1, 'bulk', 'TouchCase')")
        .bind(world.b102.0)
        .execute(&world.admin)
        .await
        .unwrap();
    let own = bulk(&world, &world.kt()).await;
    assert_eq!(
        (own.waiting, own.retrying, own.running),
        (Count::Exact(3), Count::Exact(1), 1)
    );
    assert_eq!((own.bureaus, own.actions), (1, 1));
    let due = now() - own.oldest_due_at.unwrap();
    assert!(
        (TimeDelta::minutes(9)..TimeDelta::minutes(12)).contains(&due),
        "{due}"
    );
    let all = bulk(&world, &world.chamber()).await;
    assert_eq!((all.waiting, all.bureaus), (Count::Exact(4), 2));
    assert_eq!(bulk(&world, &world.kt2()).await.waiting, Count::Exact(1));
    assert_eq!(
        bulk(&world, &world.kt()).await.drain_seconds(),
        None,
        "nothing was done lately"
    );
}

#[tokio::test]
async fn counting_stops_and_says_so() {
    let world = World::new().await;
    sqlx::query("insert into jobs (tenant_id, queue, kind) select $1, 'bulk', 'TouchCase' from generate_series(1, 10001)")
        .bind(world.b101.0)
        .execute(&world.admin)
        .await
        .unwrap();
    assert_eq!(
        bulk(&world, &world.kt()).await.waiting,
        Count::AtLeast(10_000)
    );
    let mut tx = world.queue().await;
    queues::count_depths(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(
        bulk(&world, &world.kt()).await.waiting,
        Count::About(10_001)
    );
}

#[tokio::test]
async fn what_a_pause_holds_is_not_what_should_move() {
    let world = World::new().await;
    world.cases(world.b101, 3).await;
    let action = world.launch(&world.kt(), 3, json!({})).await;
    let state = bulk(&world, &world.kt()).await;
    assert!(state.oldest_due_at.is_some());
    assert_eq!(state.oldest_free_at, state.oldest_due_at);
    for (hold, free) in [
        (
            "update bulk_actions set paused_at = now() where id = $1",
            "update bulk_actions set paused_at = null where id = $1",
        ),
        (
            "insert into pauses (kind, reason, created_by) select 'ComputeIssuerFee', 'proov', min(id) from users where $1 > 0",
            "update pauses set ended_at = now() where $1 > 0",
        ),
        (
            "insert into pauses (tenant_id, reason, created_by) select tenant_id, 'proov', created_by from bulk_actions where id = $1",
            "update pauses set ended_at = now() where $1 > 0",
        ),
    ] {
        for (sql, held) in [(hold, true), (free, false)] {
            sqlx::query(sql)
                .bind(action.0)
                .execute(&world.admin)
                .await
                .unwrap();
            let state = bulk(&world, &world.kt()).await;
            assert!(state.oldest_due_at.is_some());
            assert_eq!(state.oldest_free_at.is_none(), held, "{sql}");
        }
    }
}

#[tokio::test]
async fn the_past_is_told_in_steps_with_percentiles() {
    let world = World::new().await;
    let at = now() - TimeDelta::minutes(30);
    for tenant in [world.b101, world.b102] {
        // Nine of ten ran 8 to 16 ms, one about four seconds.
        sqlx::query(
            "insert into queue_minutes (minute, queue, kind, tenant_id, ok, failed, run_hist, wait_hist)
             values (date_trunc('minute', $1::timestamptz), 'bulk', 'TouchCase', $2, 9, 1, '{0,0,0,9,0,0,0,0,0,0,0,1}', '{10}')",
        )
        .bind(at)
        .bind(tenant.0)
        .execute(&world.admin)
        .await
        .unwrap();
    }
    for (actor, done) in [(world.kt(), 9), (world.chamber(), 18)] {
        let mut tx = world.reading(&actor).await;
        let (step, points) = queues::series(
            &mut tx,
            Queue::Bulk,
            None,
            now() - TimeDelta::hours(1),
            now(),
        )
        .await
        .unwrap();
        assert_eq!(step, 60);
        assert!((60..=61).contains(&points.len()), "{}", points.len());
        let told: Vec<_> = points.iter().filter(|point| point.ok > 0).collect();
        assert_eq!(told.len(), 1);
        assert_eq!((told[0].ok, told[0].failed), (done, done / 9));
        assert!(
            (8..=16).contains(&told[0].run.p50_ms.unwrap()),
            "{:?}",
            told[0]
        );
        assert!(
            (2_048..=4_096).contains(&told[0].run.p95_ms.unwrap()),
            "{:?}",
            told[0]
        );
        assert!(told[0].wait.p95_ms.unwrap() <= 2);
    }
    let mut tx = world.reading(&world.kt()).await;
    for (from, to) in [
        (now(), now() - TimeDelta::hours(1)),
        (now() - TimeDelta::days(92), now()),
    ] {
        assert!(
            queues::series(&mut tx, Queue::Bulk, None, from, to)
                .await
                .is_err()
        );
    }
}
