//! How fast an action moves and when it will end: from what ended in each second, written by whoever ended it, so that the
//! same is told to whoever asks, after a reload too.
use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::Result;
use crate::ids::{BulkActionId, OperatorActionId, TenantId};

/// Whose movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Bulk(BulkActionId),
    Operator(OperatorActionId),
}

impl Of {
    fn key(self) -> (&'static str, i64) {
        match self {
            Self::Bulk(id) => ("bulk", id.0),
            Self::Operator(id) => ("operator", id.0),
        }
    }
}

/// What ended within one second; `failed` is not among `done`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Second {
    pub at: DateTime<Utc>,
    pub done: i64,
    pub failed: i64,
}

/// What ended within one bar of five seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bar {
    pub done: i64,
    pub failed: i64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Movement {
    /// Ended jobs a minute, over the last minute; none before three samples and after a minute without any.
    pub per_minute: Option<i64>,
    /// The least and the most seconds until the end at this pace.
    pub left_seconds: Option<(i64, i64)>,
    pub last_at: Option<DateTime<Utc>>,
    /// Up to the last that ended, oldest first, at most 24.
    pub bars: Vec<Bar>,
}

const BAR_S: i64 = 5;
const BARS: i64 = 24;
const WINDOW: TimeDelta = TimeDelta::seconds(60);

impl Movement {
    /// From seconds in rising order, with `left` jobs that have not ended. `now` counts to five seconds: who asks twice within
    /// them gets the same answer.
    pub fn of(seconds: &[Second], left: i64, now: DateTime<Utc>) -> Self {
        let Some(last) = seconds.last() else {
            return Self::default();
        };
        let first_bar = (bar(last.at) - BARS + 1).max(seconds.first().map_or(0, |one| bar(one.at)));
        let mut bars =
            vec![Bar::default(); usize::try_from(bar(last.at) - first_bar + 1).unwrap_or(0)];
        for one in seconds {
            let place = usize::try_from(bar(one.at) - first_bar);
            if let Some(bar) = place.ok().and_then(|place| bars.get_mut(place)) {
                bar.done += one.done;
                bar.failed += one.failed;
            }
        }
        let last_at = Some(last.at);
        let coarse = now.duration_trunc(TimeDelta::seconds(BAR_S)).unwrap_or(now);
        let end = coarse.max(last.at + TimeDelta::seconds(1));
        let window: Vec<&Second> = seconds
            .iter()
            .filter(|one| one.at >= end - WINDOW)
            .collect();
        let per_minute = window.first().filter(|_| window.len() >= 3).map(|first| {
            let ended: i64 = window.iter().map(|one| one.done + one.failed).sum();
            ended * 60 / (end - first.at).num_seconds().max(1)
        });
        let per_minute = per_minute.filter(|pace| *pace > 0);
        Self {
            // The true end may lie a fifth from the present pace.
            left_seconds: per_minute.map(|pace| (left * 48 / pace, (left * 72 + pace - 1) / pace)),
            per_minute,
            last_at,
            bars,
        }
    }
}

fn bar(at: DateTime<Utc>) -> i64 {
    at.timestamp().div_euclid(BAR_S)
}

/// Reads it as the caller may see it: a bureau sees how its own jobs move.
pub async fn read(
    conn: &mut PgConnection,
    of: Of,
    left: i64,
    now: DateTime<Utc>,
) -> Result<Movement> {
    let (subject, id) = of.key();
    let seconds = sqlx::query_as!(
        Second,
        r#"select second as at, sum(done)::bigint as "done!", sum(failed)::bigint as "failed!" from movements
           where subject = $1 and id = $2
             and second > (select max(second) from movements where subject = $1 and id = $2) - interval '2 min'
           group by second order by second"#,
        subject,
        id,
    )
    .fetch_all(conn)
    .await?;
    Ok(Movement::of(&seconds, left, now))
}

/// What ended of a bulk action in a bureau within one second.
pub type Ended = (BulkActionId, TenantId, Second);

