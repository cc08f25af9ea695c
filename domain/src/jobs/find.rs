//! Reads jobs of every kind: pages by falling id, counts that stop at a bound, one job. Row security narrows what is read,
//! the functions of migrations/0046 what is found.
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

use super::filter::JobFilter;
use super::{Queue, State};
use crate::actor::{Actor, Person};
use crate::bureaus::BureauName;
use crate::cases::Number;
use crate::ids::{BulkActionId, CaseId, JobId, TenantId};
use crate::{Error, Result};

/// A job as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub queue: Queue,
    pub kind: String,
    pub state: State,
    pub bureau: BureauName,
    pub case_id: Option<CaseId>,
    pub case_number: Option<Number>,
    pub debtor_name: Option<String>,
    pub action: Option<JobAction>,
    pub created_at: DateTime<Utc>,
    pub run_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub cancel_at: Option<DateTime<Utc>>,
    pub runs: i32,
    pub failures: i16,
    pub crashes: i16,
    pub output: Option<String>,
    pub error_code: Option<String>,
    pub error_key: Option<String>,
    pub args: Option<Value>,
    pub unique_key: Option<String>,
    pub request_id: Option<String>,
    pub worker: Option<String>,
    pub created_by: Option<Person>,
    pub retried_by: Option<Person>,
    /// Queued, and its time has not come.
    pub waits: bool,
    /// Over 90 days old: read only.
    pub archived: bool,
}

/// The bulk action of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobAction {
    pub id: BulkActionId,
    pub kind: i16,
    pub tenant_id: TenantId,
    pub cancelled: bool,
    pub paused: bool,
}

impl Job {
    /// Waits for another try.
    pub fn is_retrying(&self) -> bool {
        self.state == State::Queued && self.failures > 0
    }
}

/// Columns that a list of jobs may show, by the wire's names.
pub const COLUMNS: [&str; 18] = [
    "id",
    "state",
    "queue",
    "kind",
    "bureau",
    "caseNumber",
    "debtorName",
    "bulkAction",
    "output",
    "errorCode",
    "runs",
    "failures",
    "createdAt",
    "runAt",
    "startedAt",
    "finishedAt",
    "createdBy",
    "duration",
];

/// How many of each state there are, and whether counting stopped at [`COUNTED`].
pub type StateCounts = Vec<(State, i64)>;

/// Counting stops here: "10 000+".
pub const COUNTED: i64 = 10_001;

/// How long a search may take; a filter that needs longer is refused with advice.
const PATIENCE: &str = "set local statement_timeout = '3s'";

