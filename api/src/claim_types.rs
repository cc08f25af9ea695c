//! Kinds of claim: reading the list.
use axum::extract::State;
use domain::claim_types::{self, ClaimType};
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Collection, Ld, Links, Resource, page};
use crate::error::{Result, Violations};
use crate::extract::Query;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

#[derive(Serialize, ToSchema)]
struct ClaimTypeAnswer {
    id: i64,
    name: String,
    maintenance: bool,
    active: bool,
    order_idx: i32,
    version: i32,
}

impl Resource for ClaimTypeAnswer {
    const TYPE: &'static str = "ClaimType";
    const PATH: &'static str = "/v2/claim_types";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl From<ClaimType> for ClaimTypeAnswer {
    fn from(kind: ClaimType) -> Self {
        let ClaimType {
            id,
            name,
            maintenance,
            active,
            order_idx,
            version,
        } = kind;
        Self {
            id,
            name,
            maintenance,
            active,
            order_idx,
            version,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    page: Option<i64>,
    limit: Option<i64>,
    #[serde(rename = "itemsPerPage")]
    #[param(rename = "itemsPerPage")]
    items_per_page: Option<i64>,
    active: Option<bool>,
}

/// Kinds of claim in their order.
#[utoipa::path(get, path = "/v2/claim_types", tag = "claims", params(ListQuery), responses(
    (status = 200, body = Collection<ClaimTypeAnswer>, content_type = "application/ld+json"),
    (status = 422, body = Violations, content_type = "application/ld+json")))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    links: Links,
    Query(query): Query<ListQuery>,
) -> Result<Ld<Collection<ClaimTypeAnswer>>> {
    let page = page(query.page, query.limit, query.items_per_page, 100, 100)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = claim_types::list(&mut tx, query.active, page).await?;
    tx.commit().await?;
    Ok(Ld(links.collection(page, listed.map(ClaimTypeAnswer::from))))
}
