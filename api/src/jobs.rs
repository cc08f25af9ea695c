//! Jobs of every kind: found, counted, looked at, and what a person does to one of them.
pub mod wire;

use axum::extract::State;
use axum::response::Response;
use domain::ids::JobId;
use domain::jobs::find::COUNTED;
use domain::jobs::{self, Job, JobFilter, Kind, Queue, Range, acts, payload, whole};
use domain::queues::Count;
use domain::telemetry::Trace;
use domain::{Actor, Tx, db};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Item, Keyset, Ld, keyset_after, keyset_limit};
use crate::error::{Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, NoInput, Path, Query};
use crate::stalls::StallAnswer;
use crate::who::PersonAnswer;
use wire::{
    AttemptAnswer, CallAnswer, CountAnswer, EventAnswer, FieldAnswer, JobAnswer, WholeJobAnswer,
};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(counts))
        .routes(routes!(get))
        .routes(routes!(retry))
        .routes(routes!(cancel))
        .routes(routes!(run_now))
        .routes(routes!(unmask))
}

/// A filter of jobs as query parameters; `state[]`, `queue[]` and `kind[]` are lists.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct JobsQuery {
    /// A job's id, a case number, or words of a case: number, names, codes.
    search: Option<String>,
    #[serde(rename = "state[]", default)]
    #[param(value_type = Vec<String>)]
    state: Vec<jobs::State>,
    #[serde(rename = "queue[]", default)]
    #[param(value_type = Vec<String>)]
    queue: Vec<Queue>,
    #[serde(rename = "kind[]", default)]
    kind: Vec<String>,
    /// A bureau's code.
    bureau: Option<String>,
    /// A part of the name of the bureau's bailiff.
    bailiff: Option<String>,
    case_number: Option<String>,
    /// A part of the debtor's name.
    debtor: Option<String>,
    bulk_action: Option<i64>,
    operator_action: Option<i64>,
    /// The key of a group of errors.
    error_group: Option<String>,
    /// A part of an error's words or code.
    error: Option<String>,
    /// A part of the payload, among the newest 20,000 jobs that have one of their own.
    payload: Option<String>,
    /// A day or an instant, itself included; as the other five.
    #[serde(rename = "createdAt[after]")]
    created_after: Option<String>,
    #[serde(rename = "createdAt[before]")]
    created_before: Option<String>,
    #[serde(rename = "startedAt[after]")]
    started_after: Option<String>,
    #[serde(rename = "startedAt[before]")]
    started_before: Option<String>,
    #[serde(rename = "finishedAt[after]")]
    finished_after: Option<String>,
    #[serde(rename = "finishedAt[before]")]
    finished_before: Option<String>,
    /// The `next` of the page before.
    after: Option<String>,
    /// At most 100, by default 50.
    limit: Option<i64>,
}