/// A page of jobs by falling id, from below `before`; one more than `limit` says that there are more.
pub async fn page(
    conn: &mut PgConnection,
    actor: &Actor,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> Result<Vec<Job>> {
    let ids = ids(conn, actor, filter, before, limit).await?;
    read(conn, &ids).await
}

/// The ids of a page.
pub(crate) async fn ids(
    conn: &mut PgConnection,
    actor: &Actor,
    filter: &JobFilter,
    before: Option<JobId>,
    limit: i64,
) -> Result<Vec<i64>> {
    sqlx::query(PATIENCE).execute(&mut *conn).await?;
    let Some(want) = filter.want(conn, actor).await? else {
        return Ok(Vec::new());
    };
    sqlx::query_scalar!(
        r#"select job_ids($1, $2, $3) as "id!""#,
        want,
        before.map(|id| id.0),
        limit
    )
    .fetch_all(conn)
    .await
    .map_err(too_broad)
}

/// How many jobs of each state match, whatever states the filter asks for; each count stops at [`COUNTED`].
pub async fn counts(
    conn: &mut PgConnection,
    actor: &Actor,
    filter: &JobFilter,
) -> Result<StateCounts> {
    counts_up_to(conn, actor, filter, COUNTED).await
}

/// The same with another bound.
pub(crate) async fn counts_up_to(
    conn: &mut PgConnection,
    actor: &Actor,
    filter: &JobFilter,
    most: i64,
) -> Result<StateCounts> {
    sqlx::query(PATIENCE).execute(&mut *conn).await?;
    let any = JobFilter {
        state: Vec::new(),
        ..filter.clone()
    };
    let Some(want) = any.want(conn, actor).await? else {
        return Ok(State::ALL.into_iter().map(|state| (state, 0)).collect());
    };
    let rows = sqlx::query!(
        r#"select state as "state!: State", jobs as "jobs!" from job_counts($1, $2)"#,
        want,
        most
    )
    .fetch_all(conn)
    .await
    .map_err(too_broad)?;
    Ok(rows.into_iter().map(|row| (row.state, row.jobs)).collect())
}

/// A statement that ran out of time is a question too wide.
pub(crate) fn too_broad(error: sqlx::Error) -> Error {
    let timed_out = error
        .as_database_error()
        .is_some_and(|inner| inner.code().as_deref() == Some("57014"));
    if timed_out {
        Error::refused(
            "too_broad",
            "Otsing võtab liiga kaua. Lisa filter, näiteks järjekord, büroo või ajavahemik.",
        )
    } else {
        error.into()
    }
}

/// One job, archived ones too; another bureau's is not found.
pub async fn find(conn: &mut PgConnection, id: JobId) -> Result<Job> {
    read(conn, &[id.0]).await?.pop().ok_or(Error::NotFound)
}

/// The jobs of these ids, in their order.
pub async fn read(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<Job>> {
    let rows = sqlx::query!(
        r#"select j.id as "id!", j.queue as "queue!: Queue", j.kind as "kind!", j.state as "state!: State",
                  j.tenant_id as "tenant_id!", b.code as bureau_code, b.name as bureau_name, j.case_id,
                  l.prefix as "prefix?", l.year as "year?", l.index as "index?", l.debtor_name as "debtor_name?",
                  a.id as "action_id?", a.type as "action_type?", a.tenant_id as "action_tenant?",
                  a.cancelled_at is not null as "action_cancelled!", a.paused_at is not null as "action_paused!",
                  j.created_at as "created_at!", j.run_at as "run_at!", j.started_at, j.finished_at, j.cancel_at,
                  j.runs as "runs!", j.failures as "failures!", j.crashes as "crashes!", j.output, j.error_code, j.error_key,
                  j.args, j.unique_key, j.request_id, w.host || ':' || w.pid as worker,
                  c.id as "created_by?", c.name as "created_by_name?", r.id as "retried_by?", r.name as "retried_by_name?",
                  j.state = 'queued' and j.run_at > clock_timestamp() as "waits!", j.archived as "archived!"
           from unnest($1::bigint[]) with ordinality as wanted (id, place)
           join (
             select id, queue, kind, state, tenant_id, case_id, bulk_action_id, created_at, run_at, started_at, finished_at,
                    cancel_at, runs, failures, crashes, output, error_code, error_key, args, unique_key, request_id, worker_id,
                    created_by, retried_by, false as archived
             from jobs where id = any($1)
             union all
             select id, queue, kind, state, tenant_id, case_id, bulk_action_id, created_at, run_at, started_at, finished_at,
                    cancel_at, runs, failures, crashes, output, error_code, error_key, args, unique_key, request_id, worker_id,
                    created_by, retried_by, true
             from job_archive where id = any($1)
           ) j on j.id = wanted.id
           join bureaus b on b.id = j.tenant_id
           left join case_list l on l.case_id = j.case_id
           left join bulk_actions a on a.id = j.bulk_action_id
           left join workers w on w.id = j.worker_id
           left join users c on c.id = j.created_by
           left join users r on r.id = j.retried_by
           order by wanted.place"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let jobs = rows.into_iter().map(|row| Job {
        id: JobId(row.id),
        queue: row.queue,
        kind: row.kind,
        state: row.state,
        bureau: BureauName {
            id: TenantId(row.tenant_id),
            code: row.bureau_code,
            name: row.bureau_name,
        },
        case_id: row.case_id.map(CaseId),
        case_number: Number::joined(row.prefix, row.year, row.index),
        debtor_name: row.debtor_name,
        action: row
            .action_id
            .zip(row.action_type)
            .zip(row.action_tenant)
            .map(|((id, kind), tenant)| JobAction {
                id: BulkActionId(id),
                kind,
                tenant_id: TenantId(tenant),
                cancelled: row.action_cancelled,
                paused: row.action_paused,
            }),
        created_at: row.created_at,
        run_at: row.run_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
        cancel_at: row.cancel_at,
        runs: row.runs,
        failures: row.failures,
        crashes: row.crashes,
        output: row.output,
        error_code: row.error_code,
        error_key: row.error_key,
        args: row.args,
        unique_key: row.unique_key,
        request_id: row.request_id,
        worker: row.worker,
        created_by: Person::joined(row.created_by, row.created_by_name),
        retried_by: Person::joined(row.retried_by, row.retried_by_name),
        waits: row.waits,
        archived: row.archived,
    });
    Ok(jobs.collect())
}
