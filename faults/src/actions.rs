//! Bulk actions as a person starts and watches them, with invariant I3 at every look.
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::rig::Rig;
use crate::site::Session;

pub const COMPUTE_ISSUER_FEE: i64 = 3;
pub const SYNC_TO_REGISTER: i64 = 9;

#[derive(Debug, Clone)]
pub struct Action {
    pub id: i64,
    pub kind: i64,
    pub total: i64,
    pub launched: Instant,
}

/// A filter over the newest cases that takes at least `want` of them, and how many it takes.
pub async fn newest(admin: &PgPool, prefix: Option<i16>, want: i64) -> Result<(Value, i64)> {
    let day: NaiveDate = sqlx::query_scalar(
        "select date_opened from cases where $2::smallint is null or prefix = $2
         order by date_opened desc offset $1 limit 1",
    )
    .bind(want - 1)
    .bind(prefix)
    .fetch_optional(admin)
    .await?
    .with_context(|| format!("there are fewer than {want} cases"))?;
    let count: i64 = sqlx::query_scalar(
        "select count(*) from cases where date_opened >= $1 and ($2::smallint is null or prefix = $2)",
    )
    .bind(day)
    .bind(prefix)
    .fetch_one(admin)
    .await?;
    let mut filters = json!({"dateOpened": {"after": day.to_string()}});
    if let Some(prefix) = prefix {
        filters["number"] = json!(format!("{prefix}/"));
    }
    Ok((filters, count))
}

/// Creates an action without cases.
pub async fn create(session: &Session, kind: i64) -> Result<i64> {
    let body = json!({"type": kind});
    let created = session
        .post("/v2/bulk_actions", body)
        .await?
        .expect(201)
        .context("create")?;
    created["id"].as_i64().context("an action without an id")
}

/// Creates an action and freezes its cases.
pub async fn launch(session: &Session, kind: i64, filters: &Value) -> Result<Action> {
    let id = create(session, kind).await?;
    let launched = Instant::now();
    let frozen = session
        .post(
            &format!("/v2/bulk_actions/{id}/cases"),
            json!({"filters": filters, "includeCasesWithProblems": true}),
        )
        .await?
        .expect(200)
        .context("freeze")?;
    let total = frozen["totalItems"].as_i64().context("no totalItems")?;
    Ok(Action {
        id,
        kind,
        total,
        launched,
    })
}

pub async fn cancel(session: &Session, action: i64) -> Result<()> {
    session
        .put(&format!("/v2/bulk_action/{action}/cancel"), None)
        .await?
        .expect(200)
        .context("cancel")?;
    Ok(())
}

/// How many tasks have ended.
pub async fn ended(admin: &PgPool, action: i64) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select count(*) from jobs where bulk_action_id = $1 and state in ('ok', 'warning', 'failed', 'cancelled')",
    )
    .bind(action)
    .fetch_one(admin)
    .await?)
}

/// How many tasks are in one state.
pub async fn in_state(admin: &PgPool, action: i64, state: &str) -> Result<i64> {
    Ok(sqlx::query_scalar(
        "select count(*) from jobs where bulk_action_id = $1 and state = $2::job_state",
    )
    .bind(action)
    .bind(state)
    .fetch_one(admin)
    .await?)
}

