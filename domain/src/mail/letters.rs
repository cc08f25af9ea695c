//! The mails themselves: what is sent to whom, how each stands by its job, and how long they are kept.
use chrono::{DateTime, TimeDelta, Utc};
use futures::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use serde::Deserialize;
use serde_json::Value;
use sqlx::PgConnection;

use super::Kind;
use crate::actor::Person;
use crate::ids::{JobId, MailId, UserId};
use crate::jobs::State;
use crate::page::{Listed, Page};
use crate::{Error, Result};

/// Days that mails and notices are kept.
pub const KEPT_DAYS: i64 = 30;
/// Where mails lie in the file store, where no SMTP server is set.
const FOLDER: &str = "mail";

/// The file of a mail, where no SMTP server is set.
pub fn file_path(id: MailId) -> Path {
    Path::from(format!("{FOLDER}/{id}.eml"))
}

/// A mail as it is to be sent.
#[derive(Debug, Clone)]
pub struct Letter {
    pub id: MailId,
    pub kind: Kind,
    /// Without brackets.
    pub message_id: String,
    pub created_at: DateTime<Utc>,
    pub to: Addressee,
    pub told: Told,
    /// It was sent: a run that comes later has nothing to do.
    pub was_sent: bool,
}

/// Who gets it, as known now; without an address also where the person left or holds no role in the mail's bureau any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addressee {
    pub name: String,
    pub email: Option<String>,
    /// et or en.
    pub language: String,
}

/// What it tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    One(Value),
    /// A digest of what waited.
    Many {
        total: i64,
        /// How many by the number of their result.
        by_status: Vec<(i16, i64)>,
        /// Facts of some of them, failed ones first.
        items: Vec<Value>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Many {
    total: i64,
    by_status: Vec<super::Ended>,
    items: Vec<Value>,
}

/// The mail of that id, to be sent; none where it is kept no longer.
pub async fn letter(conn: &mut PgConnection, id: MailId) -> Result<Option<Letter>> {
    let row = sqlx::query!(
        r#"select m.kind, m.message_id, m.notices, m.facts, m.created_at, m.sent_at is not null as "was_sent!", u.name,
                  case when u.disabled_at is null
                        and exists (select from user_roles r join jobs j on j.id = m.job_id
                                    where r.user_id = u.id and r.ended_at is null
                                      and (r.tenant_id = j.tenant_id or r.role in ('koda', 'dev')))
                       then u.email end as email, u.language
           from mails m join users u on u.id = m.user_id where m.id = $1"#,
        id.0,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.and_then(|row| {
        let told = if row.notices == 1 {
            Told::One(row.facts)
        } else {
            let many: Many = serde_json::from_value(row.facts).ok()?;
            Told::Many {
                total: many.total,
                by_status: many.by_status.iter().map(|e| (e.status, e.count)).collect(),
                items: many.items,
            }
        };
        Some(Letter {
            id,
            kind: Kind::parse(&row.kind)?,
            message_id: row.message_id,
            created_at: row.created_at,
            to: Addressee {
                name: row.name,
                email: row.email.filter(|email| !email.trim().is_empty()),
                language: row.language,
            },
            told,
            was_sent: row.was_sent,
        })
    }))
}

/// Notes that it was sent; in the transaction that ends its job.
pub async fn sent(
    conn: &mut PgConnection,
    id: MailId,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    sqlx::query!(
        "update mails set sent_at = $2, subject = $3 where id = $1",
        id.0,
        now,
        subject
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A mail as operators see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mail {
    pub id: MailId,
    pub kind: Kind,
    pub to: Person,
    pub email: Option<String>,
    /// As it was sent.
    pub subject: Option<String>,
    pub message_id: String,
    /// How many events it tells of.
    pub notices: i32,
    pub created_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
    pub state: MailState,
    pub job: Option<JobId>,
    pub attempts: i32,
    /// Why it could not be sent, or not yet.
    pub error: Option<String>,
}

/// How a mail stands: what its job says, unless it was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    Waiting,
    Sent,
    Failed,
    Cancelled,
}

impl MailState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    fn of(was_sent: bool, job: Option<State>) -> Self {
        match job {
            _ if was_sent => Self::Sent,
            Some(State::Cancelled) => Self::Cancelled,
            Some(State::Queued | State::Dispatched | State::Running) => Self::Waiting,
            // A warning: there is no address.
            Some(State::Ok | State::Warning | State::Failed) | None => Self::Failed,
        }
    }
}

/// Mails, newest first; more than 10,000 are not counted.
pub async fn list(conn: &mut PgConnection, page: Page) -> Result<Listed<Mail>> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from (select from mails limit 10000) m"#
    )
    .fetch_one(&mut *conn)
    .await?;
    let ids = sqlx::query_scalar!(
        "select id from mails order by id desc limit $1 offset $2",
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    Ok(Listed {
        rows: read(conn, &ids).await?,
        total,
    })
}

