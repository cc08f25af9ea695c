//! Errors of the console in people's browsers: taken at a bounded rate, listed for whoever runs the system.
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::header::USER_AGENT;
use axum::http::{HeaderMap, StatusCode};
use chrono::{DateTime, Utc};
use domain::browser_errors::{self, BrowserError, Report};
use domain::ids::UserId;
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Items, page};
use crate::error::{Error, Message, Result, Violations};
use crate::extract::{Json, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, report))
}

/// Reports of each person in the last minute.
#[derive(Debug, Default)]
pub struct Reports(Mutex<HashMap<UserId, Vec<Instant>>>);

const MINUTE: Duration = Duration::from_secs(60);
const MOST: usize = 10;

impl Reports {
    fn take(&self, user: UserId) -> bool {
        let now = Instant::now();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, times| times.iter().any(|at| now.duration_since(*at) < MINUTE));
        let times = all.entry(user).or_default();
        times.retain(|at| now.duration_since(*at) < MINUTE);
        let free = times.len() < MOST;
        if free {
            times.push(now);
        }
        free
    }
}

#[derive(Debug, Serialize, ToSchema)]
struct ErrorLogAnswer {
    id: i64,
    created_at: DateTime<Utc>,
    message: String,
    stack: Option<String>,
    path: Option<String>,
    user_agent: Option<String>,
    username: Option<String>,
    tenant_code: Option<String>,
    /// How often it was seen, and when last.
    count: i32,
    last_at: DateTime<Utc>,
}

impl From<BrowserError> for ErrorLogAnswer {
    fn from(error: BrowserError) -> Self {
        Self {
            id: error.id,
            created_at: error.created_at,
            message: error.message,
            stack: error.stack,
            path: error.path,
            user_agent: error.user_agent,
            username: error.username,
            tenant_code: error.tenant_code,
            count: error.count,
            last_at: error.last_at,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ReportInput {
    message: String,
    stack: Option<String>,
    /// The page's path, without what stands after `?`.
    path: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    page: Option<i64>,
    limit: Option<i64>,
}

/// An error that a browser met; ten a minute and person, personal codes are hidden.
#[utoipa::path(post, path = "/error-log", tag = "logs", request_body = ReportInput, responses(
    (status = 204), (status = 422, body = Violations), (status = 429, body = Message)))]
async fn report(
    State(app): State<App>,
    actor: Actor,
    headers: HeaderMap,
    Json(input): Json<ReportInput>,
) -> Result<StatusCode> {
    if !app.reports.take(actor.user_id) {
        return Err(Error::too_many_tries(60));
    }
    let agent = headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok());
    let report = Report {
        message: &input.message,
        stack: input.stack.as_deref(),
        path: input.path.as_deref(),
        user_agent: agent,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    browser_errors::note(&mut tx, &actor, report).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Errors of the console, the last seen first.
#[utoipa::path(get, path = "/error-log", tag = "logs", params(ListQuery), responses(
    (status = 200, body = Items<ErrorLogAnswer>), (status = 403, body = Message), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<ListQuery>,
) -> Result<JsonAnswer<Items<ErrorLogAnswer>>> {
    let page = page(query.page, query.limit, None, 50, 500)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = browser_errors::list(&mut tx, &actor, page).await?;
    tx.commit().await?;
    Ok(JsonAnswer(
        Items::new(page, listed).map(ErrorLogAnswer::from),
    ))
}
