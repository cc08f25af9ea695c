//! How the queues stand: what waits and runs, how fast it goes, what is wrong; how it went over time is in `series`.
//! Whatever is counted here is counted for the reader's own eyes, up to a bound.
mod series;

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::Result;
use crate::bureaus::BureauName;
use crate::clock::start_of_minute;
use crate::ids::TenantId;
use crate::jobs::Queue;
use crate::jobs::find::COUNTED;

pub use series::{Percentiles, Point, series};

/// A number, and how it is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    Exact(i64),
    /// From figures that are up to a minute or two old.
    About(i64),
    /// Counting stopped here.
    AtLeast(i64),
}

impl Count {
    /// Of a number counted up to [`COUNTED`].
    pub fn bounded(counted: i64) -> Self {
        if counted >= COUNTED {
            Self::AtLeast(COUNTED - 1)
        } else {
            Self::Exact(counted)
        }
    }

    /// A part of what was counted together; where counting stopped before the end there may be more of it.
    pub fn part(counted: i64, stopped: bool) -> Self {
        if stopped {
            Self::AtLeast(counted)
        } else {
            Self::Exact(counted)
        }
    }

    pub fn value(self) -> i64 {
        match self {
            Self::Exact(value) | Self::About(value) | Self::AtLeast(value) => value,
        }
    }
}

/// Minutes of the last hour, oldest first; the present one is not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hour {
    pub from: DateTime<Utc>,
    pub done: Vec<i64>,
    pub failed: Vec<i64>,
}

pub const MINUTES: usize = 60;
/// Over so many full minutes rates are taken.
const RATE_MINUTES: usize = 5;

/// One queue now.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub queue: Queue,
    /// Queued, and on the way to a worker.
    pub waiting: Count,
    /// Of these, those that wait for another try.
    pub retrying: Count,
    pub running: i64,
    pub failed_24h: Count,
    pub oldest_due_at: Option<DateTime<Utc>>,
    /// The same of what no pause holds.
    pub oldest_free_at: Option<DateTime<Utc>>,
    pub bureaus: i64,
    pub actions: i64,
    pub hour: Hour,
    /// Milliseconds, over the last five minutes; none: nothing ended.
    pub mean_wait_ms: Option<i64>,
    pub mean_run_ms: Option<i64>,
}

impl State {
    /// Jobs that ended a minute, over the last five full ones.
    pub fn done_per_minute(&self) -> f64 {
        per_minute(&self.hour.done)
    }

    pub fn failed_per_minute(&self) -> f64 {
        per_minute(&self.hour.failed)
    }

    #[allow(clippy::float_arithmetic, reason = "a ratio")]
    /// Seconds until nothing waits at the present rate; none: it does not drain.
    pub fn drain_seconds(&self) -> Option<i64> {
        drain_seconds(
            self.waiting.value() + self.running,
            self.done_per_minute() + self.failed_per_minute(),
        )
    }
}

#[allow(clippy::float_arithmetic, reason = "a ratio")]
fn per_minute(minutes: &[i64]) -> f64 {
    let last = &minutes[minutes.len().saturating_sub(RATE_MINUTES)..];
    last.iter().sum::<i64>() as f64 / RATE_MINUTES as f64 // a ratio
}

#[allow(clippy::float_arithmetic, reason = "a ratio")]
fn drain_seconds(left: i64, per_minute: f64) -> Option<i64> {
    match left {
        0 => Some(0),
        _ if per_minute <= 0.0 => None,
        left => Some((left as f64 / per_minute * 60.0).ceil() as i64), // a ratio
    }
}