impl JobsQuery {
    fn filter(&self) -> JobFilter {
        let range = |after: &Option<String>, before: &Option<String>| {
            (after.is_some() || before.is_some()).then(|| Range {
                after: after.clone(),
                before: before.clone(),
            })
        };
        JobFilter {
            search: self.search.clone(),
            state: self.state.clone(),
            queue: self.queue.clone(),
            kind: self.kind.clone(),
            bureau: self.bureau.clone(),
            bailiff: self.bailiff.clone(),
            case_number: self.case_number.clone(),
            debtor: self.debtor.clone(),
            bulk_action: self.bulk_action,
            operator_action: self.operator_action,
            error_group: self.error_group.clone(),
            error: self.error.clone(),
            payload: self.payload.clone(),
            created_at: range(&self.created_after, &self.created_before),
            started_at: range(&self.started_after, &self.started_before),
            finished_at: range(&self.finished_after, &self.finished_before),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct JobRetryInput {
    /// Operators only: replaces the payload, checked by the kind's fields.
    payload: Option<Map<String, Value>>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CancelInput {
    reason: Option<String>,
}

/// How many jobs of each state match; `state[]` is not applied.
#[derive(Debug, Serialize, ToSchema)]
struct JobCountsAnswer {
    all: CountAnswer,
    queued: CountAnswer,
    dispatched: CountAnswer,
    running: CountAnswer,
    ok: CountAnswer,
    warning: CountAnswer,
    failed: CountAnswer,
    cancelled: CountAnswer,
}

#[derive(Debug, Serialize, ToSchema)]
struct PayloadAnswer {
    payload: Value,
}

/// Jobs that match, the newest first.
#[utoipa::path(get, path = "/v2/jobs", tag = "jobs", params(JobsQuery), responses(
    (status = 200, body = Keyset<JobAnswer>), (status = 304), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Query(query): Query<JobsQuery>,
) -> Result<Response> {
    let limit = keyset_limit(query.limit, 50, 100)?;
    let before = keyset_after(query.after.as_deref())?.map(JobId);
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = jobs::find::page(&mut tx, &actor, &query.filter(), before, limit + 1).await?;
    tx.commit().await?;
    let rows = found.iter().map(|job| JobAnswer::new(&actor, job));
    polled.answer(&Keyset::new(rows.collect(), limit))
}

/// How many jobs of each state match, each counted up to 10,000; shared for a moment, its age in the header.
#[utoipa::path(get, path = "/v2/jobs/counts", tag = "jobs", params(JobsQuery), responses(
    (status = 200, body = JobCountsAnswer), (status = 304), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn counts(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Query(query): Query<JobsQuery>,
) -> Result<Response> {
    let filter = JobFilter {
        state: Vec::new(),
        ..query.filter()
    };
    let key = format!(
        "counts {} {}",
        eyes(&actor),
        serde_json::to_string(&filter).unwrap_or_default()
    );
    let made = app
        .shared
        .get(key, async || {
            let mut tx = db::begin(&app.pool, actor.scope()).await?;
            let found = jobs::find::counts(&mut tx, &actor, &filter).await?;
            tx.commit().await?;
            let of = |state: jobs::State| {
                found
                    .iter()
                    .find(|(known, _)| *known == state)
                    .map_or(0, |(_, jobs)| *jobs)
            };
            // Beside a bound the other states say nothing of the whole, and fall while it grows.
            let bounds = found.iter().filter(|(_, jobs)| *jobs >= COUNTED).count();
            let all = match i64::try_from(bounds).unwrap_or(0) {
                0 => Count::Exact(found.iter().map(|(_, jobs)| jobs).sum()),
                bounds => Count::AtLeast(bounds * (COUNTED - 1)),
            };
            let count = |state| CountAnswer::from(Count::bounded(of(state)));
            Ok(JobCountsAnswer {
                all: all.into(),
                queued: count(jobs::State::Queued),
                dispatched: count(jobs::State::Dispatched),
                running: count(jobs::State::Running),
                ok: count(jobs::State::Ok),
                warning: count(jobs::State::Warning),
                failed: count(jobs::State::Failed),
                cancelled: count(jobs::State::Cancelled),
            })
        })
        .await?;
    polled.shared(&made)
}

/// Whose eyes an answer is for: another's never sees it.
pub fn eyes(actor: &Actor) -> String {
    format!("{:?} {}", actor.role, actor.tenant_id)
}

/// One job with its runs, messages, payload and what people did to it.
#[utoipa::path(get, path = "/v2/jobs/{id}", tag = "jobs", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<WholeJobAnswer>), (status = 304), (status = 404, body = Problem)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Path(id): Path<JobId>,
) -> Result<Response> {
    polled.answer(&answer(&app, &actor, id).await?)
}

/// Runs an ended job again, its history kept.
#[utoipa::path(put, path = "/v2/jobs/{id}/retry", tag = "jobs", params(("id" = i64, Path)), request_body = JobRetryInput, responses(
    (status = 200, body = Item<WholeJobAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn retry(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<JobId>,
    Json(input): Json<JobRetryInput>,
) -> Result<Ld<Item<WholeJobAnswer>>> {
    let (job, mut tx) = to_act(&app, &actor, id).await?;
    acts::retry(&mut tx, &actor, &job, input.payload.as_ref()).await?;
    done(&app, &actor, id, tx).await
}

/// Cancels what waits at once and what runs before its next step; a failed one is acknowledged.
#[utoipa::path(put, path = "/v2/jobs/{id}/cancel", tag = "jobs", params(("id" = i64, Path)), request_body = CancelInput, responses(
    (status = 200, body = Item<WholeJobAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn cancel(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<JobId>,
    Json(input): Json<CancelInput>,
) -> Result<Ld<Item<WholeJobAnswer>>> {
    let (job, mut tx) = to_act(&app, &actor, id).await?;
    acts::cancel(&mut tx, &actor, &job, input.reason.as_deref()).await?;
    done(&app, &actor, id, tx).await
}

/// A job that waits for its time is due now.
#[utoipa::path(put, path = "/v2/jobs/{id}/run_now", tag = "jobs", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = Item<WholeJobAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn run_now(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<JobId>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Ld<Item<WholeJobAnswer>>> {
    let (job, mut tx) = to_act(&app, &actor, id).await?;
    acts::run_now(&mut tx, &actor, &job).await?;
    done(&app, &actor, id, tx).await
}

/// The payload with personal data; each look is on record.
#[utoipa::path(post, path = "/v2/jobs/{id}/unmask", tag = "jobs", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = PayloadAnswer), (status = 404, body = Problem)))]
async fn unmask(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<JobId>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Ld<PayloadAnswer>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let job = jobs::find::find(&mut tx, id).await?;
    let payload = payload::unmask(&mut tx, &actor, &job).await?;
    tx.commit().await?;
    Ok(Ld(PayloadAnswer { payload }))
}

/// The job as the actor sees it, and the transaction in which he acts on it.
async fn to_act(app: &App, actor: &Actor, id: JobId) -> Result<(Job, Tx)> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let job = acts::find_to_act(&mut tx, actor, id).await?;
    tx.commit().await?;
    Ok((job, db::begin(&app.pool, acts::scope_to_act(actor)).await?))
}

async fn done(app: &App, actor: &Actor, id: JobId, tx: Tx) -> Result<Ld<Item<WholeJobAnswer>>> {
    tx.commit().await?;
    app.shared.forget();
    Ok(Ld(answer(app, actor, id).await?))
}

async fn answer(app: &App, actor: &Actor, id: JobId) -> Result<Item<WholeJobAnswer>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let job = jobs::find::find(&mut tx, id).await?;
    let (attempts, attempts_total) = whole::attempts(&mut tx, &job).await?;
    let calls = whole::calls(&mut tx, &job).await?;
    let events = whole::events(&mut tx, &job).await?;
    let stall = whole::stall(&mut tx, &job).await?;
    let same_error = whole::same_error(&mut tx, &job).await?;
    let mut payload = payload::payload(&mut tx, &job).await?;
    tx.commit().await?;
    let kind = Kind::parse(&job.kind);
    let fields = kind.map(Kind::fields).unwrap_or_default();
    let trace_id = job.request_id.as_deref().map(|id| Trace::of(id).id());
    Ok(Item::new(WholeJobAnswer {
        attempts: attempts.into_iter().map(AttemptAnswer::from).collect(),
        attempts_total,
        failure_limit: Some(job.queue.failure_limit()).filter(|limit| *limit < i16::MAX),
        crashes: job.crashes,
        stall: stall.map(StallAnswer::from),
        events: events.into_iter().map(EventAnswer::from).collect(),
        payload_masked: payload::mask(&mut payload),
        payload,
        payload_fields: (!fields.is_empty())
            .then(|| fields.iter().map(FieldAnswer::from).collect()),
        calls: calls.into_iter().map(CallAnswer::from).collect(),
        same_error: same_error.map(CountAnswer::from),
        worker: job.worker.clone(),
        trace_url: trace_id
            .as_ref()
            .zip(app.config.trace_url.as_ref())
            .map(|(id, url)| url.replace("{id}", id)),
        trace_id,
        request_id: job.request_id.clone(),
        retried_by: job.retried_by.as_ref().map(PersonAnswer::new),
        job: JobAnswer::new(actor, &job),
    }))
}
