//! What the processes ask again and again never reads the table of jobs from end to end, whatever its statistics say.
use chrono::TimeDelta;
use domain::db::{self, Scope};
use domain::ids::{BulkActionId, JobId, TenantId};
use domain::jobs::dispatch;
use domain::jobs::run::{self, Back, Ending, Outcome};
use domain::jobs::{Queue, sweep, workers};
use domain::leases::{self, Name};
use domain::{bulk_actions, crons, imports, queues};
use sqlx::PgConnection;
use std::time::Duration;

use crate::Ground;

/// Times that this transaction read all jobs.
async fn whole_reads(conn: &mut PgConnection) -> i64 {
    sqlx::query_scalar("select seq_scan from pg_stat_xact_user_tables where relname = 'jobs'")
        .fetch_one(conn)
        .await
        .expect("statistics")
}

/// 120,000 ended tasks of four actions, 60,000 waiting ones of a fifth, five of a sixth.
async fn long_history() -> Ground {
    let ground = Ground::new().await;
    sqlx::raw_sql(
        "insert into users (id, username, username_key, name) overriding system value values (1, 'keegi', 'keegi', 'Keegi');
         insert into bulk_actions (id, tenant_id, type, created_by, created_by_role, cases_frozen_at) overriding system value
         select n, (select min(id) from bureaus), 3, 1, 'KT', now() from generate_series(1, 6) n;
         insert into jobs (tenant_id, bulk_action_id, queue, kind, state, finished_at)
         select 1, 1 + n % 4, 'bulk', 'ComputeIssuerFee', 'ok', now() from generate_series(1, 120000) n;
         insert into jobs (tenant_id, bulk_action_id, queue, kind)
         select 1, case when n <= 60000 then 5 else 6 end, 'bulk', 'ComputeIssuerFee' from generate_series(1, 60005) n;
         insert into imports (tenant_id, type, file_key, file_name, file_bytes, created_by, job_id)
         select 1, 'taavi', n, 'x.csv', 1, 1, n from generate_series(1, 40) n;
         analyze",
    )
    .execute(&ground.admin)
    .await
    .expect("history");
    ground
}

#[tokio::test]
async fn what_processes_ask_never_reads_all_jobs() {
    let ground = long_history().await;
    let mut tx = ground.queue.begin().await.expect("a transaction");
    let conn = &mut *tx;
    let mut asked = Vec::new();
    let mut note = async |what: &'static str, conn: &mut PgConnection| {
        asked.push((what, whole_reads(conn).await));
    };
    dispatch::waiting(conn, &Queue::ALL).await.expect("waiting");
    note("waiting", conn).await;
    let steering = dispatch::steering(conn).await.expect("steering");
    note("steering", conn).await;
    let mut pairs = Vec::new();
    for _ in 0..2 {
        let bundles = dispatch::pick(conn, Queue::Bulk, 500, &steering, &[]).await;
        pairs = bundles
            .expect("a pick")
            .into_iter()
            .flat_map(|b| b.pairs)
            .collect();
    }
    assert_eq!(pairs.len(), 500);
    note("pick", conn).await;
    let worker = workers::register(conn, "here", "here", 1, &Queue::ALL.map(|queue| (queue, 4)))
        .await
        .expect("a worker");
    let claimed = run::claim(conn, worker, &pairs).await.expect("a claim");
    assert_eq!(claimed.len(), 500);
    note("claim", conn).await;
    run::mark_started(conn, BulkActionId(5))
        .await
        .expect("started");
    let ids: Vec<i64> = pairs.iter().map(|(JobId(id), _)| *id).collect();
    run::renew(conn, worker, &ids).await.expect("renewed");
    note("renew", conn).await;
    let outcomes: Vec<Outcome> = claimed[..400]
        .iter()
        .map(|job| Outcome::new(job, Ending::Ok, ""))
        .collect();
    run::finish(conn, &outcomes).await.expect("ends");
    note("finish", conn).await;
    run::put_back(conn, &pairs[400..], &Back::BrokenOff, Duration::ZERO)
        .await
        .expect("put back");
    note("put back", conn).await;
    bulk_actions::close_finished(conn, &(1..=6).map(BulkActionId).collect::<Vec<_>>())
        .await
        .expect("closed");
    note("close", conn).await;
    dispatch::recall(conn).await.expect("recalled");
    note("recall", conn).await;
    sweep::expired(conn).await.expect("swept");
    note("sweep", conn).await;
    imports::given_up(conn).await.expect("given up");
    note("imports", conn).await;
    sweep::archive(conn).await.expect("archived");
    sweep::retire(conn).await.expect("retired");
    note("retire", conn).await;
    workers::list(conn).await.expect("workers");
    note("workers", conn).await;
    queues::count_depths(conn).await.expect("depths");
    note("depths", conn).await;
    let term = leases::take(conn, Name::Scheduler, "here")
        .await
        .expect("asked")
        .expect("free");
    let now = domain::clock::now();
    for minutes in [0, 20, 40] {
        for cron in &crons::TABLE {
            let now = now + TimeDelta::minutes(minutes);
            crons::fire(conn, &term, cron, now).await.expect("fired");
        }
    }
    crons::settle(conn, &term).await.expect("settled");
    note("crons", conn).await;
    let whole: Vec<_> = asked.iter().filter(|(_, reads)| *reads > 0).collect();
    assert!(whole.is_empty(), "read whole since: {whole:?}");
}

#[tokio::test]
async fn what_pages_ask_never_reads_all_jobs() {
    let ground = long_history().await;
    let mut whole = Vec::new();
    for scope in [Scope::Chamber, Scope::Bureau(TenantId(1))] {
        let mut tx = db::begin(&ground.pool, scope).await.expect("a transaction");
        let conn = &mut *tx;
        let mut note = async |what: &'static str, conn: &mut PgConnection| {
            let reads = whole_reads(conn).await;
            if reads > 0 {
                whole.push((scope, what, reads));
            }
        };
        bulk_actions::count(conn, &[BulkActionId(6)])
            .await
            .expect("counts");
        note("counts of an action", conn).await;
        let now = domain::clock::now();
        queues::states(conn, now).await.expect("queues");
        note("queues", conn).await;
        queues::inside(conn, Queue::Bulk).await.expect("kinds");
        note("what is in a queue", conn).await;
        queues::failed_kinds(conn, Queue::Bulk, now)
            .await
            .expect("failures");
        note("failures by kind", conn).await;
        if scope == Scope::Chamber {
            crons::list(conn, now).await.expect("crons");
            note("crons", conn).await;
        }
    }
    assert!(whole.is_empty(), "read whole since: {whole:?}");
}