/// The time from now to the next ended task; none when all have ended already.
pub async fn recovery(admin: &PgPool, action: &Action, most: Duration) -> Result<Option<Duration>> {
    let from = Instant::now();
    let before = ended(admin, action.id).await?;
    if before >= action.total {
        return Ok(None);
    }
    while from.elapsed() < most {
        if ended(admin, action.id).await? > before {
            return Ok(Some(from.elapsed()));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!(
        "no task ended within {} s of the fault's end",
        most.as_secs()
    )
}

/// A moment by the database's clock, to tell what started after it.
pub async fn moment(admin: &PgPool) -> Result<DateTime<Utc>> {
    Ok(sqlx::query_scalar("select clock_timestamp()")
        .fetch_one(admin)
        .await?)
}

/// The time from now until a task ends that started after `moment`; none when no task is left to start.
pub async fn fresh(
    admin: &PgPool,
    action: &Action,
    moment: DateTime<Utc>,
    most: Duration,
) -> Result<Option<Duration>> {
    let from = Instant::now();
    while from.elapsed() < most {
        let (fresh, live): (i64, i64) = sqlx::query_as(
            "select count(*) filter (where finished_at is not null and started_at > $2),
                    count(*) filter (where state in ('queued', 'dispatched', 'running'))
             from jobs where bulk_action_id = $1",
        )
        .bind(action.id)
        .bind(moment)
        .fetch_one(admin)
        .await?;
        if fresh > 0 {
            return Ok(Some(from.elapsed()));
        }
        if live == 0 {
            return Ok(None);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!(
        "no task started and ended within {} s of the fault's end",
        most.as_secs()
    )
}

/// Polls one action as the page does; what I3 forbids is collected.
pub struct Watch {
    session: Session,
    action: Action,
    most_ended: i64,
    pub wrong: Vec<String>,
    pub counts: Value,
}

impl Watch {
    pub fn new(session: &Session, action: &Action) -> Self {
        Self {
            session: session.clone(),
            action: action.clone(),
            most_ended: 0,
            wrong: Vec::new(),
            counts: Value::Null,
        }
    }

    /// One look: whether the action is closed. An api that does not answer is no answer.
    pub async fn look(&mut self) -> Result<bool> {
        let Ok(answer) = self
            .session
            .get(&format!("/v2/bulk_actions/{}", self.action.id))
            .await
        else {
            return Ok(false);
        };
        if answer.status == 503 {
            return Ok(false);
        }
        let body = answer.expect(200).context("poll")?;
        let counts = body["counts"].clone();
        let of = |name: &str| counts[name].as_i64().unwrap_or(-1);
        let ended = of("ok") + of("failed") + of("cancelled") + of("warning");
        if ["queued", "running", "ok", "failed", "cancelled", "warning"]
            .iter()
            .any(|name| of(name) < 0)
        {
            self.wrong
                .push(format!("I3 a count is negative or missing: {counts}"));
        }
        if of("total") != self.action.total
            || of("queued") + of("running") + ended != self.action.total
        {
            self.wrong.push(format!(
                "I3 the counts do not add up to {}: {counts}",
                self.action.total
            ));
        }
        if ended < self.most_ended {
            self.wrong.push(format!(
                "I3 ended tasks fell from {} to {ended}",
                self.most_ended
            ));
        }
        self.most_ended = ended;
        self.counts = counts;
        Ok(body["status"].as_i64().is_some_and(|status| status != 1))
    }

    /// Looks until the action is closed, and compares the counts with the rows.
    pub async fn finish(&mut self, rig: &Rig, most: Duration) -> Result<Duration> {
        let until = Instant::now() + most;
        while !self.look().await? {
            if Instant::now() > until {
                let rows = states(&rig.admin, self.action.id).await?;
                bail!(
                    "action {} is not over after {} s: {rows}",
                    self.action.id,
                    most.as_secs()
                );
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        let took = self.action.launched.elapsed();
        // The counts are shared for half a second; what counts is what they are at rest.
        tokio::time::sleep(Duration::from_millis(700)).await;
        self.look().await?;
        for state in ["ok", "failed", "cancelled", "warning"] {
            let rows = in_state(&rig.admin, self.action.id, state).await?;
            if self.counts[state].as_i64() != Some(rows) {
                self.wrong.push(format!(
                    "I3 {state} counts {} and has {rows} rows",
                    self.counts[state]
                ));
            }
        }
        Ok(took)
    }
}

/// Tasks by state, for a message.
pub async fn states(admin: &PgPool, action: i64) -> Result<String> {
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "select state::text, count(*) from jobs where bulk_action_id = $1 group by 1 order by 1",
    )
    .bind(action)
    .fetch_all(admin)
    .await?;
    let parts: Vec<String> = rows
        .into_iter()
        .map(|(state, count)| format!("{state} {count}"))
        .collect();
    Ok(parts.join(", "))
}

/// How long the same action takes with nothing in its way; measured once.
pub async fn fault_free(
    rig: &mut Rig,
    session: &Session,
    kind: i64,
    filters: &Value,
) -> Result<Duration> {
    rig.start_workers(2, &[]).await?;
    let action = launch(session, kind, filters).await?;
    if let Some(known) = rig.baseline.get(&(kind, action.total)) {
        let known = *known;
        cancel(session, action.id).await?;
        Watch::new(session, &action)
            .finish(rig, Duration::from_secs(120))
            .await?;
        return Ok(known);
    }
    let took = Watch::new(session, &action)
        .finish(rig, Duration::from_secs(900))
        .await?;
    rig.baseline.insert((kind, action.total), took);
    Ok(took)
}
