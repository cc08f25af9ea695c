//! How a bulk action ends: the closing rule over its rows, after commits that end tasks and in every sweep.
use sqlx::PgConnection;

use super::counts::ends;
use crate::Result;
use crate::ids::{BulkActionId, TenantId, UserId};
use crate::mail::{self, BulkActionFacts, Notice};

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
        r#"update bulk_actions a
         set finished_at = clock_timestamp(), paused_at = null, paused_by = null, version = version + 1,
             status = case
               when has_task(id, 'failed', 'failed') then 3
               when cancelled_at is not null or not has_task(id, 'ok', 'warning') then 4
               when has_task(id, 'warning', 'warning') or has_task(id, 'cancelled', 'cancelled') then 5
               else 2 end,
             told_run = runs
         where id = any($1) and not has_task(id, 'queued', 'running')
         returning id, (select old.told_run < old.runs from bulk_actions old where old.id = a.id) as "untold!""#,
        &open,
    )
    .fetch_all(&mut *conn)
    .await?;
    let untold: Vec<i64> = closed
        .iter()
        .filter_map(|row| row.untold.then_some(row.id))
        .collect();
    tell(conn, &untold).await?;
    Ok(u64::try_from(closed.len()).unwrap_or(u64::MAX))
}

/// Tells whoever ordered the action, and whoever ordered this run of it, how it ended; not who has cancelled it himself.
async fn tell(conn: &mut PgConnection, closed: &[i64]) -> Result<()> {
    if closed.is_empty() {
        return Ok(());
    }
    let actions = sqlx::query!(
        r#"select a.id, a.tenant_id, a.type as kind, a.status, a.runs, a.created_by, a.started_at, a.finished_at as "finished_at!",
                  a.cancelled_by, case when a.runs > 1 then a.retried_by end as retried_by, u.name as ordered_by
           from bulk_actions a
           join users u on u.id = case when a.runs > 1 then coalesce(a.retried_by, a.created_by) else a.created_by end
           where a.id = any($1) order by a.id"#,
        closed,
    )
    .fetch_all(&mut *conn)
    .await?;
    let counts = ends(conn, closed).await?;
    let mut notices = Vec::new();
    for action in actions {
        let tasks = counts.get(&action.id).copied().unwrap_or_default();
        let facts = BulkActionFacts {
            id: action.id,
            kind: action.kind,
            status: action.status,
            run: action.runs,
            ordered_by: action.ordered_by,
            ok: tasks.ok,
            warning: tasks.warning,
            failed: tasks.failed,
            cancelled: tasks.cancelled,
            started_at: action.started_at,
            finished_at: action.finished_at,
        };
        let notice = Notice {
            kind: mail::Kind::BulkAction,
            object: ("BulkAction", action.id),
            run: action.runs,
            tenant: TenantId(action.tenant_id),
            facts: mail::value(&facts),
        };
        let mut people = vec![action.created_by];
        people.extend(action.retried_by.filter(|by| *by != action.created_by));
        people.retain(|by| Some(*by) != action.cancelled_by);
        notices.push((notice, people));
    }
    let told: Vec<(&Notice, UserId)> = notices
        .iter()
        .flat_map(|(notice, people)| people.iter().map(move |user| (notice, UserId(*user))))
        .collect();
    mail::notify_all(conn, &told).await
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