/// One mail.
pub async fn find(conn: &mut PgConnection, id: MailId) -> Result<Mail> {
    read(conn, &[id.0]).await?.pop().ok_or(Error::NotFound)
}

async fn read(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<Mail>> {
    let rows = sqlx::query!(
        r#"select m.id, m.kind, m.user_id, u.name, u.email, m.subject, m.message_id, m.notices, m.created_at, m.sent_at, m.job_id,
                  j.state as "state?: State", j.runs as "runs?", j.output as "output?", a.error as "error?"
           from mails m join users u on u.id = m.user_id
           left join jobs j on j.id = m.job_id
           left join lateral (select error from attempts where job_id = j.id and outcome in ('retry', 'failed', 'crashed')
                              order by run desc limit 1) a on true
           where m.id = any($1) order by m.id desc"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let mails = rows.into_iter().filter_map(|row| {
        let state = MailState::of(row.sent_at.is_some(), row.state);
        let error = match state {
            MailState::Sent => None,
            MailState::Failed => row.output.or(row.error),
            MailState::Waiting | MailState::Cancelled => row.error,
        };
        Some(Mail {
            id: MailId(row.id),
            kind: Kind::parse(&row.kind)?,
            to: Person {
                id: UserId(row.user_id),
                name: row.name,
            },
            email: row.email,
            subject: row.subject,
            message_id: row.message_id,
            notices: row.notices,
            created_at: row.created_at,
            sent_at: row.sent_at,
            state,
            job: row.job_id.map(JobId),
            attempts: row.runs.unwrap_or_default(),
            error,
        })
    });
    Ok(mails.collect())
}

/// Rows of one step of [`retire`].
const STEP: i64 = 2_000;

/// Removes some of the mails and notices that were kept long enough: true while there are more.
pub async fn retire(conn: &mut PgConnection) -> Result<bool> {
    let mut most = 0;
    let gone = sqlx::query!(
        "delete from notices where id in (select id from notices order by id limit $1)
         and created_at < now() - make_interval(days => $2)",
        STEP,
        i32::try_from(KEPT_DAYS).unwrap_or(i32::MAX),
    )
    .execute(&mut *conn)
    .await?;
    most = gone.rows_affected().max(most);
    let gone = sqlx::query!(
        "delete from mails where id in (select id from mails order by id limit $1)
         and created_at < now() - make_interval(days => $2)",
        STEP,
        i32::try_from(KEPT_DAYS).unwrap_or(i32::MAX),
    )
    .execute(conn)
    .await?;
    most = gone.rows_affected().max(most);
    Ok(i64::try_from(most).is_ok_and(|most| most >= STEP))
}

/// Removes the files of mails that were kept long enough; returns how many.
pub async fn remove_old_files(store: &dyn ObjectStore, now: DateTime<Utc>) -> Result<usize> {
    let before = now - TimeDelta::days(KEPT_DAYS);
    let folder = Path::from(FOLDER);
    let mut files = store.list(Some(&folder));
    let mut removed = 0;
    while let Some(file) = files.try_next().await? {
        if file.last_modified < before {
            store.delete(&file.location).await?;
            removed += 1;
        }
    }
    Ok(removed)
}
