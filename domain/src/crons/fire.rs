//! What the leading scheduler does each second: due times become firings, ended jobs become outcomes, what fails again and
//! again is shut. Due times come from the caller's clock; leases and what is unique are the database's.
use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::schedule::Schedule;
use super::table::{CatchUp, Cron, Overlap};
use crate::actor::Actor;
use crate::audit::{self, By, Entry};
use crate::ids::{JobId, TenantId};
use crate::jobs::{NewJob, enqueue};
use crate::leases::{self, Term};
use crate::{Result, bureaus};

/// From here on a firing counts as late.
pub const LATE: TimeDelta = TimeDelta::seconds(60);
/// Failures in a row that shut a cron.
pub const MOST_FAILURES: i64 = 3;
/// The most due times of one cron that are decided on at once, oldest first; the next look goes on.
const MOST_DUE: usize = 1_000;

/// A cron as the database has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct State {
    pub decided_at: Option<DateTime<Utc>>,
    pub shut: bool,
}

impl State {
    /// Due times that nothing has been decided on, one more than are decided on at once; none before the first tick.
    pub fn due(&self, cron: &Cron, now: DateTime<Utc>) -> Vec<DateTime<Utc>> {
        let schedule = Schedule::parse(cron.schedule);
        match (schedule, self.decided_at) {
            (Some(schedule), Some(after)) if !self.shut => {
                schedule.between(after, now, MOST_DUE + 1)
            }
            _ => Vec::new(),
        }
    }
}

/// All crons that have had a tick.
pub async fn states(conn: &mut PgConnection) -> Result<HashMap<String, State>> {
    let rows =
        sqlx::query!(r#"select name, decided_at, shut_at is not null as "shut!" from crons"#)
            .fetch_all(conn)
            .await?;
    let states = rows.into_iter().map(|row| {
        let state = State {
            decided_at: row.decided_at,
            shut: row.shut,
        };
        (row.name, state)
    });
    Ok(states.collect())
}

/// Decides on the due times of a cron up to `now`, in the caller's transaction under the queue's scope; refused
/// (`not_leader`) when the term is over. Returns the jobs that came of it.
pub async fn fire(
    conn: &mut PgConnection,
    term: &Term,
    cron: &Cron,
    now: DateTime<Utc>,
) -> Result<Vec<JobId>> {
    leases::guard(conn, term).await?;
    sqlx::query!(
        "insert into crons (name, decided_at) values ($1, $2)
         on conflict (name) do update set decided_at = excluded.decided_at where crons.decided_at is null",
        cron.name,
        now,
    )
    .execute(&mut *conn)
    .await?;
    let row = sqlx::query!(
        r#"select decided_at, shut_at is not null as "shut!" from crons where name = $1 for update"#,
        cron.name
    )
    .fetch_one(&mut *conn)
    .await?;
    let state = State {
        decided_at: row.decided_at,
        shut: row.shut,
    };
    let mut due = state.due(cron, now);
    let more = due.len() > MOST_DUE;
    due.truncate(MOST_DUE);
    let Some(decided) = due.last() else {
        return Ok(Vec::new());
    };
    let (missed, runs) = plan(cron.catch_up, &due, more, now);
    sqlx::query!(
        "insert into cron_runs (cron, scheduled_at, outcome) select $1, at, 'missed' from unnest($2::timestamptz[]) at
         on conflict do nothing",
        cron.name,
        &missed,
    )
    .execute(&mut *conn)
    .await?;
    let mut jobs = Vec::new();
    let mut last_job = last(conn, cron).await?;
    for at in runs {
        if let Some(job) = run(conn, cron, last_job, at, None).await? {
            jobs.push(job);
            last_job = Last::Lives;
        }
    }
    sqlx::query!(
        "update crons set decided_at = $2 where name = $1",
        cron.name,
        decided
    )
    .execute(conn)
    .await?;
    Ok(jobs)
}

/// Which due times have been missed and which run; `more` are due after them.
fn plan(
    catch_up: CatchUp,
    due: &[DateTime<Utc>],
    more: bool,
    now: DateTime<Utc>,
) -> (Vec<DateTime<Utc>>, Vec<DateTime<Utc>>) {
    let from = match catch_up {
        CatchUp::None => due.partition_point(|at| now - *at > LATE),
        CatchUp::Last if more => due.len(),
        CatchUp::Last => due.len().saturating_sub(1),
        CatchUp::All(within) => due.partition_point(|at| now - *at > within),
    };
    (due[..from].to_vec(), due[from..].to_vec())
}

/// One firing with its job, or, while the last one's lives and may not be overlapped, without. None too when that time was
/// fired before.
pub(super) async fn run(
    conn: &mut PgConnection,
    cron: &Cron,
    last: Last,
    scheduled_at: DateTime<Utc>,
    by: Option<&Actor>,
) -> Result<Option<JobId>> {
    let lives = last == Last::Lives;
    let skips = lives && cron.overlap == Overlap::Skip;
    let fired = sqlx::query_scalar!(
        "insert into cron_runs (cron, scheduled_at, outcome, overlapped, ordered_by) values ($1, $2, $3, $4, $5)
         on conflict do nothing returning id",
        cron.name,
        scheduled_at,
        skips.then_some("skipped"),
        lives,
        by.map(|actor| actor.user_id.0),
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(fired) = fired.filter(|_| !skips) else {
        return Ok(None);
    };
    // System jobs carry the chamber's tenant.
    let chamber = bureaus::chamber(conn).await?;
    // What nobody clicked begins a trace of its own.
    let own = Uuid::now_v7().to_string();
    let job = NewJob {
        created_by: by.map(|actor| actor.user_id),
        request_id: Some(by.map_or(&own, |actor| &actor.request_id)),
        ..NewJob::new(cron.kind, chamber)
    };
    let job = enqueue(conn, &job).await?;
    sqlx::query!(
        "update cron_runs set job_id = $2 where id = $1",
        fired,
        job.0
    )
    .execute(conn)
    .await?;
    Ok(Some(job))
}

/// For which time a job that runs was fired; none: for none.
pub async fn due_time(conn: &mut PgConnection, job: JobId) -> Result<Option<DateTime<Utc>>> {
    let at = sqlx::query_scalar!(
        "select scheduled_at from cron_runs where outcome is null and job_id = $1",
        job.0
    );
    Ok(at.fetch_optional(conn).await?)
}

/// How the jobs of earlier firings stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// One of them has not ended.
    Lives,
    Ended,
}

pub(super) async fn last(conn: &mut PgConnection, cron: &Cron) -> Result<Last> {
    let lives = sqlx::query_scalar!(
        r#"select exists (select from jobs
                          where id = any (array(select job_id from cron_runs where cron = $1 and outcome is null))
                            and state in ('queued', 'dispatched', 'running')) as "lives!""#,
        cron.name
    )
    .fetch_one(conn)
    .await?;
    Ok(if lives { Last::Lives } else { Last::Ended })
}

