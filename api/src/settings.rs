//! Settings: reading those in force for a bureau, and the global ones.
use axum::Json as JsonAnswer;
use axum::extract::State;
use domain::ids::TenantId;
use domain::settings::{self, Setting, Whose};
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Items, page};
use crate::error::{Message, Result, Violations};
use crate::extract::Query;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(global))
        .routes(routes!(current_bureau))
}

#[derive(Serialize, ToSchema)]
struct SettingAnswer {
    id: i64,
    /// Null: global.
    tenant_id: Option<i64>,
    r#type: String,
    name: String,
    #[schema(value_type = Object)]
    value: serde_json::Value,
    /// Not the law's figure: to be checked before use.
    placeholder: bool,
    version: i32,
}

impl From<Setting> for SettingAnswer {
    fn from(setting: Setting) -> Self {
        let Setting {
            id,
            tenant_id,
            kind,
            name,
            value,
            placeholder,
            version,
        } = setting;
        Self {
            id,
            tenant_id,
            r#type: kind,
            name,
            value,
            placeholder,
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
    tenant_id: Option<i64>,
    r#type: Option<String>,
    #[serde(default, rename = "type[]")]
    #[param(rename = "type[]")]
    types: Vec<String>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TypeQuery {
    page: Option<i64>,
    limit: Option<i64>,
    r#type: Option<String>,
}

type Answer = Result<JsonAnswer<Items<SettingAnswer>>>;

/// The settings in force for a bureau: its own rows, and the global ones that it has none of its own for.
#[utoipa::path(get, path = "/setting", tag = "settings", params(ListQuery), responses(
    (status = 200, body = Items<SettingAnswer>), (status = 404, body = Message), (status = 422, body = Violations)))]
async fn list(State(app): State<App>, actor: Actor, Query(query): Query<ListQuery>) -> Answer {
    let whose = Whose::asked(&actor, query.tenant_id.map(TenantId))?;
    let mut kinds = query.types;
    kinds.extend(query.r#type);
    read(&app, &actor, whose, kinds, query.page, query.limit).await
}

/// The global settings.
#[utoipa::path(get, path = "/setting/global", tag = "settings", params(TypeQuery), responses(
    (status = 200, body = Items<SettingAnswer>), (status = 422, body = Violations)))]
async fn global(State(app): State<App>, actor: Actor, Query(query): Query<TypeQuery>) -> Answer {
    let kinds = query.r#type.into_iter().collect();
    read(&app, &actor, Whose::Global, kinds, query.page, query.limit).await
}

/// The settings in force for the actor's own bureau.
#[utoipa::path(get, path = "/setting/current-bureau", tag = "settings", params(TypeQuery), responses(
    (status = 200, body = Items<SettingAnswer>), (status = 422, body = Violations)))]
async fn current_bureau(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<TypeQuery>,
) -> Answer {
    let kinds = query.r#type.into_iter().collect();
    read(
        &app,
        &actor,
        Whose::InForceFor(actor.tenant_id),
        kinds,
        query.page,
        query.limit,
    )
    .await
}

async fn read(
    app: &App,
    actor: &Actor,
    whose: Whose,
    kinds: Vec<String>,
    number: Option<i64>,
    limit: Option<i64>,
) -> Answer {
    let page = page(number, limit, None, 100, 500)?;
    let kinds = (!kinds.is_empty()).then_some(kinds);
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = settings::list(&mut tx, whose, kinds.as_deref(), page).await?;
    tx.commit().await?;
    Ok(JsonAnswer(
        Items::new(page, listed).map(SettingAnswer::from),
    ))
}
