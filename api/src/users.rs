//! Users: the person himself, the people of a bureau, a person's own preferences.
use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::request::Parts;
use domain::audit::By;
use domain::ids::UserId;
use domain::users::{self, ColumnChoice, Preferences, User};
use domain::{Actor, Scope, db};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::auth::{Signed, known};
use crate::collection::{AllowedAction, Items, page};
use crate::error::{Error, Message, Result, Violations};
use crate::extract::{Json, Path, Query};
use crate::sign_in::RoleAnswer;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get, update))
}

#[derive(Serialize, ToSchema)]
struct UserAnswer {
    id: i64,
    username: String,
    name: String,
    email: Option<String>,
    language: String,
    /// Height of table rows in pixels: 28, 32 or 40.
    row_height: i16,
    /// The chosen columns of the case list; null means the default ones.
    case_table_column_fields: Option<Vec<String>>,
    /// Of the list of jobs.
    job_table_column_fields: Option<Vec<String>>,
    active: bool,
    roles: Vec<RoleAnswer>,
    version: i32,
    #[serde(rename = "allowedActions")]
    allowed_actions: Vec<AllowedAction>,
}

impl UserAnswer {
    fn new(user: User, reader: UserId) -> Self {
        let own = (user.id != reader).then_some("Muuta saab ainult enda eelistusi.");
        Self {
            id: user.id.0,
            username: user.username,
            name: user.name,
            email: user.email,
            language: user.language,
            row_height: user.row_height,
            case_table_column_fields: user
                .case_table_column_fields
                .and_then(|fields| serde_json::from_value(fields).ok()),
            job_table_column_fields: user
                .job_table_column_fields
                .and_then(|fields| serde_json::from_value(fields).ok()),
            active: !user.disabled,
            roles: user.roles.into_iter().map(RoleAnswer::from).collect(),
            version: user.version,
            allowed_actions: vec![AllowedAction::new("edit", own)],
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

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PreferencesInput {
    language: Option<String>,
    row_height: Option<i16>,
    /// Null: the default columns again.
    #[serde(default, deserialize_with = "columns")]
    #[schema(value_type = Option<Vec<String>>)]
    case_table_column_fields: ColumnChoice,
    #[serde(default, deserialize_with = "columns")]
    #[schema(value_type = Option<Vec<String>>)]
    job_table_column_fields: ColumnChoice,
    /// As read, and required; a stale one is refused.
    version: Option<i32>,
}

fn columns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ColumnChoice, D::Error> {
    let chosen = Option::<Vec<String>>::deserialize(deserializer)?;
    Ok(chosen.map_or(ColumnChoice::Standard, ColumnChoice::These))
}

/// The person himself before a role is chosen too; others as the role may see them.
#[utoipa::path(get, path = "/user/{id}", tag = "users", params(("id" = i64, Path)), responses(
    (status = 200, body = UserAnswer), (status = 404, body = Message)))]
async fn get(
    State(app): State<App>,
    Signed(signed): Signed,
    Path(id): Path<UserId>,
) -> Result<JsonAnswer<UserAnswer>> {
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let user = match signed.actor("") {
        _ if id == signed.user_id => users::get_self(&mut tx, id).await?,
        Some(actor) => users::get(&mut tx, &actor, id).await?,
        None => return Err(Error::forbidden()),
    };
    tx.commit().await?;
    Ok(JsonAnswer(UserAnswer::new(user, signed.user_id)))
}

/// The people of the actor's bureau; all of them for the chamber and operators.
#[utoipa::path(get, path = "/user/list", tag = "users", params(ListQuery), responses((status = 200, body = Items<UserAnswer>)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<ListQuery>,
) -> Result<JsonAnswer<Items<UserAnswer>>> {
    let page = page(query.page, query.limit, None, 100, 500)?;
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let listed = users::list(&mut tx, &actor, page).await?;
    tx.commit().await?;
    Ok(JsonAnswer(
        Items::new(page, listed).map(|user| UserAnswer::new(user, actor.user_id)),
    ))
}

/// Saves one's own preferences: columns, language, row height. Nothing here grants rights.
#[utoipa::path(put, path = "/user/{id}", tag = "users", params(("id" = i64, Path)), request_body = PreferencesInput, responses(
    (status = 200, body = UserAnswer), (status = 403, body = Message), (status = 404, body = Message),
    (status = 412, body = Message), (status = 422, body = Violations)))]
async fn update(
    State(app): State<App>,
    Signed(signed): Signed,
    Path(id): Path<UserId>,
    parts: Parts,
    Json(input): Json<PreferencesInput>,
) -> Result<JsonAnswer<UserAnswer>> {
    let request_id = &known(&parts)?.request_id;
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let actor = signed.actor(request_id);
    if id != signed.user_id {
        let actor = actor.as_ref().ok_or_else(Error::forbidden)?;
        users::get(&mut tx, actor, id).await?;
        return Err(Error::forbidden());
    }
    let new = Preferences {
        language: input.language,
        row_height: input.row_height,
        columns: input.case_table_column_fields,
        job_columns: input.job_table_column_fields,
        version: input.version,
    };
    let by = By {
        user_id: Some(id),
        username: Some(signed.username.clone()),
        request_id: Some(request_id.clone()),
        ..actor.as_ref().map(By::from).unwrap_or_default()
    };
    let tenant = actor.map(|actor| actor.tenant_id);
    let user = users::save_preferences(&mut tx, &by, tenant, id, &new).await?;
    tx.commit().await?;
    Ok(JsonAnswer(UserAnswer::new(user, signed.user_id)))
}
