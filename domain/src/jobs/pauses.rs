//! Pauses: an operator holds a queue, a kind or a bureau, and lets it go on. The dispatcher skips what is held, the claim
//! hands it back, and a pause ends by itself at its `until`.
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{Kind, Queue};
use crate::actor::{Actor, Role};
use crate::audit::{self, By, Entry};
use crate::ids::{PauseId, TenantId};
use crate::{Error, Result};

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Queue(Queue),
    Kind(Kind),
    Bureau(TenantId),
}

impl Target {
    fn columns(self) -> (Option<Queue>, Option<&'static str>, Option<i64>) {
        match self {
            Self::Queue(queue) => (Some(queue), None, None),
            Self::Kind(kind) => (None, Some(kind.as_str()), None),
            Self::Bureau(tenant) => (None, None, Some(tenant.0)),
        }
    }
}

/// A pause to be set.
#[derive(Debug, Clone)]
pub struct NewPause<'a> {
    pub target: Target,
    pub reason: &'a str,
    /// When it ends by itself; none: when somebody ends it.
    pub until: Option<DateTime<Utc>>,
}

/// Holds the target: what is on its way to a worker goes back to the queue, what runs goes on. Under the scope `Queue`.
pub async fn set(
    conn: &mut PgConnection,
    actor: &Actor,
    pause: &NewPause<'_>,
    now: DateTime<Utc>,
) -> Result<PauseId> {
    check_operator(actor)?;
    let reason = pause.reason.trim();
    if reason.is_empty() {
        return Err(Error::invalid("reason", "Põhjus peab olema täidetud."));
    }
    if pause.until.is_some_and(|until| until <= now) {
        return Err(Error::invalid("until", "Lõpp peab olema tulevikus."));
    }
    let (queue, kind, tenant) = pause.target.columns();
    if let Some(tenant) = tenant {
        sqlx::query_scalar!(r#"select 1 as "one!" from bureaus where id = $1"#, tenant)
            .fetch_optional(&mut *conn)
            .await?
            .ok_or(Error::NotFound)?;
    }
    let id = sqlx::query_scalar!(
        "insert into pauses (queue, kind, tenant_id, reason, created_by, until) values ($1, $2, $3, $4, $5, $6) returning id",
        queue as Option<Queue>,
        kind,
        tenant,
        reason,
        actor.user_id.0,
        pause.until,
    )
    .fetch_one(&mut *conn)
    .await?;
    let back = sqlx::query!(
        "update jobs set state = 'queued', lease_until = null
         where id in (select id from jobs
                      where state = 'dispatched' and ($1::job_queue is null or queue = $1)
                        and ($2::text is null or kind = $2) and ($3::bigint is null or tenant_id = $3)
                      order by id for update)",
        queue as Option<Queue>,
        kind,
        tenant,
    )
    .execute(&mut *conn)
    .await?;
    let mut after = what(queue, kind, tenant);
    after["until"] = json!(pause.until);
    after["returned"] = json!(back.rows_affected());
    let entry = Entry {
        after: Some(after),
        reason: Some(reason.to_owned()),
        ..about(actor, tenant, "pause", id)
    };
    audit::write(conn, &By::from(actor), entry).await?;
    Ok(PauseId(id))
}

/// Lets go on what the pause held; another pause may still hold it. Under the scope `Queue`.
pub async fn end(conn: &mut PgConnection, actor: &Actor, id: PauseId) -> Result<()> {
    check_operator(actor)?;
    let row = sqlx::query!(
        r#"select queue as "queue: Queue", kind, tenant_id,
                  ended_at is not null or coalesce(until <= clock_timestamp(), false) as "over!"
           from pauses where id = $1 for update"#,
        id.0
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::NotFound)?;
    if row.over {
        return Err(Error::refused("pause_over", "Peatamine on juba lõppenud."));
    }
    sqlx::query!(
        "update pauses set ended_at = clock_timestamp() where id = $1",
        id.0
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        before: Some(what(row.queue, row.kind.as_deref(), row.tenant_id)),
        ..about(actor, row.tenant_id, "resume", id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// Source: the table of rights, jobs and queues.
fn check_operator(actor: &Actor) -> Result<()> {
    match actor.role {
        Role::Dev => Ok(()),
        Role::Kt | Role::Koda => Err(Error::Forbidden),
    }
}

fn what(queue: Option<Queue>, kind: Option<&str>, tenant: Option<i64>) -> Value {
    json!({"queue": queue, "kind": kind, "tenantId": tenant})
}

/// A bureau's pause is on its own record, the others on the operator's.
fn about(actor: &Actor, tenant: Option<i64>, action: &'static str, id: i64) -> Entry {
    let tenant = tenant.map_or(actor.tenant_id, TenantId);
    Entry::new(tenant, action, "Pause", id)
}
