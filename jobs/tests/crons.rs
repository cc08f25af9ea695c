//! Jobs that the clock orders, from their row to their end.
use std::time::Duration;

use domain::jobs::{Kind, NewJob, Queue, enqueue};
use domain::testing::Database;
use domain::{Scope, bureaus, db};
use jobs::process::{self, Settings};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn sessions_expire_old_tasks_go_to_the_archive_and_a_day_is_told() {
    let db = Database::new().await;
    let admin = db.admin();
    sqlx::raw_sql(
        "insert into users (username, username_key, name) values ('a', 'a', 'A');
         insert into sessions (id, user_id, cookie_hash, expires_at, ended_at)
         select gen_random_uuid(), u.id, '', clock_timestamp() + d * interval '1 day', case when d = 2 then clock_timestamp() end
         from users u, unnest(array[-40, -1, 1, 2]) d;
         insert into session_tokens (hash, session_id, expires_at)
         select sha256(convert_to(id::text, 'UTF8')), id, clock_timestamp() + interval '15 minutes' from sessions;
         insert into login_failures (key, failures, last_at, blocked_until)
         select 'user:' || d, 1, now() - d * interval '1 day', now() from unnest(array[0, 2]) d;
         insert into jobs (tenant_id, bulk_action_id, queue, kind, state, created_at, finished_at)
         select 1, case when n <= 10 then 7 end, 'bulk', 'ComputeIssuerFee', 'ok',
                clock_timestamp() - interval '91 days', clock_timestamp() - interval '91 days'
         from generate_series(1, 12) n",
    )
    .execute(&admin)
    .await
    .expect("history");
    let pool = db.pool("scheduler");
    let mut tx = db::begin(&pool, Scope::Queue).await.expect("begun");
    let chamber = bureaus::chamber(&mut tx).await.expect("the chamber");
    for kind in [Kind::ExpireSessions, Kind::ArchiveTasks] {
        enqueue(&mut tx, &NewJob::new(kind, chamber))
            .await
            .expect("enqueued");
    }
    // Of a day that its run comes late for.
    let digest = enqueue(&mut tx, &NewJob::new(Kind::SendDailyDigests, chamber))
        .await
        .expect("enqueued");
    tx.commit().await.expect("committed");
    sqlx::query(
        "with reader as (
           insert into mail_preferences (user_id, kind, wanted) select id, 'daily_digest', true from users
         ), role as (
           insert into user_roles (user_id, tenant_id, role) select u.id, b.id, 'koda' from users u, bureaus b where b.is_chamber
         )
         insert into cron_runs (cron, scheduled_at, job_id) values ('send-daily-digests', '2026-11-02T05:30Z', $1)",
    )
    .bind(digest.0)
    .execute(&admin)
    .await
    .expect("a reader");

    let settings = Settings {
        database: db.options().username("toimik_jobs"),
        redis_url: std::env::var("REDIS_URL").expect("REDIS_URL names a Redis for tests"),
        redis_prefix: format!("test-{}", db.name),
        concurrency: vec![(Queue::Cron, 1)],
        registers: registers::Config::new("http://127.0.0.1:9/xroad").expect("a URL"),
        store: std::sync::Arc::new(object_store::memory::InMemory::new()),
        mail: jobs::mail::Config::to_files(),
        webhooks: jobs::webhook::Config::default(),
        drain: Duration::from_millis(200),
        status: None,
    };
    let stop = CancellationToken::new();
    let process = tokio::spawn(process::run(settings, stop.clone()));
    let ended = async {
        loop {
            let outputs: Vec<String> = sqlx::query_scalar(
                "select state::text || ': ' || output from jobs where queue = 'cron' and finished_at is not null order by id",
            )
            .fetch_all(&admin)
            .await
            .expect("outputs");
            if outputs.len() == 3 {
                return outputs;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let outputs = tokio::time::timeout(Duration::from_secs(60), ended)
        .await
        .expect("all end");
    stop.cancel();
    process.await.expect("no panic").expect("an orderly end");
    assert_eq!(
        outputs,
        [
            "ok: Lõppenud seansside lubasid kustutatud: 3.",
            "ok: Arhiivi viidud või kustutatud vanu töid: 12.",
            "ok: Päeva kokkuvõtte soovijaid: 1."
        ]
    );
    let day: String = sqlx::query_scalar("select facts ->> 'day' from notices")
        .fetch_one(&admin)
        .await
        .expect("a digest");
    assert_eq!(day, "2026-11-01");
    for (what, sql, expected) in [
        ("sessions", "select count(*) from sessions", 3),
        (
            "tokens of the one that lives",
            "select count(*) from session_tokens",
            1,
        ),
        (
            "failures of today",
            "select count(*) from login_failures",
            1,
        ),
        ("archived", "select count(*) from job_archive", 10),
        ("left", "select count(*) from jobs where queue = 'bulk'", 0),
    ] {
        let count: i64 = sqlx::query_scalar(sql)
            .fetch_one(&admin)
            .await
            .expect("a count");
        assert_eq!(count, expected, "{what}");
    }
}