/// Adds what a process ended of bulk actions; what a clock that is ahead says of the future was now.
pub async fn add(conn: &mut PgConnection, ended: &[Ended]) -> Result<()> {
    let ids: Vec<i64> = ended.iter().map(|(id, ..)| id.0).collect();
    let tenants: Vec<i64> = ended.iter().map(|(_, tenant, _)| tenant.0).collect();
    let seconds: Vec<DateTime<Utc>> = ended.iter().map(|(.., second)| second.at).collect();
    let done: Vec<i64> = ended.iter().map(|(.., second)| second.done).collect();
    let failed: Vec<i64> = ended.iter().map(|(.., second)| second.failed).collect();
    sqlx::query!(
        "insert into movements as m (subject, id, tenant_id, second, done, failed)
         select 'bulk', id, tenant_id, least(second, date_trunc('second', statement_timestamp())), sum(done), sum(failed)
         from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::bigint[]) as e (id, tenant_id, second, done, failed)
         group by 2, 3, 4 order by 2, 3, 4
         on conflict (subject, id, tenant_id, second) do update set done = m.done + excluded.done, failed = m.failed + excluded.failed",
        &ids,
        &tenants,
        &seconds,
        &done,
        &failed,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Adds what ended of an operator action just now.
pub async fn add_now(
    conn: &mut PgConnection,
    id: OperatorActionId,
    done: i64,
    failed: i64,
) -> Result<()> {
    if done + failed == 0 {
        return Ok(());
    }
    sqlx::query!(
        "insert into movements as m (subject, id, tenant_id, second, done, failed)
         select 'operator', a.id, a.tenant_id, date_trunc('second', clock_timestamp()), $2, $3 from operator_actions a where a.id = $1
         on conflict (subject, id, tenant_id, second) do update set done = m.done + excluded.done, failed = m.failed + excluded.failed",
        id.0,
        done,
        failed,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets what no answer needs: seconds older than ten minutes but the last one of each, that one after a week.
pub async fn forget(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        "delete from movements m
         where second < now() - interval '10 min'
           and (second < now() - interval '7 days'
                or exists (select from movements l where l.subject = m.subject and l.id = m.id and l.tenant_id = m.tenant_id
                             and l.second > m.second))"
    )
    .execute(conn)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_764_400_000 + second, 0).unwrap_or_default()
    }

    fn seconds(all: impl IntoIterator<Item = (i64, i64)>) -> Vec<Second> {
        let all = all.into_iter();
        all.map(|(second, done)| Second {
            at: at(second),
            done,
            failed: 0,
        })
        .collect()
    }

    #[test]
    fn a_pace_needs_three_samples_of_the_last_minute() {
        let pace = |all: &[(i64, i64)], now| {
            Movement::of(&seconds(all.iter().copied()), 100, at(now)).per_minute
        };
        assert_eq!(pace(&[], 5), None);
        assert_eq!(pace(&[(0, 10), (1, 10)], 2), None);
        assert_eq!(pace(&[(0, 10), (1, 10), (2, 10)], 2), Some(600));
        assert_eq!(
            pace(&[(0, 10), (1, 10), (2, 10)], 30),
            Some(60),
            "what stands slows down"
        );
        assert_eq!(pace(&[(0, 10), (1, 10), (2, 10)], 66), None);
        assert_eq!(
            pace(&[(0, 900), (50, 10), (55, 10), (59, 10)], 70),
            Some(90),
            "older than a minute"
        );
    }

    #[test]
    fn who_asks_twice_within_five_seconds_is_told_the_same() {
        let all = seconds((0..20).map(|second| (second, 7)));
        let told: Vec<_> = (25..30)
            .map(|now| Movement::of(&all, 70, at(now)))
            .collect();
        assert!(told.iter().all(|one| *one == told[0]));
        assert_ne!(Movement::of(&all, 70, at(30)), told[0]);
    }

    #[test]
    fn the_end_lies_a_fifth_around_the_pace() {
        let moved = Movement::of(&seconds((0..10).map(|second| (second, 2))), 120, at(10));
        assert_eq!(
            (moved.per_minute, moved.left_seconds),
            (Some(120), Some((48, 72)))
        );
        let over = Movement::of(&seconds((0..10).map(|second| (second, 2))), 0, at(10));
        assert_eq!(over.left_seconds, Some((0, 0)));
    }

    #[test]
    fn bars_end_with_the_last_second_and_are_at_most_two_minutes() {
        let moved = Movement::of(&seconds((0..300).map(|second| (second, 1))), 9, at(300));
        assert_eq!(moved.bars.len(), 24);
        assert!(
            moved
                .bars
                .iter()
                .all(|bar| *bar == Bar { done: 5, failed: 0 })
        );
        let short = Movement::of(&seconds([(3, 1), (12, 4)]), 9, at(300));
        let done: Vec<i64> = short.bars.iter().map(|bar| bar.done).collect();
        assert_eq!(done, [1, 0, 4], "an empty bar between");
    }
}