/// All queues as the transaction's scope sees them.
pub async fn states(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<State>> {
    let rows = sqlx::query!(
        r#"select queue as "queue!: Queue", waiting as "waiting!", retrying as "retrying!", running as "running!",
                  oldest_due_at, oldest_free_at, bureaus as "bureaus!", actions as "actions!"
           from queue_states($1)"#,
        COUNTED,
    )
    .fetch_all(&mut *conn)
    .await?;
    let failed = failed_24h(conn, now).await?;
    let failures_stopped = failed.values().sum::<i64>() >= FAILURES;
    let depths = depths(conn, now).await?;
    let from = start_of_minute(now) - TimeDelta::minutes(MINUTES as i64);
    let minutes = sqlx::query!(
        r#"select queue as "queue: Queue", minute, sum(ok + warning + cancelled)::bigint as "done!", sum(failed)::bigint as "failed!",
                  sum(run_ms)::bigint as "run_ms!", sum(wait_ms)::bigint as "wait_ms!"
           from queue_minutes where minute >= $1 group by 1, 2"#,
        from,
    )
    .fetch_all(conn)
    .await?;
    let recent = now - TimeDelta::minutes(RATE_MINUTES as i64 + 1);
    let states = rows.into_iter().map(|row| {
        let mine = || minutes.iter().filter(|minute| minute.queue == row.queue);
        let mut hour = Hour {
            from,
            done: vec![0; MINUTES],
            failed: vec![0; MINUTES],
        };
        for minute in mine() {
            let place = usize::try_from((minute.minute - from).num_minutes()).unwrap_or(MINUTES);
            if let (Some(done), Some(failed)) =
                (hour.done.get_mut(place), hour.failed.get_mut(place))
            {
                (*done, *failed) = (minute.done, minute.failed);
            }
        }
        let lately = || mine().filter(|minute| minute.minute >= recent);
        let ended: i64 = lately().map(|minute| minute.done + minute.failed).sum();
        let mean = |sum: i64| (ended > 0).then(|| sum / ended);
        let waiting = match (Count::bounded(row.waiting), depths.get(&row.queue)) {
            (Count::AtLeast(bound), Some(depth)) if *depth > bound => Count::About(*depth),
            (count, _) => count,
        };
        State {
            queue: row.queue,
            waiting,
            retrying: Count::part(row.retrying, row.waiting >= COUNTED),
            running: row.running,
            failed_24h: Count::part(
                failed.get(&row.queue).copied().unwrap_or(0),
                failures_stopped,
            ),
            oldest_due_at: row.oldest_due_at,
            oldest_free_at: row.oldest_free_at,
            bureaus: row.bureaus,
            actions: row.actions,
            mean_run_ms: mean(lately().map(|minute| minute.run_ms).sum()),
            mean_wait_ms: mean(lately().map(|minute| minute.wait_ms).sum()),
            hour,
        }
    });
    Ok(states.collect())
}

/// Failures of a day that are read, over all queues.
const FAILURES: i64 = 100_000;

async fn failed_24h(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<HashMap<Queue, i64>> {
    let rows = sqlx::query!(
        r#"select queue as "queue!: Queue", failed as "failed!" from failed_since($1, $2)"#,
        start_of_minute(now) - TimeDelta::hours(24),
        FAILURES,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.queue, row.failed))
        .collect())
}

/// What waited at the last count of the leader, not older than three minutes.
async fn depths(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<HashMap<Queue, i64>> {
    let rows = sqlx::query!(
        r#"select queue as "queue: Queue", sum(waiting)::bigint as "waiting!" from queue_depths
           where minute = (select max(minute) from queue_depths where minute >= $1) group by 1"#,
        now - TimeDelta::minutes(3),
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.queue, row.waiting))
        .collect())
}

/// Actions that are not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenActions {
    pub bulk: i64,
    pub operator: i64,
}

/// Those that the transaction's scope sees.
pub async fn open_actions(conn: &mut PgConnection) -> Result<OpenActions> {
    let open = sqlx::query_as!(
        OpenActions,
        r#"select (select count(*) from bulk_actions where status = 1) as "bulk!",
                  (select count(*) from operator_actions where status = 1) as "operator!""#
    )
    .fetch_one(conn)
    .await?;
    Ok(open)
}

