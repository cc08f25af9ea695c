//! A person's retry: the same tasks run again, their history is kept.
use serde_json::json;
use sqlx::PgConnection;

use super::Skipped;
use super::act::{about, action_of, lock, lock_task};
use super::{Status, rights};
use crate::actor::Actor;
use crate::audit::{self, By, Entry};
use crate::ids::{BulkActionId, JobId};
use crate::jobs::State;
use crate::jobs::acts::{self, FIRST, Order, UNKNOWN_OUTCOME, run_again};
use crate::{Error, Result};

/// What a retry of an action did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retried {
    pub tasks: i64,
    pub skipped: Vec<Skipped>,
}

/// Retries the tasks with one of these statuses, by default failed and warning ones. A task whose ledger holds an unknown
/// outcome of a message that must not be sent twice is skipped.
pub async fn retry(
    conn: &mut PgConnection,
    actor: &Actor,
    id: BulkActionId,
    statuses: &[Status],
) -> Result<Retried> {
    let statuses = if statuses.is_empty() {
        &[Status::Failed, Status::Warning][..]
    } else {
        statuses
    };
    if statuses
        .iter()
        .any(|status| matches!(status, Status::InProgress | Status::Ok))
    {
        return Err(Error::invalid(
            "status",
            "Korrata saab ainult ebaõnnestunud, katkestatud või hoiatusega alamtegevusi.",
        ));
    }
    let action = lock(conn, actor, id).await?;
    rights::check_retry(&action)?;
    let states: Vec<State> = statuses
        .iter()
        .flat_map(|status| status.states())
        .copied()
        .collect();
    let wanted = sqlx::query!(
        r#"select j.id, exists (select from outward_calls o
                                where o.job_id = j.id and o.class = 'once' and o.state = 'unknown') as "unknown!"
           from jobs j where j.bulk_action_id = $1 and j.state = any($2)
           order by j.id for update of j"#,
        id.0,
        &states as &[State],
    )
    .fetch_all(&mut *conn)
    .await?;
    let ids: Vec<i64> = wanted
        .iter()
        .filter(|job| !job.unknown)
        .map(|job| job.id)
        .collect();
    let tasks = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let unknown = i64::try_from(wanted.len() - ids.len()).unwrap_or(i64::MAX);
    if tasks == 0 {
        return Err(Error::refused(
            "nothing_to_retry",
            "Korratavaid alamtegevusi ei ole.",
        ));
    }
    run_again(conn, &ids, &order(actor, 0)).await?;
    sqlx::query!(
        "update bulk_actions
         set status = 1, finished_at = null, moves_since = clock_timestamp(), paused_at = null, retried_by = $2, updated_by = $2,
             runs = runs + 1, version = version + 1
         where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    let (reason, text) = UNKNOWN_OUTCOME;
    let skipped: Vec<_> = (unknown > 0)
        .then(|| Skipped {
            reason,
            text: text.into(),
            count: unknown,
        })
        .into_iter()
        .collect();
    let numbers: Vec<i16> = statuses.iter().map(|status| status.number()).collect();
    let entry = Entry {
        after: Some(json!({"tasks": tasks, "statuses": numbers, "skipped": unknown})),
        ..about(&action, "retry")
    };
    audit::write(conn, &By::from(actor), entry).await?;
    Ok(Retried { tasks, skipped })
}

/// Retries one task, ahead of its bureau's other work.
pub async fn retry_task(conn: &mut PgConnection, actor: &Actor, id: JobId) -> Result<()> {
    let action_id = action_of(conn, id).await?;
    let action = lock(conn, actor, action_id).await?;
    let state = lock_task(conn, id).await?;
    rights::check_retry_task(&action, state)?;
    if !acts::unknown(conn, &[id.0]).await?.is_empty() {
        let (code, text) = UNKNOWN_OUTCOME;
        return Err(Error::refused(
            code,
            format!("Alamtegevust ei saa korrata: {text}."),
        ));
    }
    run_again(conn, &[id.0], &order(actor, FIRST)).await?;
    sqlx::query!(
        "update bulk_actions set status = 1, finished_at = null, moves_since = clock_timestamp(), retried_by = $2, updated_by = $2, version = version + 1
         where id = $1",
        action.id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        before: Some(json!({"state": state.as_str()})),
        after: Some(json!({"state": "queued"})),
        ..Entry::new(action.tenant_id, "retry", "BulkActionTask", id.0)
    };
    audit::write(
        conn,
        &By {
            job_id: Some(id),
            ..By::from(actor)
        },
        entry,
    )
    .await
}

fn order(actor: &Actor, priority: i16) -> Order<'_> {
    Order {
        by: actor.user_id.0,
        request_id: Some(&actor.request_id),
        priority,
    }
}
