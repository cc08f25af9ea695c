//! What a person does to an operator action under way: pause, resume, stop, pace.
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::view::{OperatorAction, check_owner, find, rights};
use crate::actor::Actor;
use crate::audit::{self, By, Entry};
use crate::ids::OperatorActionId;
use crate::{Error, Result};

/// Holds the action: no further job is taken up. What was queued again goes on.
pub async fn pause(conn: &mut PgConnection, actor: &Actor, id: OperatorActionId) -> Result<()> {
    let action = lock(conn, actor, id, "pause").await?;
    sqlx::query!(
        "update operator_actions set paused_at = clock_timestamp(), paused_by = $2, version = version + 1 where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    note(conn, actor, &action, "pause", None, None).await
}

/// Lets a held action go on.
pub async fn resume(conn: &mut PgConnection, actor: &Actor, id: OperatorActionId) -> Result<()> {
    let action = lock(conn, actor, id, "resume").await?;
    sqlx::query!(
        "update operator_actions set paused_at = null, paused_by = null, moves_since = clock_timestamp(), version = version + 1 where id = $1",
        id.0,
    )
    .execute(&mut *conn)
    .await?;
    note(conn, actor, &action, "resume", None, None).await
}

/// Ends it for good: what was not reached is skipped. What was queued again goes on.
pub async fn stop(conn: &mut PgConnection, actor: &Actor, id: OperatorActionId) -> Result<()> {
    let action = lock(conn, actor, id, "stop").await?;
    sqlx::query!(
        "update operator_actions
         set stopped_at = clock_timestamp(), stopped_by = $2, paused_at = null, paused_by = null, version = version + 1
         where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    note(conn, actor, &action, "stop", None, None).await
}

/// Sets how many jobs a second are taken up from now on; none: as many as the machine can.
pub async fn set_pace(
    conn: &mut PgConnection,
    actor: &Actor,
    id: OperatorActionId,
    per_second: Option<i32>,
) -> Result<()> {
    check_pace(per_second)?;
    let action = lock(conn, actor, id, "pace").await?;
    sqlx::query!(
        "update operator_actions set per_second = $2, version = version + 1 where id = $1",
        id.0,
        per_second,
    )
    .execute(&mut *conn)
    .await?;
    let (before, after) = (
        json!({"perSecond": action.per_second}),
        json!({"perSecond": per_second}),
    );
    note(conn, actor, &action, "pace", Some(before), Some(after)).await
}

pub(super) fn check_pace(per_second: Option<i32>) -> Result<()> {
    if per_second.is_some_and(|pace| !(1..=100_000).contains(&pace)) {
        return Err(Error::invalid(
            "perSecond",
            "Väärtus peab olema 1 kuni 100000.",
        ));
    }
    Ok(())
}

/// The action, locked; refused where this act is not allowed now.
async fn lock(
    conn: &mut PgConnection,
    actor: &Actor,
    id: OperatorActionId,
    act: &str,
) -> Result<OperatorAction> {
    check_owner(actor, &find(conn, id).await?)?;
    sqlx::query!(
        "select id from operator_actions where id = $1 for update",
        id.0
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::NotFound)?;
    let action = find(conn, id).await?;
    let reason = rights(actor, &action)
        .into_iter()
        .find(|right| right.name == act)
        .and_then(|right| right.reason);
    match reason {
        None => Ok(action),
        Some(reason) => Err(Error::refused("not_now", reason)),
    }
}

async fn note(
    conn: &mut PgConnection,
    actor: &Actor,
    action: &OperatorAction,
    act: &'static str,
    before: Option<Value>,
    after: Option<Value>,
) -> Result<()> {
    let entry = Entry {
        before,
        after,
        ..Entry::new(action.bureau.id, act, "OperatorAction", action.id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}
