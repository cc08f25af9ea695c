//! Bulk actions: create, preview, freeze, look at, repeat. Steering is in `acts`, tasks are in `tasks`, answers in `wire`, the results file in `csv`.
mod acts;
mod csv;
mod sample;
mod tasks;
mod wire;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use domain::bulk_actions::{self as actions, Action, Counts, Frozen, Launch, Status, scope_to_act};
use domain::ids::BulkActionId;
use domain::jobs::whole::held_back;
use domain::page::Listed;
use domain::{Actor, Tx, clock, db, movement};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Collection, Item, Ld, Links, page};
use crate::error::{Error, Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, Path, Query};
use crate::idempotency::{Once, json};
use crate::movement::MovementAnswer;
pub use wire::SkippedAnswer;
use wire::{ActionAnswer, DayAnswer, FrozenAnswer, PreviewAnswer, RetriedAnswer};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(preview))
        .routes(routes!(freeze))
        .routes(routes!(get))
        .routes(routes!(by_date))
        .routes(routes!(of_date))
        .routes(routes!(retry))
        .routes(routes!(child))
        .merge(acts::routes())
        .merge(tasks::routes())
}

/// The most that one page holds.
const MOST: i64 = 100;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateInput {
    /// 1 set start fee, 3 compute new issuer fee, 9 sync to the national register.
    r#type: i64,
    /// Type 1: `{startFee: {cents, currency: "EUR"}}`; others none.
    args: Option<Value>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PreviewInput {
    r#type: i64,
    args: Option<Value>,
    #[serde(default)]
    filters: Value,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CasesInput {
    /// As in the case list; all cases must be said, by `{}`.
    filters: Value,
    /// What the preview showed; 409 when the number moved by more than 1 % and more than 10.
    expected_count: Option<i64>,
    include_cases_with_problems: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RetryInput {
    /// 3 failed, 4 cancelled, 5 warning; without it 3 and 5.
    status: Option<i64>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChildInput {
    /// 3 failed, 4 cancelled, 5 warning; by default 3.
    #[serde(default)]
    status: Vec<i64>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct DaysQuery {
    /// Days on a page, by default 7.
    days_per_page: Option<i64>,
    page: Option<i64>,
    /// Actions of each day, by default 50.
    limit: Option<i64>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct DayQuery {
    date: String,
    page: Option<i64>,
    limit: Option<i64>,
    items_per_page: Option<i64>,
}

/// Creates an action without cases.
#[utoipa::path(post, path = "/v2/bulk_actions", tag = "bulk actions", request_body = CreateInput, responses(
    (status = 201, body = Item<ActionAnswer>), (status = 403, body = Problem), (status = 422, body = Violations)))]
async fn create(
    State(app): State<App>,
    actor: Actor,
    once: Once,
    Json(input): Json<CreateInput>,
) -> Result<Response> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(kept) = once.answered(&mut tx, &actor).await? {
        return Ok(kept);
    }
    let id = actions::create(&mut tx, &actor, input.r#type, input.args.as_ref()).await?;
    let made = read(&app, &mut tx, &actor, id).await?;
    let answer = once.created(&mut tx, &actor, &made).await?;
    tx.commit().await?;
    fail::fail_point!("committed", |_| std::process::abort());
    Ok(answer)
}

/// What a launch would do: how many cases, ten of them, how many are left alone and why.
#[utoipa::path(post, path = "/v2/bulk_actions/preview", tag = "bulk actions", request_body = PreviewInput, responses(
    (status = 200, body = PreviewAnswer), (status = 403, body = Problem), (status = 422, body = Violations)))]
async fn preview(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<PreviewInput>,
) -> Result<Ld<PreviewAnswer>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = actions::preview(
        &mut tx,
        &actor,
        input.r#type,
        input.args.as_ref(),
        &input.filters,
    )
    .await?;
    tx.commit().await?;
    Ok(Ld(PreviewAnswer::new(found)?))
}

