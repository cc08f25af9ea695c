//! Banks: reading the list and one of them.
use axum::Json as JsonAnswer;
use axum::extract::State;
use domain::banks::{self, Bank, Filter, Order};
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Items, page};
use crate::error::{Message, Result, Violations};
use crate::extract::{Path, Query, among, filter, yes_or_no};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
}

#[derive(Serialize, ToSchema)]
struct BankAnswer {
    id: i64,
    name: String,
    swift: String,
    /// The bank's two digits in an IBAN.
    code: Option<String>,
    /// `earrest` or `epis`.
    target: String,
    is_preselected: bool,
    active: bool,
    idx: i32,
    default_arrest_template_id: Option<i64>,
    default_first_arrest_template_id: Option<i64>,
    default_close_template_id: Option<i64>,
    default_expire_close_template_id: Option<i64>,
    version: i32,
}

impl From<Bank> for BankAnswer {
    fn from(bank: Bank) -> Self {
        Self {
            id: bank.id,
            name: bank.name,
            swift: bank.swift,
            code: bank.code,
            target: bank.target,
            is_preselected: bank.is_preselected,
            active: bank.active,
            idx: bank.idx,
            default_arrest_template_id: bank.default_arrest_template_id,
            default_first_arrest_template_id: bank.default_first_arrest_template_id,
            default_close_template_id: bank.default_close_template_id,
            default_expire_close_template_id: bank.default_expire_close_template_id,
            version: bank.version,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    page: Option<i64>,
    limit: Option<i64>,
    active: Option<bool>,
    /// `asc` or `desc`.
    #[serde(rename = "order[idx]")]
    #[param(rename = "order[idx]")]
    order: Option<Direction>,
    /// A JSON object of equalities on id, name, swift, target, active.
    #[serde(rename = "where")]
    #[param(rename = "where")]
    filter: Option<String>,
}

/// As written in `order[…]`.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    #[serde(alias = "ASC")]
    Asc,
    #[serde(alias = "DESC")]
    Desc,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Where {
    #[serde(deserialize_with = "among")]
    id: Option<Vec<i64>>,
    #[serde(deserialize_with = "among")]
    name: Option<Vec<String>>,
    #[serde(deserialize_with = "among")]
    swift: Option<Vec<String>>,
    #[serde(deserialize_with = "among")]
    target: Option<Vec<String>>,
    #[serde(deserialize_with = "yes_or_no")]
    active: Option<bool>,
}

/// Banks in their order.
#[utoipa::path(get, path = "/bank", tag = "banks", params(ListQuery), responses(
    (status = 200, body = Items<BankAnswer>), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<ListQuery>,
) -> Result<JsonAnswer<Items<BankAnswer>>> {
    let page = page(query.page, query.limit, None, 100, 500)?;
    let asked: Where = filter(query.filter.as_deref())?;
    let filter = Filter {
        ids: asked.id,
        names: asked.name,
        swifts: asked.swift,
        targets: asked.target,
        active: query.active.or(asked.active),
    };
    let order = match query.order {
        Some(Direction::Desc) => Order::IdxDescending,
        _ => Order::IdxAscending,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = banks::list(&mut tx, &filter, order, page).await?;
    tx.commit().await?;
    Ok(JsonAnswer(Items::new(page, listed).map(BankAnswer::from)))
}

/// One bank.
#[utoipa::path(get, path = "/bank/{id}", tag = "banks", params(("id" = i64, Path)), responses(
    (status = 200, body = BankAnswer), (status = 404, body = Message)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<i64>,
) -> Result<JsonAnswer<BankAnswer>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let bank = banks::get(&mut tx, id).await?;
    tx.commit().await?;
    Ok(JsonAnswer(bank.into()))
}
