//! How a bulk action ends: the closing rule over its rows, after commits that end tasks and in every sweep.
use sqlx::PgConnection;

use crate::Result;
use crate::ids::BulkActionId;

/// Closes those of `actions` that have no live task left, and notes when each began. Idempotent; call it in a transaction
/// of its own under the queue's scope, after the commit that ended tasks. Returns how many were closed.
pub async fn close_finished(conn: &mut PgConnection, actions: &[BulkActionId]) -> Result<u64> {
    // Most times there is nothing to do; asked without a lock, so that the ends of tasks do not queue for the row.
    let due = sqlx::query_scalar!(
        "select id from bulk_actions a
         where id = any($1) and status = 1 and (cases_frozen_at is not null or cancelled_at is not null)
           and (started_at is null and has_task(id, 'running', 'failed') or not has_task(id, 'queued', 'running'))",
        &actions.iter().map(|id| id.0).collect::<Vec<_>>(),
    )
    .fetch_all(&mut *conn)
    .await?;
    if due.is_empty() {
        return Ok(0);
    }
    // The lock comes alone: only the next statement's snapshot shows what a retry wrote before it let go.
    let open = sqlx::query_scalar!(
        "select id from bulk_actions where id = any($1) and status = 1 order by id for update",
        &due,
    )
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query!(
        "update bulk_actions a
         set started_at = (select min(j.started_at) from jobs j
                           where j.bulk_action_id = a.id and j.state in ('running', 'ok', 'warning', 'failed'))
         where id = any($1) and started_at is null",
        &open,
    )
    .execute(&mut *conn)
    .await?;
    let closed = sqlx::query!(
        "update bulk_actions
         set finished_at = clock_timestamp(), paused_at = null, paused_by = null, version = version + 1,
             status = case
               when has_task(id, 'failed', 'failed') then 3
               when cancelled_at is not null or not has_task(id, 'ok', 'warning') then 4
               when has_task(id, 'warning', 'warning') or has_task(id, 'cancelled', 'cancelled') then 5
               else 2 end
         where id = any($1) and not has_task(id, 'queued', 'running')",
        &open,
    )
    .execute(conn)
    .await?;
    Ok(closed.rows_affected())
}

/// The sweeper's part: tasks that came back to the queue of a cancelled action, actions to close, and actions that got no
/// cases within an hour. Returns how many were closed.
pub async fn sweep(conn: &mut PgConnection) -> Result<u64> {
    sqlx::query!(
        "with stale as (
           update bulk_actions set cancelled_at = clock_timestamp(), version = version + 1
           where status = 1 and cases_frozen_at is null and cancelled_at is null
             and created_at < clock_timestamp() - interval '1 hour'
           returning id, tenant_id, version
         )
         insert into audit (tenant_id, action, object_class, object_id, version, message)
         select tenant_id, 'cancel', 'BulkAction', id, version, 'Toimikuid ei lisatud tunni jooksul.' from stale"
    )
    .execute(&mut *conn)
    .await?;
    let open = sqlx::query!(r#"select id, cancelled_at is not null as "cancelled!" from bulk_actions where status = 1 order by id"#)
        .fetch_all(&mut *conn)
        .await?;
    for action in open.iter().filter(|action| action.cancelled) {
        cancel_waiting(conn, BulkActionId(action.id)).await?;
    }
    let open: Vec<BulkActionId> = open
        .into_iter()
        .map(|action| BulkActionId(action.id))
        .collect();
    close_finished(conn, &open).await
}

/// Cancels what waits or is on its way; the running ones see it before their next step.
pub(super) async fn cancel_waiting(conn: &mut PgConnection, action: BulkActionId) -> Result<u64> {
    let ended = sqlx::query_scalar!(
        "update jobs
         set state = 'cancelled', finished_at = clock_timestamp(), lease_until = null, output = 'Katkestatud.'
         where id = any (array(select id from jobs where bulk_action_id = $1 and state in ('queued', 'dispatched')
                               order by id for update))
         returning id",
        action.0,
    )
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query!("select count_ended($1)", &ended)
        .execute(conn)
        .await?;
    Ok(u64::try_from(ended.len()).unwrap_or(u64::MAX))
}
