//! A run of a job: claim, renew, finish, put back. Every write is fenced by the dispatch number.
use std::collections::HashSet;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{Connection, PgConnection};

use super::{Kind, State};
use crate::Result;
use crate::ids::{BulkActionId, CaseId, JobId, TenantId, UserId, WorkerId};

/// A job that this worker is running.
#[derive(Debug, Clone)]
pub struct Claimed {
    pub id: JobId,
    pub dispatch_no: i32,
    pub run: i32,
    pub kind: Kind,
    pub tenant_id: TenantId,
    pub case_id: Option<CaseId>,
    pub bulk_action_id: Option<BulkActionId>,
    pub args: Option<Value>,
    pub created_by: Option<UserId>,
    pub request_id: Option<String>,
    pub started_at: DateTime<Utc>,
    /// When it could have started.
    pub due_at: DateTime<Utc>,
    /// When it was enqueued: mail gives up by age.
    pub created_at: DateTime<Utc>,
    pub failures: i16,
    /// Its last worker died without a word: it runs alone.
    pub suspect: bool,
}

/// How a run ended for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Ok,
    Warning,
    Failed { code: String },
    Cancelled,
}

/// The end of one job's run, with its lines for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub job: JobId,
    pub dispatch_no: i32,
    pub ending: Ending,
    pub output: String,
}

impl Outcome {
    pub fn new(job: &Claimed, ending: Ending, output: impl Into<String>) -> Self {
        Self {
            job: job.id,
            dispatch_no: job.dispatch_no,
            ending,
            output: output.into(),
        }
    }
}

/// Starts a run of each pair that is still dispatched under that number; the rest is dropped silently.
/// All pairs are of one queue, kind and bureau. Under a pause they go back to queued and nothing is returned.
/// Does not wait for the disk: whatever the run does is written after it, and PostgreSQL keeps that order.
pub async fn claim(
    conn: &mut PgConnection,
    worker: WorkerId,
    pairs: &[(JobId, i32)],
) -> Result<Vec<Claimed>> {
    let (ids, numbers) = columns(pairs);
    let rows = sqlx::query!(
        r#"update jobs j
           set state = (case when p.paused then 'queued' else 'running' end)::job_state,
               runs = runs + (not p.paused)::int,
               started_at = case when p.paused then started_at else clock_timestamp() end,
               lease_until = case when p.paused then null else clock_timestamp() + interval '15 s' end,
               run_at = case when p.paused then clock_timestamp() + interval '1 s' else run_at end,
               worker_id = $3
           from unnest($1::bigint[], $2::int[]) as t (id, dispatch_no),
                set_config('synchronous_commit', 'off', true) as unwaited,
                lateral (select exists (
                    select from pauses
                    where ended_at is null and (until is null or until > clock_timestamp())
                      and (queue is null or queue = (select queue from jobs where id = $1[1]))
                      and (kind is null or kind = (select kind from jobs where id = $1[1]))
                      and (tenant_id is null or tenant_id = (select tenant_id from jobs where id = $1[1]))
                    union all
                    select from bulk_actions
                    where id = (select bulk_action_id from jobs where id = $1[1]) and paused_at is not null
                ) as paused offset 0) p
           where j.id = t.id and j.dispatch_no = t.dispatch_no and j.state = 'dispatched'
           returning j.id, j.dispatch_no, j.runs, j.kind, j.tenant_id, j.case_id, j.bulk_action_id, j.args, j.created_by,
                     j.request_id, j.started_at, j.run_at, j.created_at, j.failures, j.suspect, j.state as "state: State""#,
        &ids,
        &numbers,
        worker.0,
    )
    .fetch_all(conn)
    .await?;
    let claimed = rows
        .into_iter()
        .filter(|row| row.state == State::Running)
        .filter_map(|row| {
            Some(Claimed {
                id: JobId(row.id),
                dispatch_no: row.dispatch_no,
                run: row.runs,
                kind: Kind::parse(&row.kind)?,
                tenant_id: TenantId(row.tenant_id),
                case_id: row.case_id.map(CaseId),
                bulk_action_id: row.bulk_action_id.map(BulkActionId),
                args: row.args,
                created_by: row.created_by.map(UserId),
                request_id: row.request_id,
                started_at: row.started_at?,
                due_at: row.run_at,
                created_at: row.created_at,
                failures: row.failures,
                suspect: row.suspect,
            })
        });
    Ok(claimed.collect())
}

