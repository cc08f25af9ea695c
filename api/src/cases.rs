//! The case list over HTTP: columns, pages, counts, and the CSV that streams everything that matches.
mod csv;
mod export;
mod table;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use domain::cases::list::{self, COLUMNS, Filters, View};
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::accept::wants_csv;
use crate::app::App;
use crate::collection::Ld;
use crate::error::{Error, Result, Violations};
use crate::extract::Json;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(columns))
        .routes(routes!(data_table))
        .routes(routes!(count))
}

/// One column that can be chosen.
#[derive(Serialize, ToSchema)]
struct ColumnAnswer {
    field: &'static str,
    /// Estonian, as the CSV has it.
    title: &'static str,
    /// number, status, state, text, money, date, integer or boolean.
    #[serde(rename = "type")]
    kind: &'static str,
    sortable: bool,
    /// Shown until the user chooses otherwise.
    default: bool,
}

#[derive(Serialize, ToSchema)]
struct Columns {
    member: Vec<ColumnAnswer>,
}

/// The columns of the case list.
#[utoipa::path(get, path = "/v2/enforcement_cases/columns", tag = "cases", responses(
    (status = 200, body = Columns, content_type = "application/ld+json")))]
async fn columns(_: Actor) -> Ld<Columns> {
    let answer = |column: &list::Column| ColumnAnswer {
        field: column.field,
        title: column.title,
        kind: column.kind.name(),
        sortable: true,
        default: column.default,
    };
    Ld(Columns {
        member: COLUMNS.iter().map(answer).collect(),
    })
}

/// One page of cases, or as `text/csv` everything that matches (with `limit`: that page).
#[utoipa::path(post, path = "/v2/enforcement_cases/data_table", tag = "cases", request_body = table::TableRequest, responses(
    (status = 200, content((table::Table = "application/ld+json"), (String = "text/csv"))),
    (status = 422, body = Violations, content_type = "application/ld+json")))]
async fn data_table(
    State(app): State<App>,
    actor: Actor,
    headers: HeaderMap,
    Json(request): Json<table::TableRequest>,
) -> Result<Response> {
    if wants_csv(&headers) {
        return match request.limit {
            Some(_) => export::page(&app, &actor, request).await,
            None if request.page.is_some() => {
                Err(Error::invalid("page", "Leht nõuab lehe suurust (limit)."))
            }
            None => export::whole(&app, &actor, request).await,
        };
    }
    Ok(table::page(&app, &actor, request).await?.into_response())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CountRequest {
    /// As in `data_table`.
    #[schema(value_type = Option<Object>)]
    filters: Option<Value>,
    /// `status`: how many in each status, too.
    by: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct Count {
    count: i64,
    /// Statuses that occur.
    #[serde(rename = "byStatus", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::HashMap<String, i64>>)]
    by_status: Option<Map<String, Value>>,
}

/// How many cases match.
#[utoipa::path(post, path = "/v2/enforcement_cases/case_table_cases_count", tag = "cases", request_body = CountRequest, responses(
    (status = 200, body = Count, content_type = "application/ld+json"),
    (status = 422, body = Violations, content_type = "application/ld+json")))]
async fn count(
    State(app): State<App>,
    actor: Actor,
    Json(request): Json<CountRequest>,
) -> Result<Ld<Count>> {
    let filters = Filters::from_json(&request.filters.unwrap_or_default(), "filters")?;
    let view = View::of(&actor, &filters);
    let mut tx = db::begin(&app.pool, view.scope(&actor)).await?;
    let answer = match request.by.as_deref() {
        None => Count {
            count: list::count(&mut tx, &filters, view).await?,
            by_status: None,
        },
        Some("status") => {
            let found = list::count_by_status(&mut tx, &filters, view).await?;
            Count {
                count: found.iter().map(|(_, count)| count).sum(),
                by_status: Some(
                    found
                        .into_iter()
                        .map(|(status, count)| (status.name().to_owned(), count.into()))
                        .collect(),
                ),
            }
        }
        Some(_) => {
            return Err(Error::invalid(
                "by",
                "Loendada saab staatuse (status) järgi.",
            ));
        }
    };
    tx.commit().await?;
    Ok(Ld(answer))
}
