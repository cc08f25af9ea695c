//! Alerts: the rules, what they would have done, and when they held.
mod wire;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::alerts::{self, Draft, Which};
use domain::ids::{AlertRuleId, TenantId};
use domain::jobs::Queue;
use domain::{Actor, Scope, clock, db};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Collection, Item, Ld, Links, page};
use crate::error::{Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, Path, Query};
use wire::{AlertAnswer, AlertPreviewAnswer, AlertRuleAnswer};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_rules, create))
        .routes(routes!(preview))
        .routes(routes!(change, delete))
        .routes(routes!(silence))
        .routes(routes!(list))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct AlertRuleInput {
    /// oldestWaiting (minutes), failedShare (per cent of what ended in 15 minutes), noConsumers, breakerOpen, cronLate (minutes)
    /// or backlogGrowing (jobs more than 15 minutes before).
    measure: String,
    #[schema(value_type = Option<String>)]
    queue: Option<Queue>,
    register: Option<String>,
    /// A cron's id; null: any.
    cron: Option<i64>,
    /// A bureau's id; null: all together.
    bureau: Option<i64>,
    /// Fires above it.
    #[serde(default)]
    threshold: i32,
    /// For how long it must hold.
    #[serde(default)]
    minutes: i32,
    #[serde(default = "yes")]
    enabled: bool,
    webhook_url: Option<String>,
    /// As read; a change needs it.
    version: Option<i32>,
}

fn yes() -> bool {
    true
}

impl AlertRuleInput {
    fn draft(&self) -> Draft {
        Draft {
            measure: self.measure.clone(),
            queue: self.queue,
            register: self.register.clone(),
            cron: self.cron,
            bureau: self.bureau.map(TenantId),
            threshold: self.threshold,
            minutes: self.minutes,
            enabled: self.enabled,
            webhook_url: self.webhook_url.clone(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SilenceInput {
    /// Null: everybody is told again.
    until: Option<DateTime<Utc>>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AlertsQuery {
    /// true: those alone that have not recovered.
    firing: Option<bool>,
    page: Option<i64>,
    limit: Option<i64>,
    #[serde(rename = "itemsPerPage")]
    #[param(rename = "itemsPerPage")]
    items_per_page: Option<i64>,
}

/// All rules, those that fire first.
#[utoipa::path(get, path = "/v2/alert_rules", tag = "alerts", responses(
    (status = 200, body = Collection<AlertRuleAnswer>), (status = 304), (status = 403, body = Problem)))]
async fn list_rules(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
) -> Result<Response> {
    actor.check_oversees()?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let rules = alerts::rules(&mut tx, None, clock::now()).await?;
    tx.commit().await?;
    let rows = rules.iter().map(|rule| AlertRuleAnswer::new(&actor, rule));
    polled.answer(&links.whole(rows.collect()))
}

/// A new rule.
#[utoipa::path(post, path = "/v2/alert_rules", tag = "alerts", request_body = AlertRuleInput, responses(
    (status = 201, body = Item<AlertRuleAnswer>), (status = 403, body = Problem), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn create(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<AlertRuleInput>,
) -> Result<Response> {
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    let id = alerts::create(&mut tx, &actor, &input.draft()).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, answer(&app, &actor, id).await?).into_response())
}

/// When a rule would have fired within the last week.
#[utoipa::path(post, path = "/v2/alert_rules/preview", tag = "alerts", request_body = AlertRuleInput, responses(
    (status = 200, body = AlertPreviewAnswer), (status = 403, body = Problem), (status = 422, body = Violations)))]
async fn preview(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<AlertRuleInput>,
) -> Result<Ld<AlertPreviewAnswer>> {
    actor.check_oversees()?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = alerts::preview(&mut tx, &input.draft(), clock::now()).await?;
    tx.commit().await?;
    Ok(Ld(AlertPreviewAnswer::new(&found)))
}

/// Another rule under the same id; its open alert ends without a word.
#[utoipa::path(put, path = "/v2/alert_rules/{id}", tag = "alerts", params(("id" = i64, Path)), request_body = AlertRuleInput, responses(
    (status = 200, body = Item<AlertRuleAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 412, body = Problem), (status = 422, body = Violations)))]
async fn change(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<AlertRuleId>,
    Json(input): Json<AlertRuleInput>,
) -> Result<Ld<Item<AlertRuleAnswer>>> {
    let version = input
        .version
        .ok_or_else(|| crate::error::Error::invalid("version", "Väli on kohustuslik."));
    actor.check_oversees()?;
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    alerts::change(&mut tx, &actor, id, &input.draft(), version?).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// Watches no more; its alerts are kept.
#[utoipa::path(delete, path = "/v2/alert_rules/{id}", tag = "alerts", params(("id" = i64, Path)), responses(
    (status = 204), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn delete(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<AlertRuleId>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    alerts::delete(&mut tx, &actor, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Nobody is told until then.
#[utoipa::path(put, path = "/v2/alert_rules/{id}/silence", tag = "alerts", params(("id" = i64, Path)), request_body = SilenceInput, responses(
    (status = 200, body = Item<AlertRuleAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 422, body = Violations)))]
async fn silence(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<AlertRuleId>,
    Json(input): Json<SilenceInput>,
) -> Result<Ld<Item<AlertRuleAnswer>>> {
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    alerts::silence(&mut tx, &actor, id, input.until, clock::now()).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// When rules held, newest first.
#[utoipa::path(get, path = "/v2/alerts", tag = "alerts", params(AlertsQuery), responses(
    (status = 200, body = Collection<AlertAnswer>), (status = 304), (status = 403, body = Problem), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    Query(query): Query<AlertsQuery>,
) -> Result<Response> {
    actor.check_oversees()?;
    let page = page(query.page, query.limit, query.items_per_page, 25, 100)?;
    let which = if query.firing.unwrap_or_default() {
        Which::Firing
    } else {
        Which::All
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = alerts::list(&mut tx, which, page).await?;
    tx.commit().await?;
    polled.answer(&links.collection(page, found.map(|alert| AlertAnswer::new(&alert))))
}

async fn answer(app: &App, actor: &Actor, id: AlertRuleId) -> Result<Ld<Item<AlertRuleAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let rule = alerts::rule(&mut tx, id, clock::now()).await?;
    tx.commit().await?;
    Ok(Ld(Item::new(AlertRuleAnswer::new(actor, &rule))))
}
