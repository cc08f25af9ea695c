//! What alerts are measured on: the figures of each minute that the pages show, noted by the leading worker process.
use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::episodes::Sample;
use super::rules::{Subject, Watched};
use crate::jobs::Queue;
use crate::{Result, crons, registers};

/// Fewer jobs than this that ended within 15 minutes have no share of failures.
pub const FEWEST_ENDED: i64 = 20;
/// A backlog is compared with the one before.
const LOOK_BACK: TimeDelta = TimeDelta::minutes(15);

/// Notes this minute beside what waits: breakers, late crons, and that it was looked at. In one transaction with
/// [`crate::queues::count_depths`], so that both are of one minute.
pub async fn note(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
    let mut notes = vec![("sampled", String::new(), 1)];
    for register in registers::list(conn).await? {
        if register.is_open() {
            notes.push(("breakerOpen", register.name, 1));
        }
    }
    for (name, late) in crons::late(conn, now).await? {
        notes.push(("cronLate", name.to_owned(), late));
    }
    let measures: Vec<&str> = notes.iter().map(|(measure, ..)| *measure).collect();
    let subjects: Vec<&str> = notes
        .iter()
        .map(|(_, subject, _)| subject.as_str())
        .collect();
    let values: Vec<i32> = notes.iter().map(|(.., value)| *value).collect();
    sqlx::query!(
        "insert into watch_minutes (minute, measure, subject, value)
         select date_trunc('minute', now()), * from unnest($1::text[], $2::text[], $3::int[])
         on conflict do nothing",
        &measures as &[&str],
        &subjects as &[&str],
        &values,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// One value for each minute that was looked at, in order; what has no row then is nothing.
pub async fn read(
    conn: &mut PgConnection,
    watched: &Watched,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Sample>> {
    let bureau = watched.bureau.map(|id| id.0);
    match &watched.subject {
        Subject::OldestWaiting(queue) => {
            let depths = depths(conn, *queue, bureau, from, to).await?;
            Ok(samples(&depths, |depth| depth.oldest))
        }
        Subject::NoConsumers(queue) => {
            let depths = depths(conn, *queue, bureau, from, to).await?;
            Ok(samples(&depths, |depth| depth.unserved))
        }
        Subject::BacklogGrowing(queue) => {
            let depths = depths(conn, *queue, bureau, from - LOOK_BACK, to).await?;
            Ok(growth(&depths, from))
        }
        Subject::FailedShare(queue) => share(conn, *queue, bureau, from, to).await,
        Subject::BreakerOpen(register) => {
            noted(conn, "breakerOpen", Some(register), from, to).await
        }
        Subject::CronLate(cron) => noted(conn, "cronLate", cron.as_deref(), from, to).await,
    }
}

/// What waited in a minute that was looked at.
struct Depth {
    minute: DateTime<Utc>,
    waiting: i64,
    /// Minutes that the oldest due job waited.
    oldest: i64,
    /// 1 where something waited and no living process worked the queue.
    unserved: i64,
}

async fn depths(
    conn: &mut PgConnection,
    queue: Queue,
    bureau: Option<i64>,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Depth>> {
    let depths = sqlx::query_as!(
        Depth,
        r#"select s.minute, coalesce(sum(d.waiting), 0)::bigint as "waiting!", coalesce(max(d.oldest_s) / 60, 0)::bigint as "oldest!",
                  coalesce(bool_or(d.consumers = 0), false)::int::bigint as "unserved!"
           from watch_minutes s
           left join queue_depths d on d.minute = s.minute and d.queue = $3 and ($4::bigint is null or d.tenant_id = $4)
           where s.measure = 'sampled' and s.minute >= $1 and s.minute < $2
           group by s.minute order by s.minute"#,
        from,
        to,
        queue as Queue,
        bureau,
    )
    .fetch_all(conn)
    .await?;
    Ok(depths)
}

fn samples(depths: &[Depth], value: impl Fn(&Depth) -> i64) -> Vec<Sample> {
    let sample = |depth: &Depth| Sample {
        minute: depth.minute,
        value: value(depth),
    };
    depths.iter().map(sample).collect()
}

/// By how many more jobs wait than 15 minutes before; no value where that minute was not looked at.
fn growth(depths: &[Depth], from: DateTime<Utc>) -> Vec<Sample> {
    let waited: HashMap<_, _> = depths.iter().map(|one| (one.minute, one.waiting)).collect();
    let grown = |one: &Depth| {
        let before = waited.get(&(one.minute - LOOK_BACK))?;
        Some(Sample {
            minute: one.minute,
            value: one.waiting - before,
        })
    };
    let asked = depths.iter().filter(|one| one.minute >= from);
    asked.filter_map(grown).collect()
}

/// Per cent of what ended within 15 minutes that failed.
async fn share(
    conn: &mut PgConnection,
    queue: Queue,
    bureau: Option<i64>,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Sample>> {
    let samples = sqlx::query_as!(
        Sample,
        r#"with ended as (
             select s.minute, coalesce(sum(m.failed), 0)::bigint as failed,
                    coalesce(sum(m.ok + m.warning + m.failed), 0)::bigint as ended
             from watch_minutes s
             left join queue_minutes m on m.minute = s.minute and m.queue = $3 and ($4::bigint is null or m.tenant_id = $4)
             where s.measure = 'sampled' and s.minute >= $1::timestamptz - interval '14 min' and s.minute < $2
             group by s.minute
           ), windows as (
             select minute, sum(failed) over w as failed, sum(ended) over w as ended from ended
             window w as (order by minute range between interval '14 min' preceding and current row)
           )
           select minute as "minute!",
                  (case when ended >= $5::bigint then failed * 100 / ended else 0 end)::bigint as "value!"
           from windows where minute >= $1 order by minute"#,
        from,
        to,
        queue as Queue,
        bureau,
        FEWEST_ENDED,
    )
    .fetch_all(conn)
    .await?;
    Ok(samples)
}

/// What `note` wrote down; of any subject the highest.
async fn noted(
    conn: &mut PgConnection,
    measure: &str,
    subject: Option<&str>,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Sample>> {
    let samples = sqlx::query_as!(
        Sample,
        r#"select s.minute, coalesce(max(n.value), 0)::bigint as "value!"
           from watch_minutes s
           left join watch_minutes n on n.minute = s.minute and n.measure = $3 and ($4::text is null or n.subject = $4)
           where s.measure = 'sampled' and s.minute >= $1 and s.minute < $2
           group by s.minute order by s.minute"#,
        from,
        to,
        measure,
        subject,
    )
    .fetch_all(conn)
    .await?;
    Ok(samples)
}