/// Writes down how firings ended, and shuts the crons that failed [`MOST_FAILURES`] times in a row; returns their names.
/// In the caller's transaction under the queue's scope; refused (`not_leader`) when the term is over.
pub async fn settle(conn: &mut PgConnection, term: &Term) -> Result<Vec<String>> {
    let open = sqlx::query_scalar!(
        r#"select job_id as "job_id!" from cron_runs where outcome is null and job_id is not null"#
    )
    .fetch_all(&mut *conn)
    .await?;
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let ended = sqlx::query_scalar!(
        r#"select id from jobs where id = any($1) and state in ('ok', 'warning', 'failed', 'cancelled')"#,
        &open
    )
    .fetch_all(&mut *conn)
    .await?;
    if ended.is_empty() {
        return Ok(Vec::new());
    }
    leases::guard(conn, term).await?;
    let failed = sqlx::query!(
        "with done as (
           update cron_runs r
           set outcome = j.state::text, started_at = j.started_at, finished_at = j.finished_at
           from jobs j where j.id = any($1) and r.job_id = j.id and r.outcome is null
           returning r.cron, r.outcome
         )
         select distinct cron from done where outcome = 'failed'",
        &ended
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut shut = Vec::new();
    for cron in failed {
        if failures(conn, &cron.cron).await? >= MOST_FAILURES
            && shut_failing(conn, &cron.cron).await?
        {
            shut.push(cron.cron);
        }
    }
    Ok(shut)
}

/// How often it has failed since it last went well or was opened, up to [`MOST_FAILURES`].
pub(super) async fn failures(conn: &mut PgConnection, cron: &str) -> Result<i64> {
    let outcomes = sqlx::query_scalar!(
        r#"select outcome as "outcome!" from cron_runs r
           where cron = $1 and outcome in ('ok', 'warning', 'failed')
             and fired_at > coalesce((select opened_at from crons where name = $1), '-infinity')
           order by scheduled_at desc limit $2"#,
        cron,
        MOST_FAILURES,
    )
    .fetch_all(conn)
    .await?;
    let failed = outcomes.iter().take_while(|outcome| *outcome == "failed");
    Ok(i64::try_from(failed.count()).unwrap_or(i64::MAX))
}

async fn shut_failing(conn: &mut PgConnection, cron: &str) -> Result<bool> {
    let reason = format!("{MOST_FAILURES} käivitust järjest ebaõnnestus.");
    let done = sqlx::query!(
        "update crons set shut_at = clock_timestamp(), shut_by = null, shut_reason = $2 where name = $1 and shut_at is null",
        cron,
        reason,
    )
    .execute(&mut *conn)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    let TenantId(chamber) = bureaus::chamber(conn).await?;
    let entry = Entry {
        tenant_id: chamber,
        action: "disable",
        object_class: "Cron",
        object_id: super::by_name(cron).map(|cron| cron.id),
        after: Some(json!({"cron": cron})),
        reason: Some(reason),
        ..Entry::default()
    };
    audit::write(conn, &By::default(), entry).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_missed_runs_as_the_cron_says() {
        let at = |minutes: i64| DateTime::from_timestamp(minutes * 60, 0).unwrap_or_default();
        let due: Vec<_> = (0..10).map(at).collect();
        let now = at(9) + TimeDelta::seconds(1);
        for (catch_up, runs) in [
            (CatchUp::None, 1),
            (CatchUp::Last, 1),
            (CatchUp::All(TimeDelta::seconds(200)), 4),
            (CatchUp::All(TimeDelta::days(1)), 10),
        ] {
            let (missed, run) = plan(catch_up, &due, false, now);
            assert_eq!((missed.len(), run.len()), (10 - runs, runs), "{catch_up:?}");
            assert_eq!([missed, run].concat(), due);
        }
        let late = now + TimeDelta::seconds(60);
        assert!(plan(CatchUp::None, &due, false, late).1.is_empty());
        assert_eq!(plan(CatchUp::Last, &due, false, late).1, [at(9)]);
        assert!(plan(CatchUp::Last, &due, true, now).1.is_empty());
    }
}
