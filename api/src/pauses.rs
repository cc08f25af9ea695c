//! Pauses: who holds a queue, a kind or a bureau, why and until when.
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::ids::{PauseId, TenantId};
use domain::jobs::pauses::{self, NewPause, Pause, Target, Which};
use domain::jobs::{Kind, Queue};
use domain::{Actor, Role, Scope, clock, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{AllowedAction, Collection, Item, Ld, Links, Resource};
use crate::error::{Error, Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, NoInput, Path, Query};
use crate::who::{BureauNameAnswer, PersonAnswer, allowed};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(change))
        .routes(routes!(end))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PauseAnswer {
    id: i64,
    /// One of queue, kind and bureau is set.
    #[schema(value_type = Option<String>)]
    queue: Option<Queue>,
    kind: Option<String>,
    bureau: Option<BureauNameAnswer>,
    reason: String,
    created_by: Option<PersonAnswer>,
    created_at: DateTime<Utc>,
    /// When it ends by itself.
    until: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    allowed_actions: Vec<AllowedAction>,
}

impl Resource for PauseAnswer {
    const TYPE: &'static str = "Pause";
    const PATH: &'static str = "/v2/pauses";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl PauseAnswer {
    pub fn new(actor: &Actor, pause: &Pause) -> Self {
        Self {
            id: pause.id.0,
            queue: pause.queue,
            kind: pause.kind.clone(),
            bureau: pause.bureau.as_ref().map(BureauNameAnswer::from),
            reason: pause.reason.clone(),
            // Only operators set pauses.
            created_by: pause.created_by.as_ref().map(|person| PersonAnswer {
                role: Some(Role::Dev),
                ..PersonAnswer::new(person)
            }),
            created_at: pause.created_at,
            until: pause.until,
            ended_at: pause.ended_at,
            allowed_actions: allowed(pauses::rights(actor, pause)),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// 1: those that are over too, the newest hundred.
    ended: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PauseInput {
    /// Exactly one of queue, kind and bureau.
    queue: Option<String>,
    kind: Option<String>,
    /// A bureau's id.
    bureau: Option<i64>,
    #[serde(default)]
    reason: String,
    until: Option<DateTime<Utc>>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeInput {
    reason: String,
    /// Null: until somebody ends it.
    until: Option<DateTime<Utc>>,
}

/// Pauses in force that concern the reader, newest first.
#[utoipa::path(get, path = "/v2/pauses", tag = "operations", params(ListQuery), responses(
    (status = 200, body = Collection<PauseAnswer>), (status = 304), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    Query(query): Query<ListQuery>,
) -> Result<Response> {
    let which = if query.ended.unwrap_or_default() {
        Which::All
    } else {
        Which::InForce
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = pauses::list(&mut tx, which).await?;
    tx.commit().await?;
    let rows = found.iter().map(|pause| PauseAnswer::new(&actor, pause));
    polled.answer(&links.whole(rows.collect()))
}

/// Holds a queue, a kind of jobs, or a bureau's jobs: what waits is not started, what runs goes on.
#[utoipa::path(post, path = "/v2/pauses", tag = "operations", request_body = PauseInput, responses(
    (status = 201, body = Item<PauseAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Violations)))]
async fn create(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<PauseInput>,
) -> Result<Response> {
    let pause = NewPause {
        target: target(&input)?,
        reason: &input.reason,
        until: input.until,
    };
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    let id = pauses::set(&mut tx, &actor, &pause, clock::now()).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, answer(&app, &actor, id).await?).into_response())
}

fn target(input: &PauseInput) -> Result<Target> {
    match (&input.queue, &input.kind, input.bureau) {
        (Some(name), None, None) => Queue::ALL
            .into_iter()
            .find(|queue| queue.as_str() == name)
            .map(Target::Queue)
            .ok_or_else(|| Error::invalid("queue", "Tundmatu järjekord.")),
        (None, Some(name), None) => Kind::parse(name)
            .map(Target::Kind)
            .ok_or_else(|| Error::invalid("kind", "Tundmatu töö liik.")),
        (None, None, Some(id)) => Ok(Target::Bureau(TenantId(id))),
        _ => Err(Error::invalid(
            "queue",
            "Peatada saab ühe järjekorra, töö liigi või büroo.",
        )),
    }
}

/// Another reason or end of a pause in force.
#[utoipa::path(put, path = "/v2/pauses/{id}", tag = "operations", params(("id" = i64, Path)), request_body = ChangeInput, responses(
    (status = 200, body = Item<PauseAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn change(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<PauseId>,
    Json(input): Json<ChangeInput>,
) -> Result<Ld<Item<PauseAnswer>>> {
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    pauses::change(
        &mut tx,
        &actor,
        id,
        &input.reason,
        input.until,
        clock::now(),
    )
    .await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// Lets go on what the pause held; another may still hold it.
#[utoipa::path(put, path = "/v2/pauses/{id}/end", tag = "operations", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = Item<PauseAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn end(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<PauseId>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Ld<Item<PauseAnswer>>> {
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    pauses::end(&mut tx, &actor, id).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

async fn answer(app: &App, actor: &Actor, id: PauseId) -> Result<Ld<Item<PauseAnswer>>> {
    app.shared.forget();
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = pauses::list(&mut tx, Which::One(id)).await?;
    tx.commit().await?;
    let pause = found.first().ok_or_else(Error::not_found)?;
    Ok(Ld(Item::new(PauseAnswer::new(actor, pause))))
}