/// Freezes the cases that match now; once only.
#[utoipa::path(post, path = "/v2/bulk_actions/{id}/cases", tag = "bulk actions", params(("id" = i64, Path)),
    request_body = CasesInput, responses((status = 200, body = FrozenAnswer), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn freeze(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
    once: Once,
    Json(input): Json<CasesInput>,
) -> Result<Response> {
    if input.filters.is_null() {
        return Err(Error::invalid("filters", "Väli on kohustuslik."));
    }
    let launch = Launch {
        filters: input.filters,
        expected_count: input.expected_count,
        include_cases_with_problems: input.include_cases_with_problems.unwrap_or_default(),
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(kept) = once.answered(&mut tx, &actor).await? {
        return Ok(kept);
    }
    let frozen = actions::freeze(&mut tx, &actor, id, &launch).await?;
    let Frozen::Tasks(tasks) = frozen else {
        tx.commit().await?;
        return Err(Error::invalid("filters", "Filtrile ei vasta ükski toimik."));
    };
    let body = json(&FrozenAnswer {
        id: id.0,
        total_items: tasks,
    })?;
    once.keep(&mut tx, &actor, StatusCode::OK, &body).await?;
    tx.commit().await?;
    fail::fail_point!("committed", |_| std::process::abort());
    Ok(Ld(body).into_response())
}

/// One action with its counts.
#[utoipa::path(get, path = "/v2/bulk_actions/{id}", tag = "bulk actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<ActionAnswer>), (status = 304), (status = 404, body = Problem)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    Path(id): Path<BulkActionId>,
) -> Result<Response> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let body = read(&app, &mut tx, &actor, id).await?;
    tx.commit().await?;
    polled.answer(&body)
}

/// Days with their newest actions, the newest day first; `totalItems` counts days.
#[utoipa::path(get, path = "/v2/bulk_actions_by_date", tag = "bulk actions", params(DaysQuery), responses(
    (status = 200, body = Collection<DayAnswer>), (status = 304), (status = 422, body = Violations)))]
async fn by_date(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    Query(query): Query<DaysQuery>,
) -> Result<Response> {
    let days = page(query.page, query.days_per_page, None, 7, MOST)?;
    let per_day = page(None, query.limit, None, 50, MOST)?.limit;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = actions::by_date(&mut tx, days, per_day).await?;
    let all: Vec<&Action> = found.rows.iter().flat_map(|day| &day.actions).collect();
    let counts = app.counter.counts(&mut tx, actor.scope(), &all).await?;
    tx.commit().await?;
    let rows = found.rows.iter().map(|day| DayAnswer {
        date: day.date,
        total_items: day.total,
        member: day
            .actions
            .iter()
            .map(|action| Item::new(ActionAnswer::new(&actor, action, &counts)))
            .collect(),
    });
    polled.answer(&links.collection(
        days,
        Listed {
            rows: rows.collect(),
            total: found.total,
        },
    ))
}

/// The actions of one day, newest first.
#[utoipa::path(get, path = "/v2/bulk_actions_of_date", tag = "bulk actions", params(DayQuery), responses(
    (status = 200, body = Collection<ActionAnswer>), (status = 304), (status = 422, body = Violations)))]
async fn of_date(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    Query(query): Query<DayQuery>,
) -> Result<Response> {
    let date = day(&query.date)?;
    let page = page(query.page, query.limit, query.items_per_page, 50, MOST)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = actions::of_date(&mut tx, date, page).await?;
    let all: Vec<&Action> = found.rows.iter().collect();
    let counts = app.counter.counts(&mut tx, actor.scope(), &all).await?;
    tx.commit().await?;
    let rows = found
        .rows
        .iter()
        .map(|action| ActionAnswer::new(&actor, action, &counts))
        .collect();
    polled.answer(&links.collection(
        page,
        Listed {
            rows,
            total: found.total,
        },
    ))
}

