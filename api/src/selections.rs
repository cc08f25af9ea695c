//! Case selections: cases that a person picked, as a filter of the case list.
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::ids::SelectionId;
use domain::selections::{self, Selection};
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Item, Ld, Resource};
use crate::error::{Problem, Result, Violations};
use crate::extract::{Json, Path};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(get, delete))
        .routes(routes!(add_cases))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SelectionAnswer {
    id: i64,
    /// Cases in it.
    count: i64,
    created_at: DateTime<Utc>,
}

impl Resource for SelectionAnswer {
    const TYPE: &'static str = "CaseSelection";
    const PATH: &'static str = "/v2/case_selections";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl From<Selection> for SelectionAnswer {
    fn from(selection: Selection) -> Self {
        Self {
            id: selection.id.0,
            count: selection.count,
            created_at: selection.created_at,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NumbersInput {
    /// Case numbers, at most 5,000.
    #[serde(default)]
    case_numbers: Vec<String>,
}

/// A new selection; every case must be found.
#[utoipa::path(post, path = "/v2/case_selections", tag = "selections", request_body = NumbersInput, responses(
    (status = 201, body = Item<SelectionAnswer>), (status = 403, body = Problem), (status = 422, body = Violations)))]
async fn create(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<NumbersInput>,
) -> Result<Response> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let made = selections::create(&mut tx, &actor, &input.case_numbers).await?;
    tx.commit().await?;
    let answer = Ld(Item::new(SelectionAnswer::from(made)));
    Ok((StatusCode::CREATED, answer).into_response())
}

/// One selection of the actor's bureau.
#[utoipa::path(get, path = "/v2/case_selections/{id}", tag = "selections", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<SelectionAnswer>), (status = 404, body = Problem)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<SelectionId>,
) -> Result<Ld<Item<SelectionAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = selections::find(&mut tx, &actor, id).await?;
    tx.commit().await?;
    Ok(Ld(Item::new(SelectionAnswer::from(found))))
}

/// Adds cases; those that are in it already stay in it once.
#[utoipa::path(put, path = "/v2/case_selections/{id}/add_cases", tag = "selections", params(("id" = i64, Path)), request_body = NumbersInput,
    responses((status = 200, body = Item<SelectionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 422, body = Violations)))]
async fn add_cases(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<SelectionId>,
    Json(input): Json<NumbersInput>,
) -> Result<Ld<Item<SelectionAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let grown = selections::add(&mut tx, &actor, id, &input.case_numbers).await?;
    tx.commit().await?;
    Ok(Ld(Item::new(SelectionAnswer::from(grown))))
}

/// Forgets a selection; its cases stay.
#[utoipa::path(delete, path = "/v2/case_selections/{id}", tag = "selections", params(("id" = i64, Path)), responses(
    (status = 204), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<SelectionId>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    selections::delete(&mut tx, &actor, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
