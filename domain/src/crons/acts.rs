//! What people do to crons: run one now, switch it off and on.
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::fire::{self, Last};
use super::table::{Cron, Overlap};
use super::view::Seen;
use crate::actor::{Actor, Allowed, Role};
use crate::audit::{self, By, Entry};
use crate::ids::JobId;
use crate::jobs::pauses::required_reason;
use crate::{Error, Result};

const OPERATOR: &str = "Ajastatud töid lülitab välja ja sisse arendaja.";
const RUNS: &str = "Eelmine käivitus veel käib.";
const ON: &str = "Ajastatud töö on sisse lülitatud.";
const OFF: &str = "Ajastatud töö on juba välja lülitatud.";
const FAILED: &str = "Töö on välja lülitatud tõrgete tõttu; ava see uuesti.";
const BY_HAND: &str = "Töö lülitas välja inimene; lülita see sisse.";

/// How a cron that is shut is put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// What a person has switched off.
    Enable,
    /// What failed again and again.
    Reopen,
}

/// Runs it now, beside its due times. Refused (`cron_runs`) while its last job lives and may not be overlapped.
/// Under the scope `Queue`.
pub async fn execute(
    conn: &mut PgConnection,
    actor: &Actor,
    cron: &Cron,
    now: DateTime<Utc>,
) -> Result<JobId> {
    actor.check_oversees()?;
    lock(conn, cron).await?;
    let last = fire::last(conn, cron).await?;
    if cron.overlap == Overlap::Skip && last == Last::Lives {
        return Err(Error::refused("cron_runs", RUNS));
    }
    let job = fire::run(conn, cron, last, now, Some(actor))
        .await?
        .ok_or_else(|| Error::refused("cron_runs", RUNS))?;
    let entry = Entry {
        after: Some(json!({"cron": cron.name, "job": job})),
        ..about(actor, cron, "execute")
    };
    audit::write(conn, &By::from(actor), entry).await?;
    Ok(job)
}

/// Switches it off: its due times pass without a firing. Under the scope `Queue`.
pub async fn disable(
    conn: &mut PgConnection,
    actor: &Actor,
    cron: &Cron,
    reason: &str,
) -> Result<()> {
    actor.check_operates()?;
    let reason = required_reason(reason)?;
    if lock(conn, cron).await?.is_some() {
        return Err(Error::refused("cron_disabled", OFF));
    }
    sqlx::query!(
        "update crons set shut_at = clock_timestamp(), shut_by = $2, shut_reason = $3 where name = $1",
        cron.name,
        actor.user_id.0,
        reason,
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        after: Some(json!({"cron": cron.name})),
        reason: Some(reason.to_owned()),
        ..about(actor, cron, "disable")
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// Puts it back: the first due time after `now` fires, and earlier failures count no more. Under the scope `Queue`.
pub async fn open(
    conn: &mut PgConnection,
    actor: &Actor,
    cron: &Cron,
    how: Open,
    now: DateTime<Utc>,
) -> Result<()> {
    actor.check_operates()?;
    match (lock(conn, cron).await?, how) {
        (None, _) => return Err(Error::refused("cron_enabled", ON)),
        (Some(Shut::Failing), Open::Enable) => {
            return Err(Error::refused("cron_failed", FAILED));
        }
        (Some(Shut::ByHand), Open::Reopen) => {
            return Err(Error::refused("cron_disabled", BY_HAND));
        }
        (Some(Shut::Failing), Open::Reopen) | (Some(Shut::ByHand), Open::Enable) => {}
    }
    sqlx::query!(
        "update crons
         set shut_at = null, shut_by = null, shut_reason = null, opened_at = clock_timestamp(), decided_at = $2
         where name = $1",
        cron.name,
        now,
    )
    .execute(&mut *conn)
    .await?;
    let action = match how {
        Open::Enable => "enable",
        Open::Reopen => "reopen",
    };
    let entry = Entry {
        after: Some(json!({"cron": cron.name})),
        ..about(actor, cron, action)
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// Who switched it off.
enum Shut {
    ByHand,
    Failing,
}

/// Its row, made where there is none, for this transaction.
async fn lock(conn: &mut PgConnection, cron: &Cron) -> Result<Option<Shut>> {
    sqlx::query!(
        "insert into crons (name) values ($1) on conflict do nothing",
        cron.name
    )
    .execute(&mut *conn)
    .await?;
    let row = sqlx::query!(
        r#"select shut_at is not null as "shut!", shut_by is not null as "by_hand!" from crons where name = $1 for update"#,
        cron.name
    )
    .fetch_one(conn)
    .await?;
    Ok(match (row.shut, row.by_hand) {
        (false, _) => None,
        (true, true) => Some(Shut::ByHand),
        (true, false) => Some(Shut::Failing),
    })
}

/// The buttons of a cron.
pub fn rights(actor: &Actor, seen: &Seen) -> Vec<Allowed> {
    let operator = (actor.role != Role::Dev).then_some(OPERATOR);
    let shut = seen.shut.as_ref();
    let by_hand = shut.map(|shut| shut.by.is_some());
    let of = |name, reason| Allowed { name, reason };
    vec![
        of(
            "execute",
            (seen.lives && seen.cron.overlap == Overlap::Skip).then_some(RUNS),
        ),
        of("disable", operator.or(shut.map(|_| OFF))),
        of(
            "enable",
            operator.or(match by_hand {
                None => Some(ON),
                Some(false) => Some(FAILED),
                Some(true) => None,
            }),
        ),
        of(
            "reopen",
            operator.or(match by_hand {
                None => Some(ON),
                Some(true) => Some(BY_HAND),
                Some(false) => None,
            }),
        ),
    ]
}

fn about(actor: &Actor, cron: &Cron, action: &'static str) -> Entry {
    Entry {
        before: None::<Value>,
        ..Entry::new(actor.tenant_id, action, "Cron", cron.id)
    }
}
