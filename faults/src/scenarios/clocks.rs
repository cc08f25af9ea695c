//! B34: the scheduler's clock goes over the nights that are not like others, minute by minute and faster than it should.
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, TimeDelta, Utc, Weekday};
use domain::crons::{RIG, TABLE};
use sqlx::PgPool;
use tokio::process::Command;

use crate::clock::Clock;
use crate::judge::{Report, Stretch};
use crate::rig::Rig;
use crate::scenarios::schedulers::{decided, no_other_jobs};

/// Jobs that may wait when the clock goes on: it is the clock that is tried here, and not how much fits into a second.
const WAITING: i64 = 500;

/// A stretch of time, by UTC.
struct Window {
    name: &'static str,
    from: NaiveDateTime,
    until: NaiveDateTime,
    /// How often the job at half past three is due in it.
    at_half_past_three: usize,
}

pub async fn b34(rig: &mut Rig) -> Result<Report> {
    let mut report = Report::default();
    rig.start_workers(2, &[]).await?;
    let stretch = Stretch::begin(rig).await?;
    let step = TimeDelta::seconds(rig.size.of(60, 180));
    for window in windows(domain::clock::now().date_naive(), rig.size.of(20, 0))? {
        go_through(rig, &window, step, &mut report).await?;
    }
    no_other_jobs(rig, &mut report).await?;
    stretch.judge(rig, &mut report).await?;
    Ok(report)
}

/// Always in the years to come: what is long ago is forgotten by its age. `more` minutes before and after.
fn windows(today: NaiveDate, more: i64) -> Result<Vec<Window>> {
    let year = today.year() + 1;
    let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).context("no such day");
    let last_sunday = |month| {
        let last = day(year, month, 31)?;
        let back = u64::from(last.weekday().days_since(Weekday::Sun));
        last.checked_sub_days(Days::new(back)).context("no Sunday")
    };
    let leap = (year..)
        .find(|year| day(*year, 2, 29).is_ok())
        .context("no leap year")?;
    let window = |name, day: NaiveDate, from: (u32, u32), until: (u32, u32), at_half_past_three| {
        let at = |(hour, minute)| day.and_hms_opt(hour, minute, 0).context("no such time");
        anyhow::Ok(Window {
            name,
            from: at(from)? - TimeDelta::minutes(more),
            until: at(until)? + TimeDelta::minutes(more),
            at_half_past_three,
        })
    };
    Ok(vec![
        // The hour from 03:00 is missing, then doubled: both begin at 01:00 or 00:00 UTC.
        window("an hour is missing", last_sunday(3)?, (0, 40), (1, 20), 1)?,
        window("an hour is doubled", last_sunday(10)?, (0, 20), (1, 40), 1)?,
        // Midnight there is 22:00 UTC.
        window("31.12.", day(year, 12, 31)?, (21, 50), (22, 5), 0)?,
        window("to 29.02.", day(leap, 2, 28)?, (21, 55), (22, 5), 0)?,
        window("from 29.02.", day(leap, 2, 29)?, (21, 55), (22, 5), 0)?,
    ])
}

async fn go_through(
    rig: &mut Rig,
    window: &Window,
    step: TimeDelta,
    report: &mut Report,
) -> Result<()> {
    let (from, until) = (window.from.and_utc(), window.until.and_utc());
    begin_at(&rig.admin, from).await?;
    let mut clock = Clock::at(&rig.folder, from)?;
    let mut settings = clock.settings()?;
    settings.push(("RIG_CRONS", "on".to_owned()));
    let scheduler = rig.spawn_scheduler("scheduler-clock", &settings).await?;
    while clock.now() < until {
        clock.advance(step)?;
        decided(&rig.admin, clock.now()).await?;
        while waiting(&rig.admin).await? > WAITING {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    scheduler.process.stop(Duration::from_secs(30)).await?;
    let until: DateTime<Utc> =
        sqlx::query_scalar("select min(decided_at) from crons where name = $1")
            .bind(RIG[0].name)
            .fetch_one(&rig.admin)
            .await?;
    let (mut wanted, mut found) = (0, 0);
    for cron in TABLE.iter().chain(&RIG) {
        let due = calendar(from, until, cron.schedule).await?;
        let fired: Vec<(DateTime<Utc>, bool)> = sqlx::query_as(
            "select scheduled_at, job_id is not null from cron_runs where cron = $1 and scheduled_at > $2 and scheduled_at <= $3",
        )
        .bind(cron.name)
        .bind(from)
        .bind(until)
        .fetch_all(&rig.admin)
        .await?;
        let times: BTreeSet<i64> = fired.iter().map(|(at, _)| at.timestamp()).collect();
        wanted += due.len();
        found += fired.len();
        let (missed, extra) = (
            due.difference(&times).count(),
            times.difference(&due).count(),
        );
        report.check(missed + extra == 0 && fired.len() == times.len(), || {
            format!(
                "{}: {} missed {missed}, extra {extra}, double {}",
                window.name,
                cron.name,
                fired.len() - times.len()
            )
        });
        // The rig's own leave nothing out; the others may skip what they overlap and what is late.
        let without = fired.iter().filter(|(_, job)| !job).count();
        report.check(
            without == 0 || TABLE.iter().any(|one| one.id == cron.id),
            || {
                format!(
                    "{}: {} firings of {} without a job",
                    window.name, without, cron.name
                )
            },
        );
        if cron.id == RIG[1].id {
            report.check(
                fired.len() == window.at_half_past_three || times != due,
                || {
                    format!(
                        "{}: half past three came {} times",
                        window.name,
                        fired.len()
                    )
                },
            );
        }
    }
    report.tasks += i64::try_from(found)?;
    report.note(format!("{}: due {wanted}, fired {found}", window.name));
    Ok(())
}

async fn waiting(admin: &PgPool) -> Result<i64> {
    let waiting = "select count(*) from cron_runs where outcome is null and job_id is not null";
    Ok(sqlx::query_scalar(waiting).fetch_one(admin).await?)
}

/// As if all crons had been decided on up to an instant.
async fn begin_at(admin: &PgPool, instant: DateTime<Utc>) -> Result<()> {
    for cron in TABLE.iter().chain(&RIG) {
        sqlx::query(
            "insert into crons (name, decided_at) values ($1, $2) on conflict (name) do update set decided_at = $2, shut_at = null",
        )
        .bind(cron.name)
        .bind(instant)
        .execute(admin)
        .await?;
    }
    Ok(())
}

/// Due times after `from` up to `until`, as Python knows Estonia's clock.
async fn calendar(
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    schedule: &str,
) -> Result<BTreeSet<i64>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../domain/tests/crons/calendar.py");
    let done = Command::new("python3")
        .arg(script)
        .args([
            &from.timestamp().to_string(),
            &until.timestamp().to_string(),
            schedule,
        ])
        .output()
        .await?;
    if !done.status.success() {
        bail!("calendar.py: {}", String::from_utf8_lossy(&done.stderr));
    }
    let text = String::from_utf8(done.stdout)?;
    text.split_whitespace().map(|at| Ok(at.parse()?)).collect()
}
