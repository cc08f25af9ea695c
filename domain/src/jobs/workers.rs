//! The worker processes: who is alive, with what concurrency.
use serde_json::json;
use sqlx::PgConnection;

use super::Queue;
use crate::Result;
use crate::ids::WorkerId;

/// Registers one start of a worker process; the name is new at every start.
pub async fn register(
    conn: &mut PgConnection,
    name: &str,
    host: &str,
    pid: u32,
    concurrency: &[(Queue, usize)],
) -> Result<WorkerId> {
    let map: serde_json::Map<_, _> = concurrency
        .iter()
        .map(|(queue, most)| (queue.as_str().to_owned(), json!(most)))
        .collect();
    let id = sqlx::query_scalar!(
        "insert into workers (name, host, pid, concurrency) values ($1, $2, $3, $4) returning id",
        name,
        host,
        i32::try_from(pid).unwrap_or(0),
        serde_json::Value::Object(map),
    )
    .fetch_one(conn)
    .await?;
    Ok(WorkerId(id))
}

/// Says that the process lives.
pub async fn beat(conn: &mut PgConnection, worker: WorkerId) -> Result<()> {
    sqlx::query!(
        "update workers set seen_at = clock_timestamp() where id = $1",
        worker.0
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Says that the process has ended in order.
pub async fn leave(conn: &mut PgConnection, worker: WorkerId) -> Result<()> {
    sqlx::query!("update workers set stopped_at = clock_timestamp(), seen_at = clock_timestamp() where id = $1", worker.0)
        .execute(conn)
        .await?;
    Ok(())
}

/// Jobs of each queue that all living processes together work on at once, in tasks of Redis.
pub async fn live_concurrency(conn: &mut PgConnection) -> Result<Vec<(Queue, i64)>> {
    let rows = sqlx::query!(
        r#"select c.key as "queue!", sum(c.value::bigint)::bigint as "most!"
           from workers w cross join lateral jsonb_each_text(w.concurrency) c
           where w.stopped_at is null and w.seen_at > clock_timestamp() - interval '15 s'
           group by c.key"#
    )
    .fetch_all(conn)
    .await?;
    let known = |name: &str| Queue::ALL.into_iter().find(|queue| queue.as_str() == name);
    Ok(rows
        .into_iter()
        .filter_map(|row| Some((known(&row.queue)?, row.most)))
        .collect())
}

/// Finished work of one minute, queue, kind and bureau, added up by a process.
#[derive(Debug, Clone, Default)]
pub struct Minute {
    pub ok: i32,
    pub warning: i32,
    pub failed: i32,
    pub cancelled: i32,
    pub run_ms: i64,
    pub wait_ms: i64,
}

/// Adds a process's figures to the rollup.
pub async fn add_minute(
    conn: &mut PgConnection,
    queue: Queue,
    kind: &str,
    tenant: i64,
    minute: &Minute,
) -> Result<()> {
    sqlx::query!(
        "insert into queue_minutes as m (minute, queue, kind, tenant_id, ok, warning, failed, cancelled, run_ms, wait_ms)
         values (date_trunc('minute', clock_timestamp()), $1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (minute, queue, kind, tenant_id) do update
         set ok = m.ok + excluded.ok, warning = m.warning + excluded.warning, failed = m.failed + excluded.failed,
             cancelled = m.cancelled + excluded.cancelled, run_ms = m.run_ms + excluded.run_ms,
             wait_ms = m.wait_ms + excluded.wait_ms",
        queue as Queue,
        kind,
        tenant,
        minute.ok,
        minute.warning,
        minute.failed,
        minute.cancelled,
        minute.run_ms,
        minute.wait_ms,
    )
    .execute(conn)
    .await?;
    Ok(())
}
