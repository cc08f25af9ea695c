//! The worker processes: who is alive, with what concurrency.
use chrono::{DateTime, Utc};
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

/// How sure it is that a process works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Life {
    Alive,
    /// Silent for [`DOUBTFUL_S`].
    Doubtful,
    /// Silent for [`LOST_S`].
    Lost,
    Stopped,
}

/// Seconds of silence; a process that lives says so every five.
pub const DOUBTFUL_S: i64 = 30;
pub const LOST_S: i64 = 120;

/// A worker process as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Worker {
    pub id: WorkerId,
    pub name: String,
    pub host: String,
    pub pid: i32,
    pub life: Life,
    /// Jobs at once, by queue.
    pub concurrency: Vec<(Queue, i64)>,
    pub running: i64,
    pub started_at: DateTime<Utc>,
    pub seen_at: DateTime<Utc>,
    pub stopped_at: Option<DateTime<Utc>>,
}

/// Processes that live, that are missed since a day, and that stopped within a day.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Worker>> {
    let rows = sqlx::query!(
        r#"select w.id, w.name, w.host, w.pid, w.concurrency, w.started_at, w.seen_at, w.stopped_at,
                  extract(epoch from clock_timestamp() - w.seen_at)::bigint as "silent_s!",
                  (select count(*) from jobs j where j.state = 'running' and j.worker_id = w.id) as "running!"
           from workers w where w.seen_at > clock_timestamp() - interval '1 day' order by w.host, w.id desc limit 500"#
    )
    .fetch_all(conn)
    .await?;
    let workers = rows.into_iter().map(|row| Worker {
        id: WorkerId(row.id),
        name: row.name,
        host: row.host,
        pid: row.pid,
        life: match row.silent_s {
            _ if row.stopped_at.is_some() => Life::Stopped,
            silent if silent >= LOST_S => Life::Lost,
            silent if silent >= DOUBTFUL_S => Life::Doubtful,
            _ => Life::Alive,
        },
        concurrency: Queue::ALL
            .into_iter()
            .filter_map(|queue| Some((queue, row.concurrency.get(queue.as_str())?.as_i64()?)))
            .collect(),
        running: row.running,
        started_at: row.started_at,
        seen_at: row.seen_at,
        stopped_at: row.stopped_at,
    });
    Ok(workers.collect())
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
    /// How long jobs waited and ran: the n-th (from 0) took less than 2ⁿ⁺¹ ms and no less than half of it.
    pub wait_hist: Histogram,
    pub run_hist: Histogram,
}

/// Counts by powers of two of milliseconds; the last takes all above nine minutes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram(pub [i32; 20]);

impl Histogram {
    pub fn add(&mut self, ms: i64) {
        let place = usize::try_from(ms.max(1).ilog2())
            .unwrap_or(0)
            .min(self.0.len() - 1);
        if let Some(count) = self.0.get_mut(place) {
            *count = count.saturating_add(1);
        }
    }

    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }
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
        "insert into queue_minutes as m (minute, queue, kind, tenant_id, ok, warning, failed, cancelled, run_ms, wait_ms,
                                         run_hist, wait_hist)
         values (date_trunc('minute', clock_timestamp()), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict (minute, queue, kind, tenant_id) do update
         set ok = m.ok + excluded.ok, warning = m.warning + excluded.warning, failed = m.failed + excluded.failed,
             cancelled = m.cancelled + excluded.cancelled, run_ms = m.run_ms + excluded.run_ms,
             wait_ms = m.wait_ms + excluded.wait_ms, run_hist = add_each(m.run_hist, excluded.run_hist),
             wait_hist = add_each(m.wait_hist, excluded.wait_hist)",
        queue as Queue,
        kind,
        tenant,
        minute.ok,
        minute.warning,
        minute.failed,
        minute.cancelled,
        minute.run_ms,
        minute.wait_ms,
        &minute.run_hist.0[..],
        &minute.wait_hist.0[..],
    )
    .execute(conn)
    .await?;
    Ok(())
}
