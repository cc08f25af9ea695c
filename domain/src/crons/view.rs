//! Crons as they are shown: the next due times, the last firings, what is late.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::fire::{self, LATE, Last, State};
use super::schedule::Schedule;
use super::table::{Cron, TABLE};
use crate::Result;
use crate::actor::Person;
use crate::ids::JobId;
use crate::jobs;

/// Due times ahead that are shown.
const NEXT: usize = 5;
/// Firings that are shown.
const RUNS: i64 = 30;

/// Switched off since when, by whom (nobody: it failed again and again) and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shut {
    pub at: DateTime<Utc>,
    pub by: Option<Person>,
    pub reason: String,
}

/// A cron as it stands.
#[derive(Debug, Clone)]
pub struct Seen {
    pub cron: Cron,
    /// None: no scheduler has looked at it yet.
    pub decided_at: Option<DateTime<Utc>>,
    pub shut: Option<Shut>,
    /// Whether a job of it has not ended.
    pub lives: bool,
    pub failures: i64,
    /// Due times ahead; none while it is switched off.
    pub next: Vec<DateTime<Utc>>,
    /// A due time that should have fired by now.
    pub late_since: Option<DateTime<Utc>>,
    pub last: Option<Run>,
}

/// How a firing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Its time passed while nothing could fire.
    Missed,
    /// The firing before it had not ended.
    Skipped,
    Waiting,
    Running,
    Ok,
    Warning,
    Failed,
    Cancelled,
}

impl Outcome {
    fn of(written: Option<&str>, job: Option<jobs::State>) -> Self {
        match (written, job) {
            (Some("missed"), _) => Self::Missed,
            (Some("skipped"), _) => Self::Skipped,
            (_, Some(jobs::State::Running)) => Self::Running,
            (_, Some(jobs::State::Queued | jobs::State::Dispatched)) => Self::Waiting,
            (_, Some(jobs::State::Ok)) | (Some("ok"), None) => Self::Ok,
            (_, Some(jobs::State::Warning)) | (Some("warning"), None) => Self::Warning,
            (_, Some(jobs::State::Failed)) | (Some("failed"), None) => Self::Failed,
            (_, Some(jobs::State::Cancelled)) | (Some(_), None) => Self::Cancelled,
            (None, None) => Self::Waiting,
        }
    }
}

/// One firing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub scheduled_at: DateTime<Utc>,
    pub fired_at: DateTime<Utc>,
    pub job: Option<JobId>,
    pub outcome: Outcome,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub ordered_by: Option<Person>,
    /// It began while an earlier one had not ended.
    pub overlapped: bool,
}

impl Run {
    /// Whether it fired later than it should.
    pub fn is_late(&self) -> bool {
        self.ordered_by.is_none()
            && self.outcome != Outcome::Missed
            && self.fired_at - self.scheduled_at > LATE
    }
}

/// All crons, in the order of the table.
pub async fn list(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<Seen>> {
    let mut all = Vec::new();
    for cron in &TABLE {
        all.push(look(conn, cron, now).await?);
    }
    Ok(all)
}

/// Minutes that a due time should have fired before now, of each cron that is late. What a person has switched off is not;
/// what failed again and again is, since nobody meant it to rest.
pub async fn late(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<(&'static str, i32)>> {
    let rows =
        sqlx::query!("select name, decided_at from crons where shut_at is null or shut_by is null")
            .fetch_all(conn)
            .await?;
    let late = rows.into_iter().filter_map(|row| {
        let cron = super::by_name(&row.name)?;
        let state = State {
            decided_at: row.decided_at,
            shut: false,
        };
        let since = *state.due(cron, now - LATE).first()?;
        Some((cron.name, i32::try_from((now - since).num_minutes()).ok()?))
    });
    Ok(late.collect())
}

/// One cron as it stands.
pub async fn look(conn: &mut PgConnection, cron: &Cron, now: DateTime<Utc>) -> Result<Seen> {
    let row = sqlx::query!(
        r#"select c.decided_at, c.shut_at, c.shut_reason, u.id as "user_id?", u.name as "user_name?"
           from crons c left join users u on u.id = c.shut_by where c.name = $1"#,
        cron.name
    )
    .fetch_optional(&mut *conn)
    .await?;
    let decided_at = row.as_ref().and_then(|row| row.decided_at);
    let shut = row.and_then(|row| {
        Some(Shut {
            at: row.shut_at?,
            by: Person::joined(row.user_id, row.user_name),
            reason: row.shut_reason.unwrap_or_default(),
        })
    });
    let state = State {
        decided_at,
        shut: shut.is_some(),
    };
    let late = state.due(cron, now - LATE).first().copied();
    Ok(Seen {
        cron: *cron,
        decided_at,
        next: if shut.is_some() {
            Vec::new()
        } else {
            ahead(cron, now)
        },
        shut,
        lives: fire::last(conn, cron).await? == Last::Lives,
        failures: fire::failures(conn, cron.name).await?,
        late_since: late,
        last: read(conn, cron, 1).await?.pop(),
    })
}

/// The newest firings, newest first.
pub async fn runs(conn: &mut PgConnection, cron: &Cron) -> Result<Vec<Run>> {
    read(conn, cron, RUNS).await
}

fn ahead(cron: &Cron, now: DateTime<Utc>) -> Vec<DateTime<Utc>> {
    let Some(schedule) = Schedule::parse(cron.schedule) else {
        return Vec::new();
    };
    std::iter::successors(schedule.next(now), |at| schedule.next(*at))
        .take(NEXT)
        .collect()
}

async fn read(conn: &mut PgConnection, cron: &Cron, most: i64) -> Result<Vec<Run>> {
    let rows = sqlx::query!(
        r#"select r.scheduled_at, r.fired_at, r.job_id, r.outcome, r.overlapped,
                  coalesce(j.started_at, r.started_at) as started_at, coalesce(j.finished_at, r.finished_at) as finished_at,
                  j.state as "state?: jobs::State", u.id as "user_id?", u.name as "user_name?"
           from (select * from cron_runs where cron = $1 order by scheduled_at desc limit $2) r
           left join lateral (select state, started_at, finished_at from jobs where id = r.job_id) j on true
           left join users u on u.id = r.ordered_by
           order by r.scheduled_at desc"#,
        cron.name,
        most,
    )
    .fetch_all(conn)
    .await?;
    let runs = rows.into_iter().map(|row| Run {
        scheduled_at: row.scheduled_at,
        fired_at: row.fired_at,
        job: row.job_id.map(JobId),
        outcome: Outcome::of(row.outcome.as_deref(), row.state),
        started_at: row.started_at,
        finished_at: row.finished_at,
        ordered_by: Person::joined(row.user_id, row.user_name),
        overlapped: row.overlapped,
    });
    Ok(runs.collect())
}

/// Deletes firings older than 90 days, but not the last that are shown.
pub async fn forget(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        "delete from cron_runs r
         where scheduled_at < now() - interval '90 days'
           and scheduled_at < (select scheduled_at from cron_runs l where l.cron = r.cron
                               order by scheduled_at desc offset $1 limit 1)",
        RUNS - 1,
    )
    .execute(conn)
    .await?;
    Ok(())
}
