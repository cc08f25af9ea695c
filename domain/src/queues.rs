//! How the queues stand: what waits and runs, how fast it goes, what is wrong; and how it went over time, from the rollup.
//! Whatever is counted here is counted for the reader's own eyes, up to a bound.
use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::bureaus::BureauName;
use crate::ids::TenantId;
use crate::jobs::Queue;
use crate::jobs::find::COUNTED;
use crate::{Error, Result};

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
                  oldest_due_at, bureaus as "bureaus!", actions as "actions!"
           from queue_states($1)"#,
        COUNTED,
    )
    .fetch_all(&mut *conn)
    .await?;
    let failed = failed_24h(conn, now).await?;
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
            retrying: Count::bounded(row.retrying),
            running: row.running,
            failed_24h: failed
                .get(&row.queue)
                .copied()
                .map_or(Count::Exact(0), Count::bounded),
            oldest_due_at: row.oldest_due_at,
            bureaus: row.bureaus,
            actions: row.actions,
            mean_run_ms: mean(lately().map(|minute| minute.run_ms).sum()),
            mean_wait_ms: mean(lately().map(|minute| minute.wait_ms).sum()),
            hour,
        }
    });
    Ok(states.collect())
}

async fn failed_24h(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<HashMap<Queue, i64>> {
    let rows = sqlx::query!(
        r#"select queue as "queue!: Queue", failed as "failed!" from failed_since($1, $2)"#,
        now - TimeDelta::hours(24),
        COUNTED,
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

/// The leader counts once a minute what waits, in every bureau.
pub async fn count_depths(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        "insert into queue_depths (minute, queue, tenant_id, waiting)
         select date_trunc('minute', clock_timestamp()), queue, tenant_id, count(*)::int from jobs
         where state = 'queued' group by 2, 3
         on conflict (minute, queue, tenant_id) do update set waiting = excluded.waiting"
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
) -> Result<(Vec<KindState>, Vec<(BureauName, i64)>)> {
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
            waiting: Count::bounded(waiting),
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
    Ok((kinds, bureaus))
}

/// Failures of the last 24 hours by kind, each counted up to [`COUNTED`].
pub async fn failed_kinds(
    conn: &mut PgConnection,
    queue: Queue,
    now: DateTime<Utc>,
) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query!(
        r#"with f as materialized (select key, failed from failures($1, $2, null, $3))
           select g.kind as "kind!", sum(f.failed)::bigint as "failed!"
           from f join error_group_kinds(array(select distinct key from f)) g on g.key = f.key
           group by 1"#,
        now - TimeDelta::hours(24),
        queue as Queue,
        COUNTED,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.kind, row.failed)).collect())
}

/// One step of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub at: DateTime<Utc>,
    pub ok: i64,
    pub warning: i64,
    pub failed: i64,
    pub cancelled: i64,
    /// The most that waited within the step; none: of one kind, which is not counted.
    pub waiting: Option<i64>,
    /// Milliseconds.
    pub wait: Percentiles,
    pub run: Percentiles,
}

/// The half and the 95th of 100, read off a histogram: right to within its bucket.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Percentiles {
    pub p50_ms: Option<i64>,
    pub p95_ms: Option<i64>,
}

impl Percentiles {
    /// `buckets[n]` counts what took less than 2ⁿ⁺¹ ms and no less than half of it.
    fn of(buckets: &[i64]) -> Self {
        let total: i64 = buckets.iter().sum();
        let at = |hundredths: i64| {
            let wanted = (total * hundredths + 99) / 100;
            let mut seen = 0;
            buckets.iter().enumerate().find_map(|(place, count)| {
                let before = seen;
                seen += count;
                (total > 0 && seen >= wanted).then(|| {
                    let low = if place == 0 { 0 } else { 1i64 << place };
                    let high = 1i64 << (place + 1);
                    low + (high - low) * (wanted - before) / (*count).max(1)
                })
            })
        };
        Self {
            p50_ms: at(50),
            p95_ms: at(95),
        }
    }
}

