//! Feature flags: reading what is on for the actor.
use axum::extract::State;
use domain::feature_flags::{self, FeatureFlag};
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
struct FeatureFlagAnswer {
    id: i64,
    name: String,
    description: String,
    everyone: bool,
    environments: Vec<String>,
    emails: Vec<String>,
    tenant_id: Option<i64>,
    /// Whether it is on for the reader.
    enabled: bool,
    version: i32,
}

impl Resource for FeatureFlagAnswer {
    const TYPE: &'static str = "FeatureFlag";
    const PATH: &'static str = "/v2/feature_flags";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl From<FeatureFlag> for FeatureFlagAnswer {
    fn from(flag: FeatureFlag) -> Self {
        let FeatureFlag {
            id,
            name,
            description,
            everyone,
            environments,
            emails,
            tenant_id,
            enabled,
            version,
        } = flag;
        Self {
            id,
            name,
            description,
            everyone,
            environments,
            emails,
            tenant_id,
            enabled,
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
}

/// Feature flags by name.
#[utoipa::path(get, path = "/v2/feature_flags", tag = "settings", params(ListQuery), responses(
    (status = 200, body = Collection<FeatureFlagAnswer>, content_type = "application/ld+json"),
    (status = 422, body = Violations, content_type = "application/ld+json")))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    links: Links,
    Query(query): Query<ListQuery>,
) -> Result<Ld<Collection<FeatureFlagAnswer>>> {
    let page = page(query.page, query.limit, query.items_per_page, 100, 100)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = feature_flags::list(&mut tx, &actor, &app.config.environment, page).await?;
    tx.commit().await?;
    Ok(Ld(
        links.collection(page, listed.map(FeatureFlagAnswer::from))
    ))
}
