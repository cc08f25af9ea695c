//! Operator actions: one act on every job that matches a filter, seen to its end.
mod csv;
mod wire;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::bulk_actions::Status;
use domain::ids::{JobId, OperatorActionId};
use domain::jobs::JobFilter;
use domain::operator_actions::{self as actions, ItemFilter, ItemState, Kind, Order};
use domain::page::Listed;
use domain::{Actor, clock, db, movement};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::accept::wants_csv;
use crate::app::App;
use crate::collection::{Collection, Item, Keyset, Ld, Links, keyset_after, keyset_limit, page};
use crate::error::{Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, NoInput, Path, Query};
use crate::idempotency::Once;
use crate::movement::MovementAnswer;
use wire::{ItemAnswer, OperatorActionAnswer, OperatorPreviewAnswer};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(preview))
        .routes(routes!(list, create))
        .routes(routes!(get))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(stop))
        .routes(routes!(pace))
        .routes(routes!(child))
        .routes(routes!(items))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OperatorPreviewInput {
    /// retry or cancel.
    #[schema(value_type = String)]
    kind: Kind,
    /// As the parameters of the list of jobs; ranges are `{after, before}`.
    #[schema(value_type = Object)]
    filter: JobFilter,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OrderInput {
    /// retry or cancel.
    #[schema(value_type = String)]
    kind: Kind,
    #[schema(value_type = Object)]
    filter: JobFilter,
    reason: Option<String>,
    /// What the preview showed; 409 when the number moved by more than 1 % and more than 10.
    expected_count: Option<i64>,
    /// Jobs a second, at most.
    per_second: Option<i32>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct OperatorPaceInput {
    per_second: Option<i32>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    page: Option<i64>,
    limit: Option<i64>,
    #[serde(rename = "itemsPerPage")]
    #[param(rename = "itemsPerPage")]
    items_per_page: Option<i64>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ItemsQuery {
    operator_action: i64,
    /// waiting, sent, done, failed, skipped.
    #[serde(rename = "state[]", default)]
    #[param(value_type = Vec<String>)]
    state: Vec<ItemState>,
    reason: Option<String>,
    after: Option<String>,
    limit: Option<i64>,
}

/// What an order would do: how many jobs, ten of them, how many are left alone and why.
#[utoipa::path(post, path = "/v2/operator_actions/preview", tag = "operator actions", request_body = OperatorPreviewInput, responses(
    (status = 200, body = OperatorPreviewAnswer), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn preview(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<OperatorPreviewInput>,
) -> Result<Ld<OperatorPreviewAnswer>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = actions::preview(&mut tx, &actor, input.kind, &input.filter).await?;
    tx.commit().await?;
    Ok(Ld(OperatorPreviewAnswer::new(&actor, found)))
}

/// Orders the act: the set is frozen now, jobs that begin to match later are left alone.
#[utoipa::path(post, path = "/v2/operator_actions", tag = "operator actions", request_body = OrderInput, responses(
    (status = 201, body = Item<OperatorActionAnswer>), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn create(
    State(app): State<App>,
    actor: Actor,
    once: Once,
    Json(input): Json<OrderInput>,
) -> Result<Response> {
    let order = Order {
        kind: input.kind,
        filter: &input.filter,
        reason: input.reason.as_deref(),
        expected_count: input.expected_count,
        per_second: input.per_second,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(kept) = once.answered(&mut tx, &actor).await? {
        return Ok(kept);
    }
    let made = actions::order(&mut tx, &actor, &order).await?;
    let answer = once
        .created(
            &mut tx,
            &actor,
            &Item::new(OperatorActionAnswer::new(&actor, &made)),
        )
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Actions, newest first.
#[utoipa::path(get, path = "/v2/operator_actions", tag = "operator actions", params(ListQuery), responses(
    (status = 200, body = Collection<OperatorActionAnswer>), (status = 304), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    Query(query): Query<ListQuery>,
) -> Result<Response> {
    let page = page(query.page, query.limit, query.items_per_page, 25, 100)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = actions::list(&mut tx, page).await?;
    tx.commit().await?;
    let rows = found
        .rows
        .iter()
        .map(|action| OperatorActionAnswer::new(&actor, action));
    polled.answer(&links.collection(
        page,
        Listed {
            rows: rows.collect(),
            total: found.total,
        },
    ))
}

/// One action with its counts.
#[utoipa::path(get, path = "/v2/operator_actions/{id}", tag = "operator actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<OperatorActionAnswer>), (status = 304), (status = 404, body = Problem)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Path(id): Path<OperatorActionId>,
) -> Result<Response> {
    let Ld(answer) = answer(&app, &actor, id).await?;
    polled.answer(&answer)
}

/// Holds the action: no further job is taken up.
#[utoipa::path(put, path = "/v2/operator_actions/{id}/pause", tag = "operator actions", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = Item<OperatorActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn pause(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperatorActionId>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Ld<Item<OperatorActionAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    actions::pause(&mut tx, &actor, id).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// Lets a held action go on.
#[utoipa::path(put, path = "/v2/operator_actions/{id}/resume", tag = "operator actions", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = Item<OperatorActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn resume(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperatorActionId>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Ld<Item<OperatorActionAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    actions::resume(&mut tx, &actor, id).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// Ends it for good: what was not reached is skipped.
#[utoipa::path(put, path = "/v2/operator_actions/{id}/stop", tag = "operator actions", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 200, body = Item<OperatorActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn stop(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperatorActionId>,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Ld<Item<OperatorActionAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    actions::stop(&mut tx, &actor, id).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// Sets how many jobs a second are taken up from now on; null takes the limit away.
#[utoipa::path(put, path = "/v2/operator_actions/{id}/pace", tag = "operator actions", params(("id" = i64, Path)), request_body = OperatorPaceInput, responses(
    (status = 200, body = Item<OperatorActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn pace(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperatorActionId>,
    Json(input): Json<OperatorPaceInput>,
) -> Result<Ld<Item<OperatorActionAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    actions::set_pace(&mut tx, &actor, id, input.per_second).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// A new action of the same kind over what failed in this one; linked to it.
#[utoipa::path(post, path = "/v2/operator_actions/{id}/child", tag = "operator actions", params(("id" = i64, Path)), request_body = NoInput, responses(
    (status = 201, body = Item<OperatorActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn child(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<OperatorActionId>,
    once: Once,
    Json(NoInput {}): Json<NoInput>,
) -> Result<Response> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(kept) = once.answered(&mut tx, &actor).await? {
        return Ok(kept);
    }
    let made = actions::child(&mut tx, &actor, id).await?;
    let answer = once
        .created(
            &mut tx,
            &actor,
            &Item::new(OperatorActionAnswer::new(&actor, &made)),
        )
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// The jobs of an action by rising id; as `text/csv` all of them, one row a job.
#[utoipa::path(get, path = "/v2/operator_action_items", tag = "operator actions", params(ItemsQuery), responses(
    (status = 200, content((Keyset<ItemAnswer> = "application/json"), (String = "text/csv"))), (status = 304),
    (status = 404, body = Problem), (status = 422, body = Violations)))]
async fn items(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    headers: HeaderMap,
    Query(query): Query<ItemsQuery>,
) -> Result<Response> {
    let id = OperatorActionId(query.operator_action);
    let limit = keyset_limit(query.limit, 50, 100)?;
    let after = JobId(keyset_after(query.after.as_deref())?.unwrap_or(0));
    let filter = ItemFilter {
        states: query.state,
        reason: query.reason,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let action = actions::find(&mut tx, id).await?;
    if wants_csv(&headers) {
        tx.commit().await?;
        return csv::stream(&app, &actor, &action, filter).await;
    }
    let found = actions::items(&mut tx, id, &filter, after, limit + 1).await?;
    tx.commit().await?;
    polled.answer(&Keyset::new(
        found.iter().map(ItemAnswer::new).collect(),
        limit,
    ))
}

async fn answer(
    app: &App,
    actor: &Actor,
    id: OperatorActionId,
) -> Result<Ld<Item<OperatorActionAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let action = actions::find(&mut tx, id).await?;
    let body = OperatorActionAnswer::new(actor, &action);
    if action.status != Status::InProgress {
        tx.commit().await?;
        return Ok(Ld(Item::new(body)));
    }
    let stall = actions::stall(&mut tx, &action).await?;
    let left = action.count(ItemState::Waiting) + action.count(ItemState::Sent);
    let moved = movement::read(&mut tx, movement::Of::Operator(id), left, clock::now()).await?;
    tx.commit().await?;
    let let_go = [action.started_at, action.moves_since];
    let moved = MovementAnswer::new(moved, action.created_at, &let_go);
    Ok(Ld(Item::new(body.moving(stall, Some(moved)))))
}
