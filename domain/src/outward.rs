//! The ledger of messages that go outward: one row an intended effect, written before the message leaves.
//! An intent is (subject, operation, number); the number is new only by a person's new order, never by a job or its run.
use sqlx::PgConnection;
use uuid::Uuid;

use crate::Result;
use crate::ids::{CaseId, JobId, TenantId};

/// What may be done after an outcome that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Repeat freely.
    Read,
    /// Read back, or send again under the same message id.
    State,
    /// Never sent again by the machine.
    Once,
}

impl Class {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::State => "state",
            Self::Once => "once",
        }
    }
}

/// How a message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Written down; whether it left is not known until it is settled.
    Intent,
    /// The other side has it.
    Done,
    /// The other side said no: nothing took effect.
    Refused,
    /// Known not to have gone.
    NotSent,
    /// It may have taken effect.
    Unknown,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Done => "done",
            Self::Refused => "refused",
            Self::NotSent => "not_sent",
            Self::Unknown => "unknown",
        }
    }

    fn parse(name: &str) -> Self {
        match name {
            "intent" => Self::Intent,
            "done" => Self::Done,
            "refused" => Self::Refused,
            "not_sent" => Self::NotSent,
            _ => Self::Unknown,
        }
    }
}

/// An effect that is about to be asked for.
#[derive(Debug, Clone)]
pub struct Intent<'a> {
    pub tenant_id: TenantId,
    /// E.g. `case:7`.
    pub subject: &'a str,
    /// E.g. `tarn.sync`.
    pub operation: &'a str,
    pub number: i64,
    pub class: Class,
    pub job_id: JobId,
    pub case_id: Option<CaseId>,
    /// Of the data that the message carries.
    pub body_hash: [u8; 32],
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: i64,
    pub state: State,
    /// `xrd:id` of every sending of this intent.
    pub message_id: Uuid,
    /// How often it may have left before now.
    pub sent_count: i32,
    /// Whether other data may have arrived under this id before: what the other side has may be those.
    pub changed: bool,
}

/// Writes the intent, or finds what an earlier run left of it, and notes that the message leaves when this transaction has
/// committed, unless it is done. The row is locked. `fresh_id` is used when it is new.
pub async fn intend(conn: &mut PgConnection, intent: &Intent<'_>, fresh_id: Uuid) -> Result<Entry> {
    let fresh = sqlx::query_scalar!(
        "insert into outward_calls
           (tenant_id, subject, operation, intent, class, state, message_id, job_id, case_id, sent_count, body_hash)
         values ($1, $2, $3, $4, $5, 'intent', $6, $7, $8, 1, $9)
         on conflict (subject, operation, intent) do nothing
         returning id",
        intent.tenant_id.0,
        intent.subject,
        intent.operation,
        intent.number,
        intent.class.as_str(),
        fresh_id,
        intent.job_id.0,
        intent.case_id.map(|id| id.0),
        &intent.body_hash,
    )
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(id) = fresh {
        return Ok(Entry {
            id,
            state: State::Intent,
            message_id: fresh_id,
            sent_count: 0,
            changed: false,
        });
    }
    let row = sqlx::query!(
        "select id, state, message_id, sent_count, body_hash, doubtful from outward_calls
         where subject = $1 and operation = $2 and intent = $3 for update",
        intent.subject,
        intent.operation,
        intent.number,
    )
    .fetch_one(&mut *conn)
    .await?;
    let state = State::parse(&row.state);
    let took_nothing = matches!(state, State::NotSent | State::Refused) && !row.doubtful;
    let changed = !took_nothing && row.body_hash.as_deref() != Some(&intent.body_hash[..]);
    if state != State::Done {
        sqlx::query!(
            "update outward_calls
             set doubtful = doubtful or state in ('intent', 'unknown'), state = 'intent', sent_count = sent_count + 1,
                 body_hash = $2, settled_at = null
             where id = $1",
            row.id,
            (!changed).then_some(&intent.body_hash[..]),
        )
        .execute(conn)
        .await?;
    }
    Ok(Entry {
        id: row.id,
        state,
        message_id: row.message_id,
        sent_count: row.sent_count,
        changed,
    })
}

/// What came of a message; texts are masked excerpts.
#[derive(Debug, Clone)]
pub struct Settled<'a> {
    pub state: State,
    pub request: &'a str,
    pub response: &'a str,
    pub error_code: Option<&'a str>,
}

/// Whether another live run has sent a message about the same thing and waits for its answer.
pub async fn under_way(conn: &mut PgConnection, intent: &Intent<'_>) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from outward_calls o join jobs j on j.id = o.job_id
                          where o.subject = $1 and o.operation = $2 and o.job_id <> $3
                            and o.state = 'intent' and j.state = 'running') as "under_way!""#,
        intent.subject,
        intent.operation,
        intent.job_id.0,
    )
    .fetch_one(conn)
    .await?)
}

/// Writes the outcome. A fenced run writes it too: what was learnt stays learnt, and done is never overwritten.
pub async fn settle(conn: &mut PgConnection, id: i64, settled: &Settled<'_>) -> Result<()> {
    sqlx::query!(
        "update outward_calls
         set state = $2, request = $3, response = $4, error_code = $5, settled_at = clock_timestamp()
         where id = $1 and state <> 'done'",
        id,
        settled.state.as_str(),
        settled.request,
        settled.response,
        settled.error_code,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A person orders anew what these jobs did: what is settled is kept under a number of its own, so that the next run makes
/// a new intent; what may have taken effect unheard keeps its message id, whatever a repetition of it was answered.
pub async fn order_anew(conn: &mut PgConnection, jobs: &[i64]) -> Result<()> {
    sqlx::query!(
        "update outward_calls set intent = -id
         where job_id = any($1) and intent > 0 and (state = 'done' or state in ('refused', 'not_sent') and not doubtful)",
        jobs,
    )
    .execute(conn)
    .await?;
    Ok(())
}
