//! One job with all that is known of it: its runs, its messages outward, what people did to it, and why it stands still.
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

use super::find::Job;
use super::{Queue, State};
use crate::actor::Role;
use crate::ids::BulkActionId;
use crate::{Result, queues};

/// The most runs that are read.
const MOST_ATTEMPTS: i64 = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub run: i32,
    pub outcome: String,
    pub started_at: DateTime<Utc>,
    pub finished_at: DateTime<Utc>,
    pub worker: Option<String>,
    pub error_code: Option<String>,
    pub error: Option<String>,
}

/// A row of the ledger; texts are masked excerpts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub id: i64,
    pub operation: String,
    pub class: String,
    pub state: String,
    pub message_id: uuid::Uuid,
    pub external_id: Option<String>,
    pub sent_count: i32,
    pub request: Option<String>,
    pub response: Option<String>,
    pub error_code: Option<String>,
    pub created_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

/// What a person did to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub at: DateTime<Utc>,
    pub action: String,
    pub who: Option<String>,
    pub role: Option<Role>,
    pub reason: Option<String>,
    pub after: Option<Value>,
}

/// Newest runs first, and how many there are.
pub async fn attempts(conn: &mut PgConnection, job: &Job) -> Result<(Vec<Attempt>, i64)> {
    let rows = sqlx::query!(
        r#"select a.run, a.outcome, a.started_at, a.finished_at, w.host || ':' || w.pid as worker, a.error_code, a.error
           from attempts a left join workers w on w.id = a.worker_id
           where a.job_id = $1 order by a.run desc limit $2"#,
        job.id.0,
        MOST_ATTEMPTS,
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from attempts where job_id = $1"#,
        job.id.0
    )
    .fetch_one(conn)
    .await?;
    let attempts = rows.into_iter().map(|row| Attempt {
        run: row.run,
        outcome: row.outcome,
        started_at: row.started_at,
        finished_at: row.finished_at,
        worker: row.worker,
        error_code: row.error_code,
        error: row.error,
    });
    Ok((attempts.collect(), total))
}

/// Messages that went outward for it, newest first.
pub async fn calls(conn: &mut PgConnection, job: &Job) -> Result<Vec<Call>> {
    let rows = sqlx::query!(
        "select id, operation, class, state, message_id, external_id, sent_count, request, response, error_code, created_at, settled_at
         from outward_calls where job_id = $1 order by id desc limit 100",
        job.id.0,
    )
    .fetch_all(conn)
    .await?;
    let calls = rows.into_iter().map(|row| Call {
        id: row.id,
        operation: row.operation,
        class: row.class,
        state: row.state,
        message_id: row.message_id,
        external_id: row.external_id,
        sent_count: row.sent_count,
        request: row.request,
        response: row.response,
        error_code: row.error_code,
        created_at: row.created_at,
        settled_at: row.settled_at,
    });
    Ok(calls.collect())
}

/// What people did to it, newest first; also as one of many.
pub async fn events(conn: &mut PgConnection, job: &Job) -> Result<Vec<Event>> {
    let rows = sqlx::query!(
        r#"select at as "at!", action as "action!", username, role as "role: Role", reason, after from (
             select at, action, username, role, reason, after from audit
             where case_id is null and object_class in ('Job', 'BulkActionTask') and object_id = $1
             union all
             select o.at, o.kind, o.username, o.role, o.reason, jsonb_build_object('operatorAction', o.action)
             from job_orders($1) o) e
           order by at desc limit 100"#,
        job.id.0,
    )
    .fetch_all(conn)
    .await?;
    let events = rows.into_iter().map(|row| Event {
        at: row.at,
        action: row.action,
        who: row.username,
        role: row.role,
        reason: row.reason,
        after: row.after,
    });
    Ok(events.collect())
}

