//! How actions move, as each reader sees it.
use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::now;
use domain::ids::{BulkActionId, OperatorActionId, TenantId};
use domain::movement::{self, Bar, Movement, Of, Second};
use domain::{Actor, Scope, db};

use crate::world::World;

fn second(at: DateTime<Utc>, done: i64, failed: i64) -> Second {
    Second { at, done, failed }
}

async fn told(world: &World, actor: &Actor, of: Of, left: i64, at: DateTime<Utc>) -> Movement {
    let mut tx = world.reading(actor).await;
    movement::read(&mut tx, of, left, at).await.unwrap()
}

/// What two processes write of one second adds up, and a bureau sees its own part of the chamber's action.
#[tokio::test]
async fn a_bureau_sees_how_its_own_jobs_move() {
    let world = World::new().await;
    let action = BulkActionId(7);
    let start = DateTime::from_timestamp(now().timestamp() / 5 * 5 - 20, 0).unwrap();
    let at = |seconds: i64| start + TimeDelta::seconds(seconds);
    let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
    for (tenant, seconds) in [
        (
            world.b101,
            vec![
                second(at(0), 3, 0),
                second(at(5), 2, 1),
                second(at(9), 6, 0),
            ],
        ),
        (world.b102, vec![second(at(9), 12, 0)]),
        (world.b101, vec![second(at(9), 0, 3)]),
    ] {
        let ended: Vec<_> = seconds
            .into_iter()
            .map(|one| (action, tenant, one))
            .collect();
        movement::add(&mut tx, &ended).await.unwrap();
    }
    tx.commit().await.unwrap();
    let bars = |all: &[(i64, i64)]| -> Vec<Bar> {
        all.iter()
            .map(|(done, failed)| Bar {
                done: *done,
                failed: *failed,
            })
            .collect()
    };
    let own = told(&world, &world.kt(), Of::Bulk(action), 30, at(10)).await;
    assert_eq!(
        own,
        Movement {
            per_minute: Some(90),
            left_seconds: Some((16, 24)),
            last_at: Some(at(9)),
            bars: bars(&[(3, 0), (8, 4)]),
        }
    );
    let all = told(&world, &world.chamber(), Of::Bulk(action), 30, at(10)).await;
    assert_eq!(
        (all.per_minute, all.bars),
        (Some(162), bars(&[(3, 0), (20, 4)]))
    );
    let theirs = told(&world, &world.kt2(), Of::Bulk(action), 30, at(10)).await;
    assert_eq!(
        (theirs.per_minute, theirs.bars),
        (None, bars(&[(12, 0)])),
        "one sample is no pace"
    );
    let other = told(
        &world,
        &world.chamber(),
        Of::Operator(OperatorActionId(7)),
        30,
        at(10),
    )
    .await;
    assert_eq!(other, Movement::default());
}

/// What is old goes, the last second of each stays for a week: since then nothing has moved.
#[tokio::test]
async fn the_last_second_is_remembered() {
    let world = World::new().await;
    let started = now();
    let last = |minutes: i64| {
        DateTime::from_timestamp((started - TimeDelta::minutes(minutes)).timestamp(), 0).unwrap()
    };
    let mut tx = db::begin(&world.jobs, Scope::Queue).await.unwrap();
    let mut ended = Vec::new();
    for (id, ages) in [(1, vec![5, 30]), (2, vec![20, 30]), (3, vec![20_000])] {
        ended.extend(ages.iter().map(|age| {
            (
                BulkActionId(id),
                TenantId(world.b101.0),
                second(last(*age), 1, 0),
            )
        }));
    }
    movement::add(&mut tx, &ended).await.unwrap();
    movement::forget(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let left: Vec<(i64, i64)> =
        sqlx::query_as("select id, count(*) from movements group by 1 order by 1")
            .fetch_all(&world.admin)
            .await
            .unwrap();
    assert_eq!(left, [(1, 1), (2, 1)]);
    let still = told(&world, &world.kt(), Of::Bulk(BulkActionId(2)), 9, now()).await;
    assert_eq!((still.per_minute, still.last_at), (None, Some(last(20))));
}
