//! Saved views: a person's own and those shared with the bureau.
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::ids::SavedViewId;
use domain::saved_views::{self, Change, SavedView};
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{AllowedAction, Collection, Item, Ld, Links, Resource};
use crate::error::{Error, Problem, Result, Violations};
use crate::extract::{Json, Path, Query};
use crate::who::{PersonAnswer, allowed};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(update, delete))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SavedViewAnswer {
    id: i64,
    page: String,
    name: String,
    /// What stands after `?` in the page's address.
    query: String,
    shared: bool,
    mine: bool,
    created_by: PersonAnswer,
    version: i32,
    allowed_actions: Vec<AllowedAction>,
}

impl Resource for SavedViewAnswer {
    const TYPE: &'static str = "SavedView";
    const PATH: &'static str = "/v2/saved_views";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl SavedViewAnswer {
    fn new(actor: &Actor, view: &SavedView) -> Self {
        Self {
            id: view.id.0,
            page: view.page.clone(),
            name: view.name.clone(),
            query: view.query.clone(),
            shared: view.shared,
            mine: view.created_by.id == actor.user_id,
            created_by: PersonAnswer::new(&view.created_by),
            version: view.version,
            allowed_actions: allowed(saved_views::rights(actor, view)),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// jobs, audit, errors, queues, operator_actions or case_list; without it all.
    page: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SavedViewInput {
    page: String,
    name: String,
    query: String,
    shared: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ViewChangeInput {
    name: Option<String>,
    query: Option<String>,
    shared: Option<bool>,
    /// As read, and required; a stale one is refused.
    version: Option<i32>,
}

/// The person's own views and those shared with his bureau, by name.
#[utoipa::path(get, path = "/v2/saved_views", tag = "operations", params(ListQuery), responses(
    (status = 200, body = Collection<SavedViewAnswer>), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    links: Links,
    Query(query): Query<ListQuery>,
) -> Result<Ld<Collection<SavedViewAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = saved_views::list(&mut tx, &actor, query.page.as_deref()).await?;
    tx.commit().await?;
    let rows = found.iter().map(|view| SavedViewAnswer::new(&actor, view));
    Ok(Ld(links.whole(rows.collect())))
}

/// Saves a page's address under a name.
#[utoipa::path(post, path = "/v2/saved_views", tag = "operations", request_body = SavedViewInput, responses(
    (status = 201, body = Item<SavedViewAnswer>), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn create(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<SavedViewInput>,
) -> Result<Response> {
    let new = Change {
        name: Some(&input.name),
        query: Some(&input.query),
        shared: input.shared,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let view = saved_views::create(&mut tx, &actor, &input.page, &new).await?;
    tx.commit().await?;
    let answer = Ld(Item::new(SavedViewAnswer::new(&actor, &view)));
    Ok((StatusCode::CREATED, answer).into_response())
}

/// Changes one's own view; what is absent stays.
#[utoipa::path(put, path = "/v2/saved_views/{id}", tag = "operations", params(("id" = i64, Path)), request_body = ViewChangeInput,
    responses((status = 200, body = Item<SavedViewAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 412, body = Problem), (status = 422, body = Violations)))]
async fn update(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<SavedViewId>,
    Json(input): Json<ViewChangeInput>,
) -> Result<Ld<Item<SavedViewAnswer>>> {
    let version = input
        .version
        .ok_or_else(|| Error::invalid("version", "Väärtus puudub."))?;
    let change = Change {
        name: input.name.as_deref(),
        query: input.query.as_deref(),
        shared: input.shared,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let view = saved_views::update(&mut tx, &actor, id, version, &change).await?;
    tx.commit().await?;
    Ok(Ld(Item::new(SavedViewAnswer::new(&actor, &view))))
}

/// Forgets one's own view.
#[utoipa::path(delete, path = "/v2/saved_views/{id}", tag = "operations", params(("id" = i64, Path)), responses(
    (status = 204), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<SavedViewId>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    saved_views::delete(&mut tx, &actor, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