/// The first write of the transaction that settles a run: ends the runs that are still ours and writes their attempt rows.
/// Returns the jobs that were ours; nothing may be written for the others.
pub async fn finish(conn: &mut PgConnection, outcomes: &[Outcome]) -> Result<HashSet<JobId>> {
    let fails = |outcome: &Outcome| outcome.ending.state() == State::Failed;
    if !outcomes.iter().any(fails) {
        return Ok(end(conn, outcomes).await?.into_iter().map(JobId).collect());
    }
    // A failure and its group are written together, whether or not the caller has begun.
    let mut tx = conn.begin().await?;
    let mine = end(&mut tx, outcomes).await?;
    group_failures(&mut tx, &mine).await?;
    tx.commit().await?;
    Ok(mine.into_iter().map(JobId).collect())
}

async fn end(conn: &mut PgConnection, outcomes: &[Outcome]) -> Result<Vec<i64>> {
    let mut order: Vec<&Outcome> = outcomes.iter().collect();
    order.sort_by_key(|outcome| outcome.job);
    let ids: Vec<i64> = order.iter().map(|o| o.job.0).collect();
    let numbers: Vec<i32> = order.iter().map(|o| o.dispatch_no).collect();
    let states: Vec<State> = order.iter().map(|o| o.ending.state()).collect();
    let outputs: Vec<String> = order.iter().map(|o| o.output.clone()).collect();
    let codes: Vec<Option<String>> = order
        .iter()
        .map(|o| match &o.ending {
            Ending::Failed { code } => Some(code.clone()),
            _ => None,
        })
        .collect();
    let mine = sqlx::query_scalar!(
        r#"with ended as (
             update jobs j
             set state = o.state, finished_at = clock_timestamp(), lease_until = null, output = o.output,
                 error_code = o.code, error_key = case when o.state = 'failed' then error_key(j.kind, o.code, o.output) end,
                 suspect = false, failures = j.failures + (o.state = 'failed')::int::smallint
             from unnest($1::bigint[], $2::int[], $3::job_state[], $4::text[], $5::text[])
                  as o (id, dispatch_no, state, output, code)
             where j.id = o.id and j.dispatch_no = o.dispatch_no and j.state = 'running'
             returning j.id, j.runs, j.tenant_id, j.started_at, j.worker_id, j.state, j.error_code, j.output
           ), written as (
             insert into attempts (job_id, run, tenant_id, started_at, finished_at, outcome, worker_id, error_code, error)
             select id, runs, tenant_id, started_at, clock_timestamp(), state::text, worker_id, error_code,
                    case when state = 'failed' then left(output, 2000) end
             from ended
           )
           select id from ended"#,
        &ids,
        &numbers,
        &states as &[State],
        &outputs,
        &codes as &[Option<String>],
    )
    .fetch_all(conn)
    .await?;
    Ok(mine)
}

/// Puts those of the jobs that have failed into the groups of their errors. Apart from their end: most end well.
pub(super) async fn group_failures(conn: &mut PgConnection, ids: &[i64]) -> Result<()> {
    sqlx::query!("select group_failures($1)", ids)
        .execute(conn)
        .await?;
    Ok(())
}

impl Ending {
    /// The state that the job ends in.
    pub fn state(&self) -> State {
        match self {
            Self::Ok => State::Ok,
            Self::Warning => State::Warning,
            Self::Failed { .. } => State::Failed,
            Self::Cancelled => State::Cancelled,
        }
    }
}

/// Why a run ends without ending its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Back {
    /// A transient failure, counted.
    Retry { code: String, error: String },
    /// Nothing went wrong with the job; counts for nothing.
    Released { reason: String },
    /// As released, by a process that ends. A run whose message may be on its way stays: its lease runs out, and the ledger
    /// tells the next run.
    BrokenOff,
}

