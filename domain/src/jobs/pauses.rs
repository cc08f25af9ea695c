//! Pauses: an operator holds a queue, a kind or a bureau, and lets it go on. The dispatcher skips what is held, the claim
//! hands it back, and a pause ends by itself at its `until`.
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{Kind, Queue};
use crate::actor::{Actor, Allowed, Person, Role};
use crate::audit::{self, By, Entry};
use crate::bureaus::BureauName;
use crate::ids::{PauseId, TenantId, UserId};
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
    actor.check_operates()?;
    let reason = checked(pause.reason, pause.until, now)?;
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
         where id = any (array(select id from jobs
                               where state = 'dispatched' and ($1::job_queue is null or queue = $1)
                                 and ($2::text is null or kind = $2) and ($3::bigint is null or tenant_id = $3)
                               order by id for update))",
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
    actor.check_operates()?;
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

/// Gives a pause in force another reason and end; none: until somebody ends it. Under the scope `Queue`.
pub async fn change(
    conn: &mut PgConnection,
    actor: &Actor,
    id: PauseId,
    reason: &str,
    until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<()> {
    actor.check_operates()?;
    let reason = checked(reason, until, now)?;
    let row = sqlx::query!(
        r#"select queue as "queue: Queue", kind, tenant_id, reason, until,
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
        "update pauses set reason = $2, until = $3 where id = $1",
        id.0,
        reason,
        until
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        before: Some(json!({"reason": row.reason, "until": row.until})),
        after: Some(json!({"reason": reason, "until": until})),
        ..about(actor, row.tenant_id, "change", id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// A reason that says something and an end that is to come.
fn checked(reason: &str, until: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Result<&str> {
    let reason = required_reason(reason)?;
    if until.is_some_and(|until| until <= now) {
        return Err(Error::invalid("until", "Lõpp peab olema tulevikus."));
    }
    Ok(reason)
}

/// Why something is held or switched off: never blank, at most 500 characters.
pub(crate) fn required_reason(reason: &str) -> Result<&str> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Error::invalid("reason", "Põhjus peab olema täidetud."));
    }
    if reason.chars().count() > 500 || !is_plain(reason) {
        return Err(Error::invalid(
            "reason",
            "Põhjus on liiga pikk või sisaldab lubamatut märki.",
        ));
    }
    Ok(reason)
}

/// Neither control characters nor what shows a text in another order than it was written in; lines may break.
pub(crate) fn is_plain(text: &str) -> bool {
    let is_forbidden = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\r' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    !text.chars().any(is_forbidden)
}

/// A pause as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    pub id: PauseId,
    pub queue: Option<Queue>,
    pub kind: Option<String>,
    pub bureau: Option<BureauName>,
    pub reason: String,
    pub created_by: Option<Person>,
    pub created_at: DateTime<Utc>,
    pub until: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// Which pauses are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    InForce,
    /// The newest hundred, those that are over too.
    All,
    One(PauseId),
}

/// Pauses that the reader may see, newest first.
pub async fn list(conn: &mut PgConnection, which: Which) -> Result<Vec<Pause>> {
    let one = match which {
        Which::One(id) => Some(id.0),
        Which::InForce | Which::All => None,
    };
    let rows = sqlx::query!(
        r#"select p.id, p.queue as "queue: Queue", p.kind, p.tenant_id, b.code as "bureau_code?", b.name as "bureau_name?",
                  p.reason, u.id as "user_id?", u.name as "user_name?", p.created_at, p.until,
                  coalesce(p.ended_at, case when p.until <= clock_timestamp() then p.until end) as ended_at
           from pauses p left join bureaus b on b.id = p.tenant_id left join users u on u.id = p.created_by
           where ($1::bigint is null or p.id = $1)
             and (not $2 or p.ended_at is null and (p.until is null or p.until > clock_timestamp()))
           order by p.id desc limit 100"#,
        one,
        which == Which::InForce,
    )
    .fetch_all(conn)
    .await?;
    let pauses = rows.into_iter().map(|row| Pause {
        id: PauseId(row.id),
        queue: row.queue,
        kind: row.kind,
        bureau: row.tenant_id.zip(row.bureau_code).zip(row.bureau_name).map(
            |((id, code), name)| BureauName {
                id: TenantId(id),
                code,
                name,
            },
        ),
        reason: row.reason,
        created_by: row.user_id.zip(row.user_name).map(|(id, name)| Person {
            id: UserId(id),
            name,
        }),
        created_at: row.created_at,
        until: row.until,
        ended_at: row.ended_at,
    });
    Ok(pauses.collect())
}

/// The buttons of a pause.
pub fn rights(actor: &Actor, pause: &Pause) -> Vec<Allowed> {
    let reason = match () {
        () if actor.role != Role::Dev => Some("Järjekordi peatab ja jätkab arendaja."),
        () if pause.ended_at.is_some() => Some("Peatamine on juba lõppenud."),
        () => None,
    };
    vec![
        Allowed {
            name: "resume",
            reason,
        },
        Allowed {
            name: "edit",
            reason,
        },
    ]
}

/// Whether this actor may set a pause.
pub fn pause_right(actor: &Actor) -> Allowed {
    let reason = (actor.role != Role::Dev).then_some("Järjekordi peatab ja jätkab arendaja.");
    Allowed {
        name: "pause",
        reason,
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
