//! B9, B10, B11: two schedulers, of which one leads: killed, started at once, paused.
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chrono::{DateTime, TimeDelta, Utc};
use rand::RngExt;
use sqlx::PgPool;

use crate::actions;
use crate::judge::{Report, Stretch};
use crate::rig::{Rig, Scheduler};

/// Fires each second, where the rig asks for it.
const EACH_SECOND: &str = "probe-every-second";
const FAILOVER: Duration = Duration::from_secs(15);

/// Two of them with the rig's own crons, and how many were started.
struct Pair {
    both: Vec<Scheduler>,
    started: u32,
    /// Each second after it is due.
    from: DateTime<Utc>,
}

impl Pair {
    async fn start(rig: &mut Rig) -> Result<Self> {
        rig.start_workers(2, &[]).await?;
        let before = actions::moment(&rig.admin).await?;
        let (first, second) = futures::try_join!(one(rig, 1), one(rig, 2))?;
        Ok(Self {
            both: vec![first, second],
            started: 2,
            from: first_tick(&rig.admin, before).await?,
        })
    }

    /// The one that says it leads; waits for it.
    async fn leader(&self) -> Result<usize> {
        let until = Instant::now() + FAILOVER * 2;
        loop {
            for (index, one) in self.both.iter().enumerate() {
                if leads(one).await {
                    return Ok(index);
                }
            }
            if Instant::now() > until {
                bail!("no scheduler leads");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// kill -9, then the same again as the supervisor would.
    async fn replace(&mut self, rig: &Rig, index: usize) -> Result<()> {
        let dead = self.both.remove(index);
        dead.process.kill().await?;
        self.started += 1;
        let fresh = one(rig, self.started).await?;
        self.both.push(fresh);
        Ok(())
    }

    async fn stop(self) -> Result<()> {
        for one in self.both {
            one.process.stop(Duration::from_secs(30)).await?;
        }
        Ok(())
    }
}

async fn one(rig: &Rig, number: u32) -> Result<Scheduler> {
    let settings = [("RIG_CRONS", "on".to_owned())];
    rig.spawn_scheduler(&format!("scheduler-{number}"), &settings)
        .await
}

async fn leads(one: &Scheduler) -> bool {
    let text = one.site.text("/metrics").await.unwrap_or_default();
    text.lines()
        .any(|line| line.starts_with("scheduler_leads 1"))
}

/// The leader is killed just before a tick, again and again.
pub async fn b9(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let kills = rig.size.of(100, 4);
    let mut pair = Pair::start(rig).await?;
    let stretch = Stretch::begin(rig).await?;
    let from = pair.from;
    let mut longest = Duration::ZERO;
    for _ in 0..kills {
        // It has led for a while, so that there is something to lose.
        tokio::time::sleep(Duration::from_millis(rig.rng.random_range(0..2_000))).await;
        let leader = pair.leader().await?;
        before_a_tick(Duration::from_millis(200)).await;
        let moment = actions::moment(&rig.admin).await?;
        let killed = Instant::now();
        pair.replace(rig, leader).await?;
        fired_after(&rig.admin, moment).await?;
        longest = longest.max(killed.elapsed());
        report.recovered(killed.elapsed(), FAILOVER);
    }
    let until = actions::moment(&rig.admin).await?;
    decided(&rig.admin, until).await?;
    pair.stop().await?;
    report.note(format!(
        "kills {kills}, longest failover {} ms",
        longest.as_millis()
    ));
    each_once(rig, from, until, &mut report).await?;
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Both start at once and go on side by side.
pub async fn b10(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let seconds = rig.size.of(600, 30);
    let pair = Pair::start(rig).await?;
    let stretch = Stretch::begin(rig).await?;
    let from = pair.from;
    let until = from + TimeDelta::seconds(seconds);
    let mut both = 0;
    while actions::moment(&rig.admin).await? < until {
        let (one, other) = futures::join!(leads(&pair.both[0]), leads(&pair.both[1]));
        both += u32::from(one && other);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    decided(&rig.admin, until).await?;
    report.check(both == 0, || format!("both led, {both} times"));
    let fired = fired(&pair.both[0]).await? + fired(&pair.both[1]).await?;
    pair.stop().await?;
    report.note(format!("fired by their own count {fired}"));
    each_once(rig, from, until, &mut report).await?;
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// The leader stands still, in the middle of a tick if it so happens, and then goes on where it stood.
pub async fn b11(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    let (rounds, pause) = (rig.size.of(3, 1), rig.size.of(60, 12));
    let mut pair = Pair::start(rig).await?;
    let stretch = Stretch::begin(rig).await?;
    let from = pair.from;
    let (mut over, mut refused, mut ended) = (0, 0, 0);
    for _ in 0..rounds {
        let index = pair.leader().await?;
        let leader = &pair.both[index];
        let before = (terms_over(rig, leader)?, refusals(leader).await?);
        let within = rig.rng.random_range(0..30);
        before_a_tick(Duration::ZERO).await;
        tokio::time::sleep(Duration::from_millis(within)).await;
        let moment = actions::moment(&rig.admin).await?;
        let stopped = Instant::now();
        leader.process.signal("STOP").await?;
        // What was under way may still come to its end in the database.
        let other = &pair.both[1 - index];
        let until = stopped + FAILOVER * 2;
        while !leads(other).await && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        fired_after(&rig.admin, moment + TimeDelta::seconds(1)).await?;
        report.recovered(stopped.elapsed(), FAILOVER);
        tokio::time::sleep(Duration::from_secs(pause).saturating_sub(stopped.elapsed())).await;
        leader.process.signal("CONT").await?;
        let until = Instant::now() + FAILOVER;
        let leader = &mut pair.both[index];
        let after = loop {
            // One that stood still within a tick finds that it took too long, and ends before it writes.
            if leader.process.has_ended() {
                ended += 1;
                pair.replace(rig, index).await?;
                break None;
            }
            let after = (
                terms_over(rig, leader)?,
                refusals(leader).await.unwrap_or(before.1),
            );
            if after != before || Instant::now() > until {
                break Some(after);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let Some(after) = after else { continue };
        report.check(after != before, || {
            "who had been paused was never told that its term is over".into()
        });
        over += after.0 - before.0;
        refused += after.1 - before.1;
        report.check(pair.leader().await? != index, || {
            "who had been paused leads on".into()
        });
    }
    let until = actions::moment(&rig.admin).await?;
    decided(&rig.admin, until).await?;
    pair.stop().await?;
    report.note(format!(
        "paused {rounds} times for {pause} s; terms found over {over}, writes of an old term refused {refused}, ended by themselves {ended}"
    ));
    each_once(rig, from, until, &mut report).await?;
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// How often a process has found that its term is over.
fn terms_over(rig: &Rig, one: &Scheduler) -> Result<usize> {
    let log = rig.folder.join(format!("log/{}.log", one.process.name));
    let text = std::fs::read_to_string(log)?;
    Ok(text.matches("this term is over").count())
}

async fn refusals(one: &Scheduler) -> Result<u64> {
    counted(one, |line| line.strip_prefix("scheduler_refused_total ")).await
}

async fn fired(one: &Scheduler) -> Result<u64> {
    let name = format!("crons_fired_total{{cron=\"{EACH_SECOND}\"}} ");
    counted(one, |line| line.strip_prefix(&name)).await
}

async fn counted(one: &Scheduler, number: impl Fn(&str) -> Option<&str>) -> Result<u64> {
    let text = one.site.text("/metrics").await?;
    let found = text.lines().find_map(number);
    let whole = found.and_then(|text| text.split(['.', ' ']).next());
    Ok(whole.map(str::parse).transpose()?.unwrap_or(0))
}

/// Waits until so long before the next full second.
async fn before_a_tick(before: Duration) {
    let into = domain::clock::now().timestamp_subsec_millis();
    let before = u32::try_from(before.as_millis()).unwrap_or(0);
    let wait = (2_000 - before - into) % 1_000;
    tokio::time::sleep(Duration::from_millis(u64::from(wait))).await;
}

/// The instant after which each second is due: where the cron began.
async fn first_tick(admin: &PgPool, before: DateTime<Utc>) -> Result<DateTime<Utc>> {
    let until = Instant::now() + FAILOVER;
    loop {
        let found: Option<DateTime<Utc>> = sqlx::query_scalar(
            "select min(scheduled_at) from cron_runs where cron = $1 and scheduled_at > $2",
        )
        .bind(EACH_SECOND)
        .bind(before)
        .fetch_one(admin)
        .await?;
        if let Some(first) = found {
            return Ok(first - TimeDelta::seconds(1));
        }
        if Instant::now() > until {
            bail!("nothing fires");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until something has been fired after a moment of the database's clock.
async fn fired_after(admin: &PgPool, moment: DateTime<Utc>) -> Result<()> {
    let until = Instant::now() + FAILOVER * 4;
    loop {
        let fired: bool = sqlx::query_scalar(
            "select exists (select from cron_runs where cron = $1 and fired_at > $2)",
        )
        .bind(EACH_SECOND)
        .bind(moment)
        .fetch_one(admin)
        .await?;
        if fired {
            return Ok(());
        }
        if Instant::now() > until {
            bail!("nothing was fired for {} s", (FAILOVER * 4).as_secs());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until all that was due up to an instant has been decided on.
pub(super) async fn decided(admin: &PgPool, instant: DateTime<Utc>) -> Result<()> {
    let until = Instant::now() + FAILOVER * 4;
    loop {
        let decided: Option<DateTime<Utc>> =
            sqlx::query_scalar("select decided_at from crons where name = $1")
                .bind(EACH_SECOND)
                .fetch_optional(admin)
                .await?
                .context("the cron has no row")?;
        if decided.is_some_and(|at| at.timestamp() >= instant.timestamp()) {
            return Ok(());
        }
        if Instant::now() > until {
            bail!("decided up to {decided:?} and not to {instant}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// I10: each second of the window has one row and one job, and no job is without its row; all of them end.
async fn each_once(
    rig: &Rig,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    report: &mut Report,
) -> Result<()> {
    let last = DateTime::from_timestamp(until.timestamp(), 0).context("no instant")?;
    let due = (last - from).num_seconds();
    let (rows, seconds, jobs, unlike): (i64, i64, i64, i64) = sqlx::query_as(
        "select count(*), count(distinct date_trunc('second', r.scheduled_at)), count(distinct j.id),
                count(*) filter (where r.scheduled_at <> date_trunc('second', r.scheduled_at))
         from cron_runs r left join jobs j on j.id = r.job_id where r.cron = $1 and r.scheduled_at > $2 and r.scheduled_at <= $3",
    )
    .bind(EACH_SECOND)
    .bind(from)
    .bind(last)
    .fetch_one(&rig.admin)
    .await?;
    report.tasks += due;
    report.note(format!(
        "due {due}, missed {}, double {}",
        due - seconds.min(jobs),
        rows - seconds
    ));
    report.check(
        due > 0 && rows == due && seconds == due && jobs == due && unlike == 0,
        || format!("I10 due {due}: rows {rows}, seconds {seconds}, jobs {jobs}, between seconds {unlike}"),
    );
    no_other_jobs(rig, report).await
}

/// Jobs of the rig's crons without a firing, and those that never end.
pub(super) async fn no_other_jobs(rig: &Rig, report: &mut Report) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(180);
    loop {
        let (alone, open, bad): (i64, i64, i64) = sqlx::query_as(
            "select count(*) filter (where not exists (select from cron_runs where job_id = j.id)),
                    count(*) filter (where state in ('queued', 'dispatched', 'running')),
                    count(*) filter (where state in ('failed', 'cancelled'))
             from jobs j where kind = 'Probe'",
        )
        .fetch_one(&rig.admin)
        .await?;
        if open == 0 || Instant::now() > until {
            report.check(alone + open + bad == 0, || {
                format!(
                    "jobs of crons without a firing {alone}, without an end {open}, failed {bad}"
                )
            });
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