/// Puts runs that are still ours back to queued; they start again after `wait`. One that was asked to end is cancelled.
pub async fn put_back(
    conn: &mut PgConnection,
    pairs: &[(JobId, i32)],
    back: &Back,
    wait: Duration,
) -> Result<u64> {
    let (ids, numbers) = columns(pairs);
    let (outcome, code, error) = match back {
        Back::Retry { code, error } => ("retry", Some(code.as_str()), error.as_str()),
        Back::Released { reason } => ("released", None, reason.as_str()),
        Back::BrokenOff => ("released", None, "drain"),
    };
    let done = sqlx::query!(
        "with back as (
           update jobs j
           set state = (case when j.cancel_at is null then 'queued' else 'cancelled' end)::job_state,
               finished_at = case when j.cancel_at is null then null else clock_timestamp() end,
               output = case when j.cancel_at is null then j.output else 'Katkestatud.' end,
               lease_until = null, suspect = false,
               failures = j.failures + ($3 = 'retry')::int::smallint,
               error_code = coalesce($4, j.error_code),
               run_at = clock_timestamp() + make_interval(secs => $6)
           from unnest($1::bigint[], $2::int[]) as t (id, dispatch_no)
           where j.id = t.id and j.dispatch_no = t.dispatch_no and j.state = 'running'
             and not ($7 and exists (select from outward_calls o where o.job_id = j.id and o.state in ('intent', 'unknown')))
           returning j.id, j.runs, j.tenant_id, j.started_at, j.worker_id
         )
         insert into attempts (job_id, run, tenant_id, started_at, finished_at, outcome, worker_id, error_code, error)
         select id, runs, tenant_id, started_at, clock_timestamp(), $3, worker_id, $4, left($5, 2000) from back",
        &ids,
        &numbers,
        outcome,
        code,
        error,
        wait.as_secs_f64(),
        *back == Back::BrokenOff,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Hands back what was delivered here and has not started.
pub async fn decline(conn: &mut PgConnection, pairs: &[(JobId, i32)]) -> Result<u64> {
    let (ids, numbers) = columns(pairs);
    let done = sqlx::query!(
        "update jobs j set state = 'queued', lease_until = null
         from unnest($1::bigint[], $2::int[]) as t (id, dispatch_no)
         where j.id = t.id and j.dispatch_no = t.dispatch_no and j.state = 'dispatched'",
        &ids,
        &numbers,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Hands back what was delivered here and may not start before `wait` is over. Nothing is counted: it has not run.
pub async fn hold(conn: &mut PgConnection, pairs: &[(JobId, i32)], wait: Duration) -> Result<u64> {
    let (ids, numbers) = columns(pairs);
    let done = sqlx::query!(
        "update jobs j
         set state = 'queued', lease_until = null, run_at = clock_timestamp() + make_interval(secs => $3)
         from unnest($1::bigint[], $2::int[]) as t (id, dispatch_no)
         where j.id = t.id and j.dispatch_no = t.dispatch_no and j.state = 'dispatched'",
        &ids,
        &numbers,
        wait.as_secs_f64(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Lengthens the leases of what this worker still runs; rows locked by their own finish are skipped.
pub async fn renew(conn: &mut PgConnection, worker: WorkerId, ids: &[i64]) -> Result<u64> {
    let done = sqlx::query!(
        "update jobs set lease_until = clock_timestamp() + interval '15 s'
         where id = any (array(select id from jobs where id = any($1) and worker_id = $2 and state = 'running'
                               order by id for update skip locked))",
        ids,
        worker.0,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Notes when the first task of an action started.
pub async fn mark_started(conn: &mut PgConnection, action: BulkActionId) -> Result<()> {
    sqlx::query!("update bulk_actions set started_at = clock_timestamp() where id = $1 and started_at is null", action.0)
        .execute(conn)
        .await?;
    Ok(())
}

fn columns(pairs: &[(JobId, i32)]) -> (Vec<i64>, Vec<i32>) {
    let mut pairs = pairs.to_vec();
    pairs.sort();
    pairs.into_iter().map(|(id, number)| (id.0, number)).unzip()
}
