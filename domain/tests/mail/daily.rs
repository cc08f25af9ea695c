//! The daily digest: whose day, which day, and once.
use chrono::{DateTime, TimeDelta, Utc};
use domain::clock;
use domain::ids::UserId;
use domain::mail::{self, Ended, Kind, digest, send_daily_digests};
use domain::{Error, Scope, db};

use crate::world::World;
use crate::{deliver, mails, person, role};

/// What ended in both bureaus around the days' bounds in Estonia.
async fn ended(world: &World, user: i64) {
    for (at, tenant) in [
        ("2026-11-27T21:59:59Z", world.b101), // the day before
        ("2026-11-27T22:00:00Z", world.b101),
        ("2026-11-28T21:59:59Z", world.b102),
        ("2026-11-28T22:00:00Z", world.b101), // the day after
    ] {
        let at: DateTime<Utc> = at.parse().unwrap();
        sqlx::query(
            "with action as (
               insert into bulk_actions (tenant_id, type, status, created_by, created_by_role, finished_at) values ($1, 3, 3, $2, 'KT', $3)
             ), import as (
               insert into imports (tenant_id, type, file_key, file_name, file_bytes, created_by, status, finished_at)
               values ($1, 'taavi', 'x', 'x.csv', 1, $2, 2, $3)
             ), act as (
               insert into operator_actions (tenant_id, kind, status, filter, total, created_by, created_by_role, finished_at)
               values ($1, 'retry', 5, '{}', 1, $2, 'KT', $3)
             )
             insert into jobs (tenant_id, queue, kind, state, error_code, output, started_at, finished_at)
             values ($1, 'register', 'SyncToRegister', 'failed', 'tarn', 'Register keeldus.', $3, $3)",
        )
        .bind(tenant.0)
        .bind(user)
        .bind(at)
        .execute(&world.admin)
        .await
        .unwrap();
    }
    // The chamber's action over cases of one bureau is of that bureau's day too.
    sqlx::query(
        "with action as (
           insert into bulk_actions (tenant_id, type, status, created_by, created_by_role, finished_at)
           values ($1, 3, 2, $2, 'koda', '2026-11-28T10:00Z') returning id
         )
         insert into bulk_action_bureaus (action_id, tenant_id, tasks) select id, $3, 1 from action",
    )
    .bind(world.koda.0)
    .bind(user)
    .bind(world.b101.0)
    .execute(&world.admin)
    .await
    .unwrap();
    domain::testing::group_failures(&world.admin).await.unwrap();
}

#[tokio::test]
async fn a_day_is_estonia_s_and_a_bureau_sees_its_own() {
    let world = World::new().await;
    let (bailiff, both, chamber) = (
        person(&world, "anu").await,
        person(&world, "mitu").await,
        person(&world, "kersti").await,
    );
    role(&world, bailiff, world.b101, "KT").await;
    role(&world, both, world.b101, "KT").await;
    role(&world, both, world.b102, "KT").await;
    role(&world, chamber, world.koda, "koda").await;
    ended(&world, bailiff).await;
    let day = "2026-11-28".parse().unwrap();
    let now = "2026-11-29T05:00:00Z".parse().unwrap();
    let mut tx = world.queue().await;
    for (user, count, bureaus) in [(bailiff, 1, 1), (both, 2, 2), (chamber, 2, 0)] {
        let facts = digest(&mut tx, UserId(user), day, now).await.unwrap();
        assert_eq!(facts.bureaus.len(), bureaus);
        let chamber_s = Ended {
            status: 2,
            count: 1,
        };
        assert_eq!(facts.bulk_actions, [chamber_s, Ended { status: 3, count }]);
        assert_eq!(facts.imports, [Ended { status: 2, count }]);
        assert_eq!(facts.operator_actions, [Ended { status: 5, count }]);
        assert_eq!(facts.failed_jobs, count);
        let errors: Vec<_> = facts
            .errors
            .iter()
            .map(|e| (e.words.as_str(), e.count))
            .collect();
        assert_eq!(errors, [("Register keeldus.", count)]);
    }
    let early = now - TimeDelta::hours(8);
    let refused = digest(&mut tx, UserId(chamber), day, early).await;
    assert!(
        matches!(refused, Err(Error::Refused { .. })),
        "the day is not over"
    );
}

#[tokio::test]
async fn a_role_that_has_ended_is_told_nothing_more() {
    let world = World::new().await;
    let (left, chamber) = (person(&world, "anu").await, person(&world, "kersti").await);
    role(&world, left, world.b101, "KT").await;
    role(&world, left, world.b102, "KT").await;
    role(&world, chamber, world.koda, "koda").await;
    let tell = async |object: i64| {
        let mut tx = world.queue().await;
        for tenant in [world.b101, world.b102] {
            let notice = mail::Notice {
                kind: Kind::BulkAction,
                object: ("BulkAction", object + tenant.0),
                run: 1,
                tenant,
                facts: serde_json::json!({}),
            };
            mail::notify(&mut tx, &notice, &[UserId(left), UserId(chamber)])
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        deliver(&world, clock::now()).await;
    };
    tell(1_000).await;
    let count = async |user| mails(&world, user).await.len();
    assert_eq!((count(left).await, count(chamber).await), (2, 2));
    sqlx::query(
        "update user_roles set ended_at = clock_timestamp() where user_id = $1 and tenant_id = $2",
    )
    .bind(left)
    .bind(world.b101.0)
    .execute(&world.admin)
    .await
    .unwrap();
    // Made before, sent after: neither; nor is what comes later.
    let ids: Vec<(i64, i64)> =
        sqlx::query_as("select m.id, j.tenant_id from mails m join jobs j on j.id = m.job_id where m.user_id = $1 order by m.id")
            .bind(left)
            .fetch_all(&world.admin)
            .await
            .unwrap();
    let mut tx = world.queue().await;
    for (id, tenant) in ids {
        let letter = mail::letter(&mut tx, domain::ids::MailId(id))
            .await
            .unwrap();
        let has_address = letter.unwrap().to.email.is_some();
        assert_eq!(has_address, tenant == world.b102.0);
    }
    drop(tx);
    tell(2_000).await;
    assert_eq!((count(left).await, count(chamber).await), (3, 4));
}

#[tokio::test]
async fn who_wants_it_gets_one_a_day() {
    let world = World::new().await;
    let (wants, not) = (person(&world, "anu").await, person(&world, "peeter").await);
    role(&world, wants, world.b101, "KT").await;
    role(&world, not, world.b101, "KT").await;
    let actor = domain::Actor {
        user_id: UserId(wants),
        ..world.kt()
    };
    let mut tx = db::begin(&world.api, Scope::Auth).await.unwrap();
    mail::save_preferences(&mut tx, &actor, &[(Kind::DailyDigest, true)])
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let send = async |now: DateTime<Utc>| {
        let mut tx = world.queue().await;
        assert_eq!(send_daily_digests(&mut tx, now).await.unwrap(), 1);
        tx.commit().await.unwrap();
        deliver(&world, clock::now()).await;
        (
            mails(&world, wants).await.len(),
            mails(&world, not).await.len(),
        )
    };
    let morning: DateTime<Utc> = "2026-11-29T05:00:00Z".parse().unwrap();
    assert_eq!(send(morning).await, (1, 0));
    assert_eq!(
        send(morning + TimeDelta::hours(5)).await,
        (1, 0),
        "the same day"
    );
    assert_eq!(send(morning + TimeDelta::hours(24)).await, (2, 0));
}