/// The leader counts once a minute what waits, in every bureau, for how long, and who could work it.
pub async fn count_depths(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        "insert into queue_depths (minute, queue, tenant_id, waiting, oldest_s, consumers)
         select date_trunc('minute', now()), j.queue, j.tenant_id, j.waiting, j.oldest_s, coalesce(c.most, 0)
         from (select queue, tenant_id, count(*)::int as waiting,
                      extract(epoch from clock_timestamp() - min(run_at) filter (where run_at <= clock_timestamp()))::int as oldest_s
               from (select queue, tenant_id, run_at from jobs where state = 'queued'
                     union all
                     select queue, tenant_id, run_at from jobs where state = 'dispatched') waits
               group by 1, 2) j
         left join (select w.key, sum(w.value::int)::int as most
                    from workers cross join lateral jsonb_each_text(concurrency) w
                    where stopped_at is null and seen_at > clock_timestamp() - interval '30 s' group by 1) c
           on c.key = j.queue::text
         on conflict (minute, queue, tenant_id) do update
         set waiting = excluded.waiting, oldest_s = excluded.oldest_s, consumers = excluded.consumers"
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Jobs of one kind in a queue, over all that the reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindState {
    pub kind: String,
    pub waiting: Count,
    pub running: i64,
}

/// What waits and runs in a queue, by kind and by bureau, the most first; counted over [`COUNTED`] jobs at most.
pub async fn inside(
    conn: &mut PgConnection,
    queue: Queue,
) -> Result<(Vec<KindState>, Vec<(BureauName, Count)>)> {
    let rows = sqlx::query!(
        r#"select k.kind as "kind!", k.tenant_id as "tenant_id!", b.code, b.name, k.waiting as "waiting!", k.running as "running!"
           from queue_kinds($1, $2) k join bureaus b on b.id = k.tenant_id"#,
        queue as Queue,
        COUNTED,
    )
    .fetch_all(conn)
    .await?;
    let (mut kinds, mut bureaus) = (
        HashMap::<String, (i64, i64)>::new(),
        HashMap::<i64, (BureauName, i64)>::new(),
    );
    let stopped = rows.iter().map(|row| row.waiting).sum::<i64>() >= COUNTED;
    for row in rows {
        let kind = kinds.entry(row.kind).or_default();
        (kind.0, kind.1) = (kind.0 + row.waiting, kind.1 + row.running);
        let name = BureauName {
            id: TenantId(row.tenant_id),
            code: row.code,
            name: row.name,
        };
        bureaus.entry(row.tenant_id).or_insert((name, 0)).1 += row.waiting;
    }
    let mut kinds: Vec<KindState> = kinds
        .into_iter()
        .map(|(kind, (waiting, running))| KindState {
            kind,
            waiting: Count::part(waiting, stopped),
            running,
        })
        .collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.waiting.value()));
    let mut bureaus: Vec<_> = bureaus
        .into_values()
        .filter(|(_, waiting)| *waiting > 0)
        .collect();
    bureaus.sort_by_key(|(name, waiting)| (std::cmp::Reverse(*waiting), name.id));
    bureaus.truncate(20);
    let bureaus = bureaus
        .into_iter()
        .map(|(name, waiting)| (name, Count::part(waiting, stopped)));
    Ok((kinds, bureaus.collect()))
}

/// Failures of the last 24 hours by kind, together counted up to [`COUNTED`].
pub async fn failed_kinds(
    conn: &mut PgConnection,
    queue: Queue,
    now: DateTime<Utc>,
) -> Result<Vec<(String, Count)>> {
    let rows = sqlx::query!(
        r#"with f as materialized (select key, failed from failures($1, $2, null, $3))
           select g.kind as "kind!", sum(f.failed)::bigint as "failed!"
           from f join error_group_kinds(array(select distinct key from f)) g on g.key = f.key
           group by 1"#,
        start_of_minute(now) - TimeDelta::hours(24),
        queue as Queue,
        COUNTED,
    )
    .fetch_all(conn)
    .await?;
    let stopped = rows.iter().map(|row| row.failed).sum::<i64>() >= COUNTED;
    let kinds = rows
        .into_iter()
        .map(|row| (row.kind, Count::part(row.failed, stopped)));
    Ok(kinds.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_drains_at_its_rate_or_not_at_all() {
        for (left, per_minute, expected) in [
            (0, 0.0, Some(0)),
            (10, 0.0, None),
            (120, 60.0, Some(120)),
            (1, 60.0, Some(1)),
        ] {
            assert_eq!(drain_seconds(left, per_minute), expected);
        }
        assert!((per_minute(&[100, 1, 2, 3, 4, 5]) - 3.0).abs() < f64::EPSILON);
    }

    #[test]
    fn counts_say_what_they_are() {
        assert_eq!(Count::bounded(10_000), Count::Exact(10_000));
        assert_eq!(Count::bounded(10_001), Count::AtLeast(10_000));
    }
}
