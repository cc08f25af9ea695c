//! Picks up what was lost: leases that are over, workers that died, history past its time.
use sqlx::{Connection, PgConnection};

use crate::Result;

/// What a sweep found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    pub undispatched: u64,
    pub crashed: u64,
}

/// How often a job may take its worker down while it runs alone.
pub const MOST_CRASHES: i16 = 3;

/// Returns jobs whose lease is over. A running one is suspect and runs alone next time; after [`MOST_CRASHES`]
/// crashes alone it fails.
// Ids in an array and an order that only an index gives: a plan that expects thousands reads the table from end to end.
pub async fn expired(conn: &mut PgConnection) -> Result<Swept> {
    let undispatched = sqlx::query!(
        "with late as materialized (
           select id from jobs where state = 'dispatched' and lease_until < clock_timestamp() order by queue, state limit 100000
         )
         update jobs set state = 'queued', lease_until = null
         where id = any (array(select id from jobs where id = any (array(select id from late)) and state = 'dispatched'
                                 and lease_until < clock_timestamp() order by id for update skip locked))"
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    let mut tx = conn.begin().await?;
    let crashed = sqlx::query_scalar!(
        "with late as materialized (
           select id from jobs where state = 'running' and lease_until < clock_timestamp() order by queue, state limit 100000
         ), lost as (
           select id from jobs where id = any (array(select id from late)) and state = 'running'
             and lease_until < clock_timestamp() order by id for update skip locked
         ), back as (
           update jobs
           set state = (case when dies then 'failed' when cancel_at is not null then 'cancelled' else 'queued' end)::job_state,
               finished_at = case when dies or cancel_at is not null then clock_timestamp() end,
               output = case when dies then 'Töötleja katkes 3 korda.' when cancel_at is not null then 'Katkestatud.' else output end,
               error_code = case when dies then 'worker_crashed' else error_code end,
               error_key = case when dies then error_key(kind, 'worker_crashed', 'Töötleja katkes 3 korda.') end,
               crashes = crashes + suspect::int::smallint, suspect = true, lease_until = null,
               run_at = clock_timestamp() + make_interval(secs => random())
           from (values (true), (false)) o (dies)
           where id = any (array(select id from lost)) and dies = (crashes + suspect::int::smallint >= $1)
           returning id, runs, tenant_id, started_at, worker_id
         )
         insert into attempts (job_id, run, tenant_id, started_at, finished_at, outcome, worker_id, error_code, error)
         select id, runs, tenant_id, started_at, clock_timestamp(), 'crashed', worker_id, 'worker_crashed', 'töötleja katkes'
         from back
         returning job_id",
        MOST_CRASHES,
    )
    .fetch_all(&mut *tx)
    .await?;
    if !crashed.is_empty() {
        super::run::group_failures(&mut tx, &crashed).await?;
    }
    tx.commit().await?;
    Ok(Swept {
        undispatched,
        crashed: crashed.len().try_into().unwrap_or(u64::MAX),
    })
}

/// Rows of one step of [`archive`].
const STEP: i64 = 2_000;

/// Moves tasks of bulk actions to the archive and deletes other ended jobs, both after 90 days, with the attempts of what was
/// deleted or went well; the archive ends after seven years. One bounded step; returns how many jobs it took, none at the end.
pub async fn archive(conn: &mut PgConnection) -> Result<i64> {
    let retired = sqlx::query_scalar!(
        r#"with old as (
             delete from jobs where id = any (array(
               select id from jobs
               where id < (select job_id_at(now() - interval '90 days')) and state in ('ok', 'warning', 'failed', 'cancelled')
                 and created_at < now() - interval '90 days' and coalesce(finished_at, created_at) < now() - interval '90 days'
               order by id limit $1 for update skip locked))
             returning *
           ), kept as (
             insert into job_archive select * from old where bulk_action_id is not null
           ), gone as (
             delete from attempts a using old
             where a.job_id = old.id and (old.bulk_action_id is null or old.state = 'ok')
           )
           select count(*) as "count!" from old"#,
        STEP
    )
    .fetch_one(&mut *conn)
    .await?;
    let ended = sqlx::query_scalar!(
        r#"with old as (
             delete from job_archive where id in (select id from job_archive order by id limit $1)
               and created_at < now() - interval '7 years'
             returning id
           ), gone as (
             delete from attempts a using old where a.job_id = old.id
           )
           select count(*) as "count!" from old"#,
        STEP
    )
    .fetch_one(conn)
    .await?;
    Ok(retired + ended)
}

/// Deletes what is kept for a short time only: figures per minute and errors of browsers 90 days, mails a month, workers a week.
pub async fn retire(conn: &mut PgConnection) -> Result<()> {
    for table in ["queue_minutes", "queue_depths", "watch_minutes"] {
        let old = format!("delete from {table} where minute < now() - interval '90 days'");
        sqlx::query(sqlx::AssertSqlSafe(old))
            .execute(&mut *conn)
            .await?;
    }
    sqlx::query!("delete from browser_errors where last_at < now() - interval '90 days'")
        .execute(&mut *conn)
        .await?;
    while crate::mail::retire(conn).await? {}
    crate::idempotency::expire(conn).await?;
    crate::crons::forget(conn).await?;
    sqlx::query!("delete from workers where seen_at < now() - interval '7 days'")
        .execute(conn)
        .await?;
    Ok(())
}
