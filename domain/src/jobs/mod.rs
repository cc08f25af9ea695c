//! The queue of record: a job is a row, written in the transaction that also writes what it is about.
//! `dispatch` hands rows to Redis, `run` claims, renews and ends them, `sweep` picks up what was lost,
//! `pauses` holds them.
pub mod acts;
pub mod dispatch;
pub mod failure;
mod filter;
pub mod find;
mod kind;
pub mod pauses;
pub mod payload;
mod rights;
pub mod run;
pub mod sweep;
pub mod whole;
pub mod workers;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;

pub use failure::Failure;
pub(crate) use filter::anywhere;
pub use filter::{JobFilter, Range};
pub use find::{Job, JobAction};
pub use kind::{Kind, Queue};
pub use rights::job_rights;
pub(crate) use rights::stops_between_steps;
pub use run::{Claimed, Ending, Outcome, finish};

use crate::ids::{BulkActionId, CaseId, JobId, TenantId, UserId};
use crate::{Error, Result};

/// The most jobs that one Redis task carries.
pub const CHUNK: usize = 100;
/// The most jobs of one queue that Redis ever holds: apalis-redis stops for good near 8,000 due tasks.
pub const WINDOW: usize = 2_000;
/// The channel on which enqueued sets and interactive jobs are announced; the payload is the queue.
pub const CHANNEL: &str = "toimik_jobs";

/// Where a job is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "job_state", rename_all = "lowercase")]
pub enum State {
    Queued,
    Dispatched,
    Running,
    Ok,
    Warning,
    Failed,
    Cancelled,
}

impl State {
    pub const ALL: [Self; 7] = [
        Self::Queued,
        Self::Dispatched,
        Self::Running,
        Self::Ok,
        Self::Warning,
        Self::Failed,
        Self::Cancelled,
    ];

    /// The number that the wire knows. Source: specification 2 § 4.2.
    pub fn wire(self) -> i16 {
        match self {
            Self::Queued | Self::Dispatched | Self::Running => 1,
            Self::Ok => 2,
            Self::Failed => 3,
            Self::Cancelled => 4,
            Self::Warning => 5,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Dispatched => "dispatched",
            Self::Running => "running",
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn is_live(self) -> bool {
        matches!(self, Self::Queued | Self::Dispatched | Self::Running)
    }
}

/// A job to be enqueued.
#[derive(Debug, Clone)]
pub struct NewJob<'a> {
    pub kind: Kind,
    pub tenant_id: TenantId,
    pub case_id: Option<CaseId>,
    pub bulk_action_id: Option<BulkActionId>,
    pub args: Option<Value>,
    pub unique_key: Option<&'a str>,
    pub run_at: Option<DateTime<Utc>>,
    pub created_by: Option<UserId>,
    pub request_id: Option<&'a str>,
}

impl<'a> NewJob<'a> {
    pub fn new(kind: Kind, tenant_id: TenantId) -> Self {
        Self {
            kind,
            tenant_id,
            case_id: None,
            bulk_action_id: None,
            args: None,
            unique_key: None,
            run_at: None,
            created_by: None,
            request_id: None,
        }
    }
}

/// Enqueues in the caller's transaction. Refused (`already_queued`) while a job of the same unique key lives.
pub async fn enqueue(conn: &mut PgConnection, job: &NewJob<'_>) -> Result<JobId> {
    let queue = job.kind.queue();
    let id = sqlx::query_scalar!(
        "insert into jobs (tenant_id, bulk_action_id, case_id, queue, kind, unique_key, args, created_by, request_id, run_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, clock_timestamp()))
         on conflict (unique_key) where unique_key is not null and state in ('queued', 'dispatched', 'running') do nothing
         returning id",
        job.tenant_id.0,
        job.bulk_action_id.map(|id| id.0),
        job.case_id.map(|id| id.0),
        queue as Queue,
        job.kind.as_str(),
        job.unique_key,
        job.args,
        job.created_by.map(|id| id.0),
        job.request_id,
        job.run_at,
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or_else(|| Error::refused("already_queued", "Sama töö on juba järjekorras."))?;
    if queue == Queue::Interactive {
        announce(conn, queue).await?;
    }
    Ok(JobId(id))
}

/// Wakes the dispatcher when this transaction commits; once per enqueued set.
pub async fn announce(conn: &mut PgConnection, queue: Queue) -> Result<()> {
    sqlx::query!("select pg_notify($1, $2)", CHANNEL, queue.as_str())
        .execute(conn)
        .await?;
    Ok(())
}