/// Runs the failed and warning tasks again, or those of one status.
#[utoipa::path(put, path = "/v2/bulk_action/{id}/retry", tag = "bulk actions", params(("id" = i64, Path)),
    request_body = RetryInput, responses((status = 200, body = RetriedAnswer), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn retry(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
    Json(input): Json<RetryInput>,
) -> Result<Ld<RetriedAnswer>> {
    let status = input.status.map(|number| {
        Status::from_number(number).ok_or_else(|| Error::invalid("status", "Tundmatu olek."))
    });
    let statuses: Vec<Status> = status.transpose()?.into_iter().collect();
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    let retried = actions::retry(&mut tx, &actor, id, &statuses).await?;
    tx.commit().await?;
    let action = answer(&app, &actor, id).await?;
    Ok(Ld(RetriedAnswer::new(action, retried)))
}

/// A new action of the same type and arguments over the cases of the failed tasks; linked to this one.
#[utoipa::path(post, path = "/v2/bulk_actions/{id}/child", tag = "bulk actions", params(("id" = i64, Path)),
    request_body = ChildInput, responses((status = 201, body = Item<ActionAnswer>), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn child(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
    once: Once,
    Json(input): Json<ChildInput>,
) -> Result<Response> {
    let statuses = input
        .status
        .iter()
        .map(|number| {
            Status::from_number(*number).ok_or_else(|| Error::invalid("status", "Tundmatu olek."))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(kept) = once.answered(&mut tx, &actor).await? {
        return Ok(kept);
    }
    let new = actions::child(&mut tx, &actor, id, &statuses).await?;
    let made = read(&app, &mut tx, &actor, new).await?;
    let answer = once.created(&mut tx, &actor, &made).await?;
    tx.commit().await?;
    Ok(answer)
}

/// The action as the actor sees it now, in a reading transaction of its own: who acts may be someone who cannot read.
async fn answer(app: &App, actor: &Actor, id: BulkActionId) -> Result<Item<ActionAnswer>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let body = read(app, &mut tx, actor, id).await?;
    tx.commit().await?;
    Ok(body)
}

async fn read(
    app: &App,
    tx: &mut Tx,
    actor: &Actor,
    id: BulkActionId,
) -> Result<Item<ActionAnswer>> {
    let action = actions::find(tx, id).await?;
    let counts = app.counter.counts(tx, actor.scope(), &[&action]).await?;
    let body = ActionAnswer::new(actor, &action, &counts);
    if action.status != Status::InProgress {
        return Ok(Item::new(body));
    }
    let stall = match action.kind.job() {
        Some(kind) => held_back(tx, kind, action.single_bureau(), Some(id)).await?,
        None => None,
    };
    let left = counts.get(&id).map_or(0, Counts::live);
    let moved = movement::read(tx, movement::Of::Bulk(id), left, clock::now()).await?;
    let let_go = [
        action.cases_frozen_at,
        action.started_at,
        action.moves_since,
    ];
    let moved = MovementAnswer::new(moved, action.created_at, &let_go);
    Ok(Item::new(body.moving(stall, Some(moved))))
}

/// A legal day between 1900 and 2100.
fn day(text: &str) -> Result<NaiveDate> {
    use chrono::Datelike;
    let plain = text.len() == 10
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date = text
        .parse::<NaiveDate>()
        .ok()
        .filter(|date| plain && (1900..=2100).contains(&date.year()));
    date.ok_or_else(|| Error::invalid("date", "Kuupäev peab olema kujul 2026-01-31."))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_iso_and_near() {
        for text in ["1900-01-01", "2024-02-29", "2100-12-31"] {
            assert!(day(text).is_ok(), "{text}");
        }
        for text in [
            "9999-12-31",
            "10000-01-01",
            "-0044-01-01",
            "0000-01-01",
            "2023-02-29",
            "2024-02-30",
            "1899-12-31",
            "2024-1-1",
            "2024-01-01T00:00:00Z",
            "31.01.2024",
            "",
        ] {
            assert!(day(text).is_err(), "{text}");
        }
    }
}
