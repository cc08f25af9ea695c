//! A person's retry: the same tasks run again, their history is kept.
use serde_json::json;
use sqlx::PgConnection;

use super::Skipped;
use super::act::{about, action_of, lock, lock_task};
use super::{Status, rights};
use crate::actor::Actor;
use crate::audit::{self, By, Entry};
use crate::ids::{BulkActionId, JobId};
use crate::jobs::{Queue, State, announce};
use crate::{Error, Result, outward};

/// What a retry of an action did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retried {
    pub tasks: i64,
    pub skipped: Vec<Skipped>,
}

const UNKNOWN_OUTCOME: (&str, &str) = ("unknown_outcome", "tulemus teadmata");

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
    let kind = action.kind.job().ok_or(Error::NotFound)?;
    let states: Vec<State> = statuses
        .iter()
        .flat_map(|status| status.states())
        .copied()
        .collect();
    let row = sqlx::query!(
        r#"with wanted as (
             select j.id, exists (select from outward_calls o
                                  where o.job_id = j.id and o.class = 'once' and o.state = 'unknown') as unknown
             from jobs j where j.bulk_action_id = $1 and j.state = any($2)
             order by j.id for update of j
           ), again as (
             update jobs j
             set state = 'queued', run_at = clock_timestamp(), started_at = null, finished_at = null, lease_until = null,
                 output = null, error_code = null, error_key = null, cancel_at = null, failures = 0, crashes = 0, suspect = false, priority = 0, retried_by = $3
             from wanted w where j.id = w.id and not w.unknown
             returning j.id
           )
           select (select array_agg(id) from again) as ids, (select count(*) from wanted where unknown) as "unknown!""#,
        id.0,
        &states as &[State],
        actor.user_id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    let ids = row.ids.unwrap_or_default();
    let tasks = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    if kind.queue() != Queue::Bulk {
        outward::order_anew(conn, &ids).await?;
    }
    if tasks == 0 {
        return Err(Error::refused(
            "nothing_to_retry",
            "Korratavaid alamtegevusi ei ole.",
        ));
    }
    sqlx::query!(
        "update bulk_actions
         set status = 1, finished_at = null, paused_at = null, retried_by = $2, updated_by = $2,
             runs = runs + 1, version = version + 1
         where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    let (reason, text) = UNKNOWN_OUTCOME;
    let skipped: Vec<_> = (row.unknown > 0)
        .then(|| Skipped {
            reason,
            text: text.into(),
            count: row.unknown,
        })
        .into_iter()
        .collect();
    let numbers: Vec<i16> = statuses.iter().map(|status| status.number()).collect();
    let entry = Entry {
        after: Some(json!({"tasks": tasks, "statuses": numbers, "skipped": row.unknown})),
        ..about(&action, "retry")
    };
    audit::write(conn, &By::from(actor), entry).await?;
    announce(conn, kind.queue()).await?;
    Ok(Retried { tasks, skipped })
}

/// Retries one task, ahead of its bureau's other work.
pub async fn retry_task(conn: &mut PgConnection, actor: &Actor, id: JobId) -> Result<()> {
    let action_id = action_of(conn, id).await?;
    let action = lock(conn, actor, action_id).await?;
    let state = lock_task(conn, id).await?;
    rights::check_retry_task(&action, state)?;
    let kind = action.kind.job().ok_or(Error::NotFound)?;
    let unknown = sqlx::query_scalar!(
        r#"select exists (select from outward_calls where job_id = $1 and class = 'once' and state = 'unknown') as "unknown!""#,
        id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    if unknown {
        let (code, text) = UNKNOWN_OUTCOME;
        return Err(Error::refused(
            code,
            format!("Alamtegevust ei saa korrata: {text}."),
        ));
    }
    sqlx::query!(
        "update jobs
         set state = 'queued', run_at = clock_timestamp(), started_at = null, finished_at = null, lease_until = null,
             output = null, error_code = null, error_key = null, cancel_at = null, failures = 0, crashes = 0, suspect = false, priority = 1, retried_by = $2
         where id = $1",
        id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "update bulk_actions set status = 1, finished_at = null, retried_by = $2, updated_by = $2, version = version + 1
         where id = $1",
        action.id.0,
        actor.user_id.0,
    )
    .execute(&mut *conn)
    .await?;
    if kind.queue() != Queue::Bulk {
        outward::order_anew(conn, &[id.0]).await?;
    }
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
    .await?;
    announce(conn, kind.queue()).await
}
