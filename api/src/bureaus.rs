//! Bureaus: reading one's own, or all for the chamber.
use axum::Json as JsonAnswer;
use axum::extract::State;
use domain::bureaus::{self, Bureau};
use domain::ids::TenantId;
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Items, page};
use crate::error::{Message, Result, Violations};
use crate::extract::{Path, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
}

#[derive(Serialize, ToSchema)]
struct BureauAnswer {
    id: i64,
    code: String,
    name: String,
    is_chamber: bool,
    bailiff_name: Option<String>,
    vat_liable: bool,
    email: Option<String>,
    address: Option<String>,
    primary_bank_account_id: Option<i64>,
    version: i32,
}

impl From<Bureau> for BureauAnswer {
    fn from(bureau: Bureau) -> Self {
        Self {
            id: bureau.id,
            code: bureau.code,
            name: bureau.name,
            is_chamber: bureau.is_chamber,
            bailiff_name: bureau.bailiff_name,
            vat_liable: bureau.vat_liable,
            email: bureau.email,
            address: bureau.address,
            primary_bank_account_id: bureau.primary_bank_account_id,
            version: bureau.version,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    page: Option<i64>,
    limit: Option<i64>,
}

/// The actor's own bureau; all of them for the chamber and operators.
#[utoipa::path(get, path = "/bureau", tag = "bureaus", params(ListQuery), responses(
    (status = 200, body = Items<BureauAnswer>), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<ListQuery>,
) -> Result<JsonAnswer<Items<BureauAnswer>>> {
    let page = page(query.page, query.limit, None, 100, 500)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = bureaus::list(&mut tx, &actor, page).await?;
    tx.commit().await?;
    Ok(JsonAnswer(Items::new(page, listed).map(BureauAnswer::from)))
}

/// One bureau that the actor may see.
#[utoipa::path(get, path = "/bureau/{id}", tag = "bureaus", params(("id" = i64, Path)), responses(
    (status = 200, body = BureauAnswer), (status = 404, body = Message)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<TenantId>,
) -> Result<JsonAnswer<BureauAnswer>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let bureau = bureaus::get(&mut tx, &actor, id).await?;
    tx.commit().await?;
    Ok(JsonAnswer(bureau.into()))
}
