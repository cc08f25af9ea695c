//! The control calls: script, effects, held answers, log, settings.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, put};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::effects::Filter;
use crate::script::Rule;
use crate::world::{Settings, World};

pub fn router() -> Router<World> {
    Router::new()
        .route(
            "/control/script",
            get(script).post(add_rules).delete(clear_script),
        )
        .route("/control/effects", get(effects))
        .route("/control/held", get(held).delete(release_all))
        .route("/control/held/{id}", delete(release))
        .route("/control/log", get(log))
        .route("/control/settings", get(settings).put(change_settings))
        .route("/control/state_service", put(switch_state_service))
        .route("/control/proceedings/{*number}", get(proceeding))
        .route("/healthz", get(health))
}

async fn health(State(world): State<World>) -> Json<Value> {
    let state = world.lock();
    Json(
        json!({"status": "ok", "calls": state.requests.total(), "proceedings": state.proceedings.len()}),
    )
}

async fn script(State(world): State<World>) -> Json<Value> {
    Json(json!({"rules": world.lock().script.rules()}))
}

async fn add_rules(State(world): State<World>, Json(rules): Json<Vec<Rule>>) -> Response {
    let mut state = world.lock();
    match state.script.add(rules) {
        Ok(()) => Json(json!({"rules": state.script.rules()})).into_response(),
        Err(problem) => (StatusCode::UNPROCESSABLE_ENTITY, problem).into_response(),
    }
}

async fn clear_script(State(world): State<World>) -> StatusCode {
    world.lock().script.clear();
    StatusCode::NO_CONTENT
}

async fn effects(State(world): State<World>, Query(filter): Query<Filter>) -> Json<Value> {
    let state = world.lock();
    if filter.summary.is_some_and(|wanted| wanted != 0) {
        return Json(json!(state.effects.summary(&filter)));
    }
    Json(json!({"effects": state.effects.list(&filter)}))
}

async fn held(State(world): State<World>) -> Json<Value> {
    Json(json!({"held": world.holds.list()}))
}

async fn release_all(State(world): State<World>) -> Json<Value> {
    Json(json!({"released": world.holds.release(None)}))
}

async fn release(State(world): State<World>, Path(id): Path<u64>) -> Response {
    match world.holds.release(Some(id)) {
        0 => StatusCode::NOT_FOUND.into_response(),
        released => Json(json!({"released": released})).into_response(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LogQuery {
    limit: Option<usize>,
}

async fn log(State(world): State<World>, Query(query): Query<LogQuery>) -> Json<Value> {
    let state = world.lock();
    Json(
        json!({"total": state.requests.total(), "calls": state.requests.last(query.limit.unwrap_or(1_000))}),
    )
}

async fn settings(State(world): State<World>) -> Json<Settings> {
    Json(world.lock().settings.clone())
}

/// Members that are left out return to their defaults.
async fn change_settings(
    State(world): State<World>,
    Json(settings): Json<Settings>,
) -> Json<Settings> {
    world.lock().settings = settings.clone();
    Json(settings)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Switch {
    on: bool,
}

async fn switch_state_service(
    State(world): State<World>,
    Json(switch): Json<Switch>,
) -> StatusCode {
    world.lock().settings.state_service = switch.on;
    StatusCode::NO_CONTENT
}

async fn proceeding(State(world): State<World>, Path(number): Path<String>) -> Response {
    match world.lock().proceedings.get(&number) {
        Some(proceeding) => Json(json!(proceeding)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