/// Steps of a chart between two instants: minutes where they fit into 400 points, else more of them together.
pub async fn series(
    conn: &mut PgConnection,
    queue: Queue,
    kind: Option<&str>,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<(i64, Vec<Point>)> {
    if to <= from {
        return Err(Error::invalid("to", "Lõpp peab olema algusest hiljem."));
    }
    if to - from > TimeDelta::days(91) {
        return Err(Error::invalid(
            "from",
            "Ajavahemik võib olla kuni 90 päeva.",
        ));
    }
    let step_s = step_seconds((to - from).num_seconds());
    let rows = sqlx::query!(
        r#"with minutes as materialized (
             select date_bin(make_interval(secs => $4), minute, 'epoch') as at, ok, warning, failed, cancelled, wait_hist, run_hist
             from queue_minutes
             where minute >= $1 and minute < $2 and queue = $3 and ($5::text is null or kind = $5)
           ), done as (
             select at, sum(ok)::bigint as ok, sum(warning)::bigint as warning, sum(failed)::bigint as failed,
                    sum(cancelled)::bigint as cancelled
             from minutes group by 1
           ), hists as (
             select at, array_agg(place) as places, array_agg(wait) as waits, array_agg(run) as runs
             from (select at, place, coalesce(sum(wait), 0)::bigint as wait, coalesce(sum(run), 0)::bigint as run
                   from minutes, unnest(wait_hist, run_hist) with ordinality h (wait, run, place)
                   where wait > 0 or run > 0 group by 1, 2) h
             group by 1
           ), waited as (
             select date_bin(make_interval(secs => $4), minute, 'epoch') as at, max(waiting) as waiting
             from (select minute, sum(waiting)::bigint as waiting from queue_depths
                   where minute >= $1 and minute < $2 and queue = $3 group by 1) m
             group by 1
           )
           select coalesce(d.at, w.at) as "at!", coalesce(d.ok, 0) as "ok!", coalesce(d.warning, 0) as "warning!",
                  coalesce(d.failed, 0) as "failed!", coalesce(d.cancelled, 0) as "cancelled!", coalesce(w.waiting, 0) as "waiting!",
                  coalesce(h.places, '{}') as "places!", coalesce(h.waits, '{}') as "waits!", coalesce(h.runs, '{}') as "runs!"
           from done d left join hists h on h.at = d.at full join waited w on w.at = d.at"#,
        from,
        to,
        queue as Queue,
        step_s as f64, // seconds as PostgreSQL's extract gives them
        kind,
    )
    .fetch_all(conn)
    .await?;
    let mut known: HashMap<i64, _> = rows
        .into_iter()
        .map(|row| (row.at.timestamp(), row))
        .collect();
    let mut points = Vec::new();
    let mut at = from.timestamp().div_euclid(step_s) * step_s;
    while at < to.timestamp() {
        let row = known.remove(&at);
        let instant = DateTime::from_timestamp(at, 0).unwrap_or(from);
        points.push(match row {
            None => Point {
                at: instant,
                ok: 0,
                warning: 0,
                failed: 0,
                cancelled: 0,
                waiting: kind.is_none().then_some(0),
                wait: Percentiles::default(),
                run: Percentiles::default(),
            },
            Some(row) => Point {
                at: instant,
                ok: row.ok,
                warning: row.warning,
                failed: row.failed,
                cancelled: row.cancelled,
                waiting: kind.is_none().then_some(row.waiting),
                wait: Percentiles::of(&dense(&row.places, &row.waits)),
                run: Percentiles::of(&dense(&row.places, &row.runs)),
            },
        });
        at += step_s;
    }
    Ok((step_s, points))
}

/// All buckets, from those that hold something and their places, from 1.
fn dense(places: &[i64], counts: &[i64]) -> Vec<i64> {
    let mut all = Vec::new();
    for (place, count) in places.iter().zip(counts) {
        let at = usize::try_from(place - 1).unwrap_or(0);
        if all.len() <= at {
            all.resize(at + 1, 0);
        }
        all[at] = *count;
    }
    all
}

/// Whole minutes, at most 400 of them over the span.
fn step_seconds(span_s: i64) -> i64 {
    const STEPS: [i64; 9] = [60, 120, 300, 600, 900, 1_800, 3_600, 10_800, 21_600];
    STEPS
        .into_iter()
        .find(|step| span_s / step <= 400)
        .unwrap_or(21_600)
}

fn start_of_minute(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp(at.timestamp().div_euclid(60) * 60, 0).unwrap_or(at)
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
    fn percentiles_lie_in_their_bucket() {
        assert_eq!(Percentiles::of(&[]), Percentiles::default());
        assert_eq!(Percentiles::of(&[0, 0]), Percentiles::default());
        // 90 took 64 to 128 ms, 10 took 1 to 2 s.
        let mut buckets = vec![0; 11];
        (buckets[6], buckets[10]) = (90, 10);
        let found = Percentiles::of(&buckets);
        assert!((64..=128).contains(&found.p50_ms.unwrap_or(0)), "{found:?}");
        assert!(
            (1_024..=2_048).contains(&found.p95_ms.unwrap_or(0)),
            "{found:?}"
        );
    }

    #[test]
    fn charts_have_at_most_four_hundred_points() {
        for (hours, step) in [
            (1, 60),
            (6, 60),
            (24, 300),
            (24 * 7, 1_800),
            (24 * 90, 21_600),
        ] {
            assert_eq!(step_seconds(hours * 3_600), step);
            assert!(hours * 3_600 / step <= 400);
        }
    }

    #[test]
    fn counts_say_what_they_are() {
        assert_eq!(Count::bounded(10_000), Count::Exact(10_000));
        assert_eq!(Count::bounded(10_001), Count::AtLeast(10_000));
    }
}
