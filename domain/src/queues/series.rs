//! A queue over time, from the rollup: what ended and waited, and how long jobs waited and ran.
use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::jobs::Queue;
use crate::{Error, Result};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