/// How many failed jobs share its error, as the reader sees them.
pub async fn same_error(conn: &mut PgConnection, job: &Job) -> Result<Option<queues::Count>> {
    let Some(key) = job
        .error_key
        .as_deref()
        .filter(|_| job.state == State::Failed)
    else {
        return Ok(None);
    };
    let want = serde_json::json!({"keys": [key]});
    let count = sqlx::query_scalar!(
        r#"select coalesce(sum(jobs), 0)::bigint as "count!" from job_counts($1, $2) where state = 'failed'"#,
        want,
        super::find::COUNTED,
    )
    .fetch_one(conn)
    .await?;
    Ok(Some(queues::Count::bounded(count)))
}

/// Why something that waits does not move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stall {
    pub code: StallCode,
    pub queue: Option<Queue>,
    pub register: Option<String>,
    pub reason: Option<String>,
    pub by: Option<String>,
    pub since: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StallCode {
    Paused,
    ActionPaused,
    RegisterDown,
    NoWorkers,
    Retry,
}

impl Stall {
    fn new(code: StallCode) -> Self {
        Self {
            code,
            queue: None,
            register: None,
            reason: None,
            by: None,
            since: None,
            until: None,
        }
    }
}

/// What holds back jobs of a kind and bureau: a pause first, then a register, then that nobody works.
pub async fn held_back(
    conn: &mut PgConnection,
    kind: super::Kind,
    tenant: Option<crate::ids::TenantId>,
    action: Option<BulkActionId>,
) -> Result<Option<Stall>> {
    let queue = kind.queue();
    let paused = sqlx::query!(
        r#"select code as "code!", reason, by, since, until from (
             select 1 as rank, 'action' as code, null as reason, u.name as by, a.paused_at as since, null::timestamptz as until
             from bulk_actions a left join users u on u.id = a.paused_by where a.id = $1 and a.paused_at is not null
             union all
             select 2, 'pause', p.reason, u.name, p.created_at, p.until
             from pauses p left join users u on u.id = p.created_by
             where p.ended_at is null and (p.until is null or p.until > clock_timestamp())
               and (p.queue is null or p.queue = $2) and (p.kind is null or p.kind = $3)
               and (p.tenant_id is null or p.tenant_id = $4)) s
           order by rank, since limit 1"#,
        action.map(|id| id.0),
        queue as Queue,
        kind.as_str(),
        tenant.map(|id| id.0),
    )
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(row) = paused {
        let code = if row.code == "action" {
            StallCode::ActionPaused
        } else {
            StallCode::Paused
        };
        return Ok(Some(Stall {
            queue: Some(queue),
            reason: row.reason,
            by: row.by,
            since: row.since,
            until: row.until,
            ..Stall::new(code)
        }));
    }
    if let Some(name) = kind.register() {
        let down = sqlx::query!(
            "select opened_at, next_probe_at from registers where name = $1 and state = 'open'",
            name
        )
        .fetch_optional(&mut *conn)
        .await?;
        if let Some(row) = down {
            return Ok(Some(Stall {
                queue: Some(queue),
                register: Some(name.to_owned()),
                since: row.opened_at,
                until: row.next_probe_at,
                ..Stall::new(StallCode::RegisterDown)
            }));
        }
    }
    let works = super::workers::live_concurrency(conn).await?;
    if works
        .iter()
        .all(|(known, most)| *known != queue || *most == 0)
    {
        return Ok(Some(Stall {
            queue: Some(queue),
            ..Stall::new(StallCode::NoWorkers)
        }));
    }
    Ok(None)
}

/// Why this job stands; none once it runs or has ended.
pub async fn stall(conn: &mut PgConnection, job: &Job) -> Result<Option<Stall>> {
    if !matches!(job.state, State::Queued | State::Dispatched) {
        return Ok(None);
    }
    let Some(kind) = super::Kind::parse(&job.kind) else {
        return Ok(None);
    };
    let action = job.action.as_ref().map(|action| action.id);
    if let Some(stall) = held_back(conn, kind, Some(job.bureau.id), action).await? {
        return Ok(Some(stall));
    }
    Ok(job.is_retrying().then(|| Stall {
        until: Some(job.run_at),
        ..Stall::new(StallCode::Retry)
    }))
}
