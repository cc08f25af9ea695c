//! What a person does to a running or ended action: cancel, pause, resume, pace, mark a task as done, confirm the result.
use serde_json::json;
use sqlx::PgConnection;

use super::close::{cancel_waiting, close_finished};
use super::history::{Action, find};
use super::{Status, rights};
use crate::actor::Actor;
use crate::audit::{self, By, Entry};
use crate::ids::{BulkActionId, JobId};
use crate::jobs::State;
use crate::{Error, Result};

/// How fast an action may run; nothing set: as fast as its queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pace {
    /// New tasks a second.
    pub per_second: Option<i32>,
    /// Tasks at once.
    pub parallel: Option<i32>,
}

/// The action, locked and read; refused where it is not the actor's to steer.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    actor: &Actor,
    id: BulkActionId,
) -> Result<Action> {
    rights::check_owner(actor, &find(conn, id).await?)?;
    sqlx::query!("select id from bulk_actions where id = $1 for update", id.0)
        .fetch_optional(&mut *conn)
        .await?
        .ok_or(Error::NotFound)?;
    find(conn, id).await
}

/// Cancels: at once for what waits, before its next step for what runs. The action is closed when nothing runs any more.
pub async fn cancel(conn: &mut PgConnection, actor: &Actor, id: BulkActionId) -> Result<()> {
    let action = lock(conn, actor, id).await?;
    rights::check_steer(&action)?;
    sqlx::query!(
        "update bulk_actions
         set cancelled_at = clock_timestamp(), cancelled_by = $2, updated_by = $2, paused_at = null, version = version + 1
         where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    let cancelled = cancel_waiting(conn, id).await?;
    let entry = Entry {
        after: Some(json!({"tasks": cancelled})),
        ..about(&action, "cancel")
    };
    audit::write(conn, &By::from(actor), entry).await?;
    close_finished(conn, &[id]).await?;
    Ok(())
}

/// Holds the action: no task starts until it is resumed; those on their way go back to the queue.
pub async fn pause(conn: &mut PgConnection, actor: &Actor, id: BulkActionId) -> Result<()> {
    let action = lock(conn, actor, id).await?;
    rights::check_pause(&action)?;
    sqlx::query!(
        "update bulk_actions set paused_at = clock_timestamp(), paused_by = $2, updated_by = $2, version = version + 1
         where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "update jobs set state = 'queued', lease_until = null
         where id = any (array(select id from jobs where bulk_action_id = $1 and state = 'dispatched' order by id for update))",
        id.0,
    )
    .execute(&mut *conn)
    .await?;
    audit::write(conn, &By::from(actor), about(&action, "pause")).await
}

/// Lets a paused action run on.
pub async fn resume(conn: &mut PgConnection, actor: &Actor, id: BulkActionId) -> Result<()> {
    let action = lock(conn, actor, id).await?;
    rights::check_resume(&action)?;
    let kind = action.kind.job().ok_or(Error::NotFound)?;
    sqlx::query!(
        "update bulk_actions set paused_at = null, paused_by = null, moves_since = clock_timestamp(), updated_by = $2, version = version + 1 where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    audit::write(conn, &By::from(actor), about(&action, "resume")).await?;
    crate::jobs::announce(conn, kind.queue()).await
}

/// Sets how fast the action runs from now on.
pub async fn set_pace(
    conn: &mut PgConnection,
    actor: &Actor,
    id: BulkActionId,
    pace: Pace,
) -> Result<()> {
    for (path, value, most) in [
        ("perSecond", pace.per_second, 100_000),
        ("parallel", pace.parallel, 10_000),
    ] {
        if value.is_some_and(|value| !(1..=most).contains(&value)) {
            return Err(Error::invalid(
                path,
                format!("Väärtus peab olema 1 kuni {most}."),
            ));
        }
    }
    let action = lock(conn, actor, id).await?;
    rights::check_steer(&action)?;
    sqlx::query!(
        "update bulk_actions set pace_per_second = $2, pace_parallel = $3, updated_by = $4, version = version + 1
         where id = $1",
        id.0,
        pace.per_second,
        pace.parallel,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        before: Some(json!({"perSecond": action.per_second, "parallel": action.parallel})),
        after: Some(json!({"perSecond": pace.per_second, "parallel": pace.parallel})),
        ..about(&action, "pace")
    };
    audit::write(conn, &By::from(actor), entry).await
}

/// A person settles a failed or warning task by hand: it becomes ok, with the reason on record.
pub async fn mark_done(
    conn: &mut PgConnection,
    actor: &Actor,
    id: JobId,
    reason: &str,
) -> Result<()> {
    let reason = reason.trim();
    if reason.is_empty() {
        return Err(Error::invalid("reason", "Põhjus puudub."));
    }
    if reason.chars().count() > 2_000 || !crate::jobs::pauses::is_plain(reason) {
        return Err(Error::invalid(
            "reason",
            "Põhjus on liiga pikk või sisaldab lubamatut märki.",
        ));
    }
    let action_id = action_of(conn, id).await?;
    let action = lock(conn, actor, action_id).await?;
    let task = lock_task(conn, id).await?;
    rights::check_mark(task)?;
    sqlx::query!(
        "update jobs set state = 'ok', finished_at = clock_timestamp(), error_code = null,
                         output = concat_ws(e'\\n', nullif(output, ''), 'Märgitud tehtuks: ' || $2)
         where id = $1",
        id.0,
        reason,
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        before: Some(json!({"state": task.as_str()})),
        after: Some(json!({"state": "ok"})),
        reason: Some(reason.to_owned()),
        ..Entry::new(action.tenant_id, "mark_done", "BulkActionTask", id.0)
    };
    audit::write(
        conn,
        &By {
            job_id: Some(id),
            ..By::from(actor)
        },
        entry,
    )
    .await?;
    follow_rows(conn, actor, &action).await
}

/// A request to call the action done: it stands only where the rows say so.
pub async fn confirm_success(
    conn: &mut PgConnection,
    actor: &Actor,
    id: BulkActionId,
) -> Result<()> {
    let status = settled(conn, actor, id).await?;
    match status {
        Status::Ok | Status::Warning => Ok(()),
        _ => Err(Error::refused(
            "not_successful",
            "Masstegevust ei saa lugeda õnnestunuks: selles on töös, ebaõnnestunud või katkestatud alamtegevusi.",
        )),
    }
}

/// A request to call the action failed: it stands only where a task failed and none runs.
pub async fn confirm_failed(
    conn: &mut PgConnection,
    actor: &Actor,
    id: BulkActionId,
) -> Result<()> {
    let status = settled(conn, actor, id).await?;
    match status {
        Status::Failed => Ok(()),
        _ => Err(Error::refused(
            "not_failed",
            "Masstegevust ei saa lugeda ebaõnnestunuks: ebaõnnestunud alamtegevusi ei ole või mõni on töös.",
        )),
    }
}

async fn settled(conn: &mut PgConnection, actor: &Actor, id: BulkActionId) -> Result<Status> {
    lock(conn, actor, id).await?;
    close_finished(conn, &[id]).await?;
    Ok(find(conn, id).await?.status)
}

/// The action's result follows its rows after a person changed one by hand.
pub(crate) async fn follow_rows(
    conn: &mut PgConnection,
    actor: &Actor,
    action: &Action,
) -> Result<()> {
    reopen(conn, actor, action).await?;
    close_finished(conn, &[action.id]).await?;
    Ok(())
}

/// Opens a closed action for the closing rule, which then follows the rows.
pub(super) async fn reopen(conn: &mut PgConnection, actor: &Actor, action: &Action) -> Result<()> {
    sqlx::query!(
        "update bulk_actions set status = 1, finished_at = null, moves_since = clock_timestamp(), updated_by = $2, version = version + 1 where id = $1",
        action.id.0,
        actor.user_id.0,
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub(super) async fn action_of(conn: &mut PgConnection, id: JobId) -> Result<BulkActionId> {
    let action = sqlx::query_scalar!(
        r#"select bulk_action_id as "id!" from jobs where id = $1 and bulk_action_id is not null"#,
        id.0
    )
    .fetch_optional(conn)
    .await?;
    action.map(BulkActionId).ok_or(Error::NotFound)
}

/// The task's state, locked after its action.
pub(super) async fn lock_task(conn: &mut PgConnection, id: JobId) -> Result<State> {
    sqlx::query_scalar!(
        r#"select state as "state: State" from jobs where id = $1 for update"#,
        id.0
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::NotFound)
}

pub(super) fn about(action: &Action, act: &'static str) -> Entry {
    Entry::new(action.tenant_id, act, "BulkAction", action.id.0)
}
