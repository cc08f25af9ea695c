//! The overview of everything that works: queues, registers, workers, pauses, failures; and one queue over time.
pub mod gauges;
mod wire;

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use domain::error_groups::{self, Wanted};
use domain::jobs::Queue;
use domain::jobs::pauses::{self, Which};
use domain::jobs::workers::{self, Life, Worker};
use domain::{Actor, Role, Tx, clock, db, queues, registers};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Collection, Ld, Links};
use crate::error::{Error, Problem, Result, Violations};
use crate::error_groups::ErrorGroupAnswer;
use crate::etag::Polled;
use crate::extract::{Path, Query};
use crate::jobs::eyes;
use crate::pauses::PauseAnswer;
pub use wire::RegisterAnswer;
use wire::{
    ErrorsAnswer, KindAnswer, OverviewAnswer, PointAnswer, QueueDetailAnswer, Seen, SeriesAnswer,
    WaitingBureauAnswer, WorkerAnswer, WorkersAnswer,
};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(overview))
        .routes(routes!(queue))
        .routes(routes!(series))
        .routes(routes!(list_workers))
        .routes(routes!(probe))
}

/// Groups of errors on the overview.
const GROUPS: usize = 6;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SeriesQuery {
    /// An instant; at most 90 days before `to`.
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    kind: Option<String>,
}

/// What stands and what is wrong, worst first; for a bailiff, of his bureau's work. Shared for a moment, its age in the header.
#[utoipa::path(get, path = "/v2/operations", tag = "operations", responses((status = 200, body = OverviewAnswer), (status = 304)))]
async fn overview(State(app): State<App>, actor: Actor, polled: Polled) -> Result<Response> {
    let made = app
        .shared
        .get(format!("overview {}", eyes(&actor)), async || {
            let now = clock::now();
            let mut tx = db::begin(&app.pool, actor.scope()).await?;
            let seen = look(&mut tx, &actor, now).await?;
            let wanted = Wanted {
                hours: 24,
                ..Wanted::default()
            };
            let (total, groups) = error_groups::list(&mut tx, &wanted, GROUPS, now).await?;
            tx.commit().await?;
            Ok(OverviewAnswer {
                queues: seen.queues(),
                registers: seen.registers(),
                workers: workers_answer(&actor, &seen.workers),
                pauses: seen
                    .pauses
                    .iter()
                    .map(|pause| PauseAnswer::new(&actor, pause))
                    .collect(),
                errors: ErrorsAnswer {
                    total: total.into(),
                    member: groups
                        .iter()
                        .map(|group| ErrorGroupAnswer::new(&actor, group))
                        .collect(),
                },
            })
        })
        .await?;
    polled.shared(&made)
}

async fn look<'a>(tx: &mut Tx, actor: &'a Actor, now: DateTime<Utc>) -> Result<Seen<'a>> {
    Ok(Seen {
        actor,
        now,
        states: queues::states(tx, now).await?,
        workers: workers::list(tx).await?,
        pauses: pauses::list(tx, Which::InForce).await?,
        registers: registers::list(tx).await?,
    })
}

/// Hosts and process ids are not a bureau's to know.
fn workers_answer(actor: &Actor, found: &[Worker]) -> WorkersAnswer {
    let of = |life: Life| found.iter().filter(|worker| worker.life == life).count();
    let missed = found.iter().filter(|worker| worker.life != Life::Stopped);
    WorkersAnswer {
        alive: of(Life::Alive),
        doubtful: of(Life::Doubtful),
        lost: of(Life::Lost),
        doubtful_after_seconds: workers::DOUBTFUL_S,
        lost_after_seconds: workers::LOST_S,
        member: match actor.role {
            Role::Kt => Vec::new(),
            Role::Koda | Role::Dev => missed.map(WorkerAnswer::to_the_minute).collect(),
        },
    }
}

/// One queue with its kinds, and the bureaus that wait.
#[utoipa::path(get, path = "/v2/queues/{name}", tag = "operations", params(("name" = String, Path)), responses(
    (status = 200, body = QueueDetailAnswer), (status = 304), (status = 404, body = Problem)))]
async fn queue(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Path(name): Path<String>,
) -> Result<Response> {
    let queue = named(&name)?;
    let made = app
        .shared
        .get(format!("queue {name} {}", eyes(&actor)), async || {
            let now = clock::now();
            let mut tx = db::begin(&app.pool, actor.scope()).await?;
            let seen = look(&mut tx, &actor, now).await?;
            let (kinds, bureaus) = queues::inside(&mut tx, queue).await?;
            let failed = queues::failed_kinds(&mut tx, queue, now).await?;
            tx.commit().await?;
            let state = seen
                .states
                .iter()
                .find(|state| state.queue == queue)
                .ok_or_else(Error::not_found)?;
            Ok(QueueDetailAnswer {
                queue: seen.queue(state),
                kinds: KindAnswer::all(queue, &kinds, &failed),
                waiting_bureaus: bureaus.iter().map(WaitingBureauAnswer::from).collect(),
            })
        })
        .await?;
    polled.shared(&made)
}

fn named(name: &str) -> Result<Queue> {
    Queue::ALL
        .into_iter()
        .find(|queue| queue.as_str() == name)
        .ok_or_else(Error::not_found)
}

/// A queue over time: what ended and waited, and how long jobs waited and ran; at most about 400 points.
#[utoipa::path(get, path = "/v2/queues/{name}/series", tag = "operations", params(("name" = String, Path), SeriesQuery), responses(
    (status = 200, body = SeriesAnswer), (status = 304), (status = 404, body = Problem), (status = 422, body = Violations)))]
async fn series(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Path(name): Path<String>,
    Query(query): Query<SeriesQuery>,
) -> Result<Response> {
    let queue = named(&name)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let (step_seconds, points) =
        queues::series(&mut tx, queue, query.kind.as_deref(), query.from, query.to).await?;
    tx.commit().await?;
    polled.answer(&SeriesAnswer {
        queue,
        from: query.from,
        to: query.to,
        step_seconds,
        points: points.iter().map(PointAnswer::from).collect(),
    })
}

/// Worker processes: those that live, that are missed since a day, and that stopped within a day.
#[utoipa::path(get, path = "/v2/workers", tag = "operations", responses(
    (status = 200, body = Collection<WorkerAnswer>), (status = 304), (status = 403, body = Problem)))]
async fn list_workers(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
) -> Result<Response> {
    if actor.role == Role::Kt {
        return Err(Error::forbidden());
    }
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = workers::list(&mut tx).await?;
    tx.commit().await?;
    polled.answer(&links.whole(found.iter().map(WorkerAnswer::new).collect()))
}

/// Tries a register that does not answer at once, instead of at its next time.
#[utoipa::path(put, path = "/v2/registers/{name}/probe", tag = "operations", params(("name" = String, Path)), responses(
    (status = 200, body = RegisterAnswer), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn probe(
    State(app): State<App>,
    actor: Actor,
    Path(name): Path<String>,
) -> Result<Ld<RegisterAnswer>> {
    let mut tx = db::begin(&app.pool, domain::Scope::Queue).await?;
    registers::probe_now(&mut tx, &actor, &name).await?;
    tx.commit().await?;
    app.shared.forget();
    let now = clock::now();
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let seen = look(&mut tx, &actor, now).await?;
    tx.commit().await?;
    let answer = seen
        .registers()
        .into_iter()
        .find(|register| register.name == name);
    answer.map(Ld).ok_or_else(Error::not_found)
}
