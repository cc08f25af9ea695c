//! Tasks of bulk actions: the list with its search, the results as a file, retry and mark done.
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::bulk_actions::{self as actions, Status, TaskFilter, scope_to_act};
use domain::ids::{BulkActionId, JobId};
use domain::jobs;
use domain::page::{Listed, Page};
use domain::{Actor, db};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::csv;
use super::wire::TaskAnswer;
use crate::accept::wants_csv;
use crate::app::App;
use crate::collection::{Collection, Item, Ld, Links, page};
use crate::error::{Error, Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, Path, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(unfinished))
        .routes(routes!(retry))
        .routes(routes!(mark_done))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TasksQuery {
    /// An id or an IRI, `/v2/bulk_actions/7`.
    #[serde(rename = "bulkAction")]
    bulk_action: String,
    status: Option<i64>,
    #[serde(rename = "status[]", default)]
    statuses: Vec<i64>,
    /// Narrows status 1: `queued` (waiting or on the way) or `running`.
    state: Option<String>,
    /// A part of the output; one character is no search.
    output: Option<String>,
    #[serde(rename = "order[caseYear]")]
    order_year: Option<String>,
    #[serde(rename = "order[caseIndex]")]
    order_index: Option<String>,
    page: Option<i64>,
    limit: Option<i64>,
    #[serde(rename = "itemsPerPage")]
    items_per_page: Option<i64>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OneQuery {
    #[serde(rename = "bulkAction")]
    bulk_action: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DoneInput {
    /// 2: done.
    status: i64,
    reason: Option<String>,
}

/// The tasks of an action by falling case number; as `text/csv` all of them, one row a task.
#[utoipa::path(get, path = "/v2/bulk_action_tasks", tag = "bulk actions", params(TasksQuery), responses(
    (status = 200, content((Collection<TaskAnswer> = "application/json"), (String = "text/csv"))), (status = 304),
    (status = 404, body = Problem), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    headers: HeaderMap,
    Query(query): Query<TasksQuery>,
) -> Result<Response> {
    let id = action_id(&query.bulk_action)?;
    let filter = filter(&query)?;
    let page = page(query.page, query.limit, query.items_per_page, 25, 100)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let action = actions::find(&mut tx, id).await?;
    if wants_csv(&headers) {
        tx.commit().await?;
        return csv::stream(&app, &actor, &action, filter).await;
    }
    let counts = app
        .counter
        .counts(&mut tx, actor.scope(), &[&action])
        .await?;
    let counts = counts.get(&id).copied().unwrap_or_default();
    let found = actions::tasks(&mut tx, id, &filter, page, &counts).await?;
    tx.commit().await?;
    let rows = found
        .rows
        .iter()
        .map(|task| TaskAnswer::new(&actor, &action, task))
        .collect();
    polled.answer(&links.collection(
        page,
        Listed {
            rows,
            total: found.total,
        },
    ))
}

/// At most one task that is in progress, failed or cancelled.
#[utoipa::path(get, path = "/v2/tasks_wip_and_failed_of_bulk_action", tag = "bulk actions", params(OneQuery), responses(
    (status = 200, body = Collection<TaskAnswer>), (status = 304), (status = 404, body = Problem), (status = 422, body = Violations)))]
async fn unfinished(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    Query(query): Query<OneQuery>,
) -> Result<Response> {
    let id = action_id(&query.bulk_action)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let action = actions::find(&mut tx, id).await?;
    let task = actions::unfinished_task(&mut tx, id).await?;
    tx.commit().await?;
    let rows: Vec<TaskAnswer> = task
        .iter()
        .map(|task| TaskAnswer::new(&actor, &action, task))
        .collect();
    let total = i64::try_from(rows.len()).unwrap_or_default();
    polled.answer(&links.collection(
        Page {
            limit: 1,
            offset: 0,
        },
        Listed { rows, total },
    ))
}

/// Runs one task again, ahead of its bureau's other work.
#[utoipa::path(put, path = "/v2/bulk_action_tasks/{id}/retry", tag = "bulk actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<TaskAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn retry(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<JobId>,
) -> Result<Ld<Item<TaskAnswer>>> {
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    actions::retry_task(&mut tx, &actor, id).await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

/// Settles a failed or warning task by hand.
#[utoipa::path(put, path = "/v2/bulk_action_tasks/{id}", tag = "bulk actions", params(("id" = i64, Path)), request_body = DoneInput,
    responses((status = 200, body = Item<TaskAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn mark_done(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<JobId>,
    Json(input): Json<DoneInput>,
) -> Result<Ld<Item<TaskAnswer>>> {
    if input.status != i64::from(Status::Ok.number()) {
        return Err(Error::invalid(
            "status",
            "Alamtegevuse saab märkida ainult tehtuks (2).",
        ));
    }
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    actions::mark_done(
        &mut tx,
        &actor,
        id,
        input.reason.as_deref().unwrap_or_default(),
    )
    .await?;
    tx.commit().await?;
    answer(&app, &actor, id).await
}

async fn answer(app: &App, actor: &Actor, id: JobId) -> Result<Ld<Item<TaskAnswer>>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let task = actions::find_task(&mut tx, id).await?;
    let action = actions::find(&mut tx, task.action_id).await?;
    tx.commit().await?;
    Ok(Ld(Item::new(TaskAnswer::new(actor, &action, &task))))
}

/// A plain id or the IRI of an action.
fn action_id(text: &str) -> Result<BulkActionId> {
    let digits = text.strip_prefix("/v2/bulk_actions/").unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let id = digits.parse().ok().filter(|_| plain);
    id.map(BulkActionId)
        .ok_or_else(|| Error::invalid("bulkAction", "Masstegevuse tunnus on vigane."))
}

fn filter(query: &TasksQuery) -> Result<TaskFilter> {
    let numbers = query.status.iter().chain(&query.statuses);
    let statuses: Result<Vec<Status>> = numbers
        .map(|number| {
            Status::from_number(*number).ok_or_else(|| Error::invalid("status", "Tundmatu olek."))
        })
        .collect();
    let statuses = statuses?;
    let within = match query.state.as_deref() {
        None => None,
        Some("queued") => Some(&[jobs::State::Queued, jobs::State::Dispatched][..]),
        Some("running") => Some(&[jobs::State::Running][..]),
        Some(_) => return Err(Error::invalid("state", "Tundmatu olek.")),
    };
    let directions = [
        ("order[caseYear]", &query.order_year),
        ("order[caseIndex]", &query.order_index),
    ];
    let mut rising = None;
    for (path, direction) in directions {
        let this = match direction.as_deref() {
            None => continue,
            Some("asc") => true,
            Some("desc") => false,
            Some(_) => return Err(Error::invalid(path, "Suund peab olema asc või desc.")),
        };
        if rising.is_some_and(|known| known != this) {
            return Err(Error::invalid(
                path,
                "Aasta ja number järjestatakse ühes suunas.",
            ));
        }
        rising = Some(this);
    }
    Ok(TaskFilter {
        statuses,
        within: within.map(<[jobs::State]>::to_vec).unwrap_or_default(),
        output: query.output.clone().filter(|text| text.chars().count() > 1),
        oldest_first: rising.unwrap_or_default(),
    })
}
