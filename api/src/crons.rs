//! Crons: what is done by the clock, when next and how it went; run now, switched off and on.
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::crons::{self, Cron, Open, Outcome, Overlap, Run, Seen, Shut};
use domain::page::{Listed, Page};
use domain::{Actor, Scope, clock, db};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{AllowedAction, Items};
use crate::error::{Message, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, NoInput, Path};
use crate::idempotency::{self, Once};
use crate::who::{PersonAnswer, allowed};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
        .routes(routes!(execute))
        .routes(routes!(disable))
        .routes(routes!(enable))
        .routes(routes!(reopen))
}

/// One cron as it stands.
#[derive(Debug, Serialize, ToSchema)]
struct CronAnswer {
    id: i64,
    name: String,
    /// In cron's five fields, by the clock of Estonia.
    schedule: String,
    kind: String,
    queue: String,
    /// skip or queue: what happens when it is due while its last job has not ended.
    #[schema(value_type = String)]
    overlap: Overlap,
    /// none, last or all: which due times run that passed while nothing could fire.
    catch_up: String,
    /// Due times up to here are settled; null: no scheduler has looked at it yet.
    decided_at: Option<DateTime<Utc>>,
    disabled: Option<ShutAnswer>,
    /// A job of it has not ended.
    running: bool,
    /// In a row, lately; at three it is switched off.
    failures: i64,
    /// The next five due times; none while it is switched off.
    next: Vec<DateTime<Utc>>,
    /// A due time that should have fired by now.
    late_since: Option<DateTime<Utc>>,
    last: Option<CronRunAnswer>,
    #[serde(rename = "allowedActions")]
    allowed_actions: Vec<AllowedAction>,
}

/// Since when, by whom and why it is switched off.
#[derive(Debug, Serialize, ToSchema)]
struct ShutAnswer {
    at: DateTime<Utc>,
    /// Null: by the machine, since it failed again and again.
    by: Option<PersonAnswer>,
    reason: String,
}

/// One firing.
#[derive(Debug, Serialize, ToSchema)]
struct CronRunAnswer {
    scheduled_at: DateTime<Utc>,
    fired_at: DateTime<Utc>,
    job: Option<i64>,
    /// missed, skipped, waiting, running, ok, warning, failed or cancelled.
    #[schema(value_type = String)]
    outcome: Outcome,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
    duration_ms: Option<i64>,
    ordered_by: Option<PersonAnswer>,
    /// It fired more than a minute after its time.
    late: bool,
    /// It began while an earlier one had not ended.
    overlapped: bool,
}

/// A cron with its last thirty firings, newest first.
#[derive(Debug, Serialize, ToSchema)]
struct CronDetailAnswer {
    #[serde(flatten)]
    cron: CronAnswer,
    runs: Vec<CronRunAnswer>,
}

/// The job that an order made.
#[derive(Debug, Serialize, ToSchema)]
struct ExecutedAnswer {
    job: i64,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DisableInput {
    #[serde(default)]
    reason: String,
}

impl CronAnswer {
    fn new(actor: &Actor, seen: &Seen) -> Self {
        Self {
            id: seen.cron.id,
            name: seen.cron.name.into(),
            schedule: seen.cron.schedule.into(),
            kind: seen.cron.kind.as_str().into(),
            queue: seen.cron.kind.queue().as_str().into(),
            overlap: seen.cron.overlap,
            catch_up: seen.cron.catch_up.as_str().into(),
            decided_at: seen.decided_at,
            disabled: seen.shut.as_ref().map(ShutAnswer::new),
            running: seen.lives,
            failures: seen.failures,
            next: seen.next.clone(),
            late_since: seen.late_since,
            last: seen.last.as_ref().map(CronRunAnswer::new),
            allowed_actions: allowed(crons::rights(actor, seen)),
        }
    }
}

impl ShutAnswer {
    fn new(shut: &Shut) -> Self {
        Self {
            at: shut.at,
            by: shut.by.as_ref().map(PersonAnswer::new),
            reason: shut.reason.clone(),
        }
    }
}

impl CronRunAnswer {
    fn new(run: &Run) -> Self {
        let took = run.started_at.zip(run.finished_at);
        Self {
            scheduled_at: run.scheduled_at,
            fired_at: run.fired_at,
            job: run.job.map(|job| job.0),
            outcome: run.outcome,
            started_at: run.started_at,
            finished_at: run.finished_at,
            duration_ms: took.map(|(from, to)| (to - from).num_milliseconds().max(0)),
            ordered_by: run.ordered_by.as_ref().map(PersonAnswer::new),
            late: run.is_late(),
            overlapped: run.overlapped,
        }
    }
}

/// All crons.
#[utoipa::path(get, path = "/cron", tag = "crons", responses(
    (status = 200, body = Items<CronAnswer>), (status = 304), (status = 403, body = Message)))]
async fn list(State(app): State<App>, actor: Actor, polled: Polled) -> Result<Response> {
    actor.check_oversees()?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = crons::list(&mut tx, clock::now()).await?;
    tx.commit().await?;
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let rows = found.iter().map(|seen| CronAnswer::new(&actor, seen));
    let listed = Listed {
        rows: rows.collect::<Vec<_>>(),
        total,
    };
    polled.plain(&Items::new(
        Page::new(1, total.max(1), total.max(1))?,
        listed,
    ))
}

/// One cron with its last thirty firings.
#[utoipa::path(get, path = "/cron/{id}", tag = "crons", params(("id" = i64, Path)), responses(
    (status = 200, body = CronDetailAnswer), (status = 304), (status = 403, body = Message), (status = 404, body = Message)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Path(id): Path<i64>,
) -> Result<Response> {
    actor.check_oversees()?;
    polled.plain(&detail(&app, &actor, crons::by_id(id)?).await?)
}

/// Runs it now, beside its due times.
#[utoipa::path(post, path = "/cron/{id}/execute", tag = "crons", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 201, body = ExecutedAnswer), (status = 403, body = Message), (status = 404, body = Message), (status = 409, body = Message)))]
async fn execute(
    State(app): State<App>,
    actor: Actor,
    once: Once,
    Path(id): Path<i64>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Response> {
    actor.check_oversees()?;
    let cron = crons::by_id(id)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(kept) = once.answered(&mut tx, &actor).await? {
        return Ok(kept);
    }
    Scope::Queue.switch(&mut tx).await?;
    let job = crons::execute(&mut tx, &actor, cron, clock::now()).await?;
    actor.scope().switch(&mut tx).await?;
    let body = idempotency::json(&ExecutedAnswer { job: job.0 })?;
    once.keep(&mut tx, &actor, StatusCode::CREATED, &body)
        .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, axum::Json(body)).into_response())
}

/// Switches it off: its due times pass without a firing.
#[utoipa::path(post, path = "/cron/{id}/disable", tag = "crons", params(("id" = i64, Path)), request_body = DisableInput, responses(
    (status = 200, body = CronDetailAnswer), (status = 403, body = Message), (status = 404, body = Message),
    (status = 409, body = Message), (status = 422, body = Violations)))]
async fn disable(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(input): Json<DisableInput>,
) -> Result<axum::Json<CronDetailAnswer>> {
    let cron = crons::by_id(id)?;
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    crons::disable(&mut tx, &actor, cron, &input.reason).await?;
    tx.commit().await?;
    Ok(axum::Json(detail(&app, &actor, cron).await?))
}

/// Switches on what a person has switched off; the next due time fires.
#[utoipa::path(post, path = "/cron/{id}/enable", tag = "crons", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = CronDetailAnswer), (status = 403, body = Message), (status = 404, body = Message), (status = 409, body = Message)))]
async fn enable(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<axum::Json<CronDetailAnswer>> {
    put_back(&app, &actor, id, Open::Enable).await
}

/// Puts back what was switched off since it failed again and again.
#[utoipa::path(post, path = "/cron/{id}/reopen", tag = "crons", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = CronDetailAnswer), (status = 403, body = Message), (status = 404, body = Message), (status = 409, body = Message)))]
async fn reopen(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<axum::Json<CronDetailAnswer>> {
    put_back(&app, &actor, id, Open::Reopen).await
}

async fn put_back(
    app: &App,
    actor: &Actor,
    id: i64,
    how: Open,
) -> Result<axum::Json<CronDetailAnswer>> {
    let cron = crons::by_id(id)?;
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    crons::open(&mut tx, actor, cron, how, clock::now()).await?;
    tx.commit().await?;
    Ok(axum::Json(detail(app, actor, cron).await?))
}

async fn detail(app: &App, actor: &Actor, cron: &Cron) -> Result<CronDetailAnswer> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let seen = crons::look(&mut tx, cron, clock::now()).await?;
    let runs = crons::runs(&mut tx, cron).await?;
    tx.commit().await?;
    Ok(CronDetailAnswer {
        cron: CronAnswer::new(actor, &seen),
        runs: runs.iter().map(CronRunAnswer::new).collect(),
    })
}
