//! Signing in by password, coming back by cookie, choosing a role, signing out.
use axum::Json as JsonAnswer;
use axum::extract::{FromRequestParts, State};
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use domain::ids::RoleId;
use domain::sessions::{self, Attempt, Secret};
use domain::{Role, Scope, db, users};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::auth::{COOKIE_NAME, Signed, cookie, known};
use crate::error::{Error, Message, Result};
use crate::extract::Json;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(login))
        .routes(routes!(verify))
        .routes(routes!(role_select))
        .routes(routes!(logout))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Login {
    username: String,
    password: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RoleSelect {
    role_id: i64,
}

/// A role of the signed-in person.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RoleAnswer {
    id: i64,
    tenant_id: i64,
    #[schema(value_type = String)]
    role: Role,
    role_code: &'static str,
    tenant_code: String,
    tenant_name: String,
}

impl From<users::UserRole> for RoleAnswer {
    fn from(role: users::UserRole) -> Self {
        Self {
            id: role.id.0,
            tenant_id: role.tenant_id.0,
            role: role.role,
            role_code: role_code(role.role),
            tenant_code: role.tenant_code,
            tenant_name: role.tenant_name,
        }
    }
}

fn role_code(role: Role) -> &'static str {
    match role {
        Role::Kt => "ROLE_KT",
        Role::Koda => "ROLE_KODA",
        Role::Dev => "ROLE_DEV",
    }
}

#[derive(Serialize, ToSchema)]
struct SignInAnswer {
    id: i64,
    token: String,
    /// The chosen role's bureau; null until a role is chosen.
    tenant_id: Option<i64>,
    name: String,
    roles: Vec<RoleAnswer>,
    role: Option<RoleAnswer>,
}

impl SignInAnswer {
    fn new(user: users::User, token: &Secret, chosen: Option<RoleId>) -> Self {
        let roles: Vec<RoleAnswer> = user.roles.into_iter().map(RoleAnswer::from).collect();
        let role = roles
            .iter()
            .find(|role| Some(role.id) == chosen.map(|id| id.0))
            .cloned();
        Self {
            id: user.id.0,
            token: token.reveal().to_owned(),
            tenant_id: role.as_ref().map(|role| role.tenant_id),
            name: user.name,
            roles,
            role,
        }
    }
}

/// Signs in by user name and password; the session cookie comes with the answer.
#[utoipa::path(post, path = "/auth/login", tag = "auth", request_body = Login, security(()), responses(
    (status = 200, body = SignInAnswer), (status = 401, body = Message), (status = 429, body = Message)))]
async fn login(
    State(app): State<App>,
    parts: Parts,
    Json(input): Json<Login>,
) -> Result<(HeaderMap, JsonAnswer<SignInAnswer>)> {
    let known = known(&parts)?;
    // Nobody's name is longer; what is longer must not cost more.
    let username: String = input.username.chars().take(128).collect();
    let key: String = users::username_key(&username).chars().take(128).collect();
    let address = prefix(known.peer);
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let attempt = sessions::reserve(&mut tx, &key, &address).await?;
    let found = match attempt {
        Attempt::Allowed => users::credentials(&mut tx, &username).await?,
        Attempt::WaitSeconds(_) => None,
    };
    tx.commit().await?;
    if let Attempt::WaitSeconds(wait) = attempt {
        tracing::warn!(request.id = known.request_id, "a sign-in has to wait");
        return Err(Error::too_many_tries(wait));
    }
    let hash = found.as_ref().and_then(|user| user.password_hash.clone());
    let fits = password_fits(&app, input.password, hash).await?;
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let user = match found {
        Some(user) if fits => user,
        found => {
            sessions::refuse(&mut tx, &key, &address).await?;
            sessions::note_refused(
                &mut tx,
                "sign_in_refused",
                found.map(|user| user.id),
                &username,
                &known.request_id,
            )
            .await?;
            tx.commit().await?;
            return Err(Error::wrong_password());
        }
    };
    sessions::forgive(&mut tx, &key, &address).await?;
    let opened = sessions::open(&mut tx, user.id, &user.username, &known.request_id).await?;
    let user = users::get_self(&mut tx, user.id).await?;
    tx.commit().await?;
    let headers = set_cookie(&format!(
        "{COOKIE_NAME}={}; Path=/; Secure; HttpOnly; SameSite=Strict",
        opened.cookie.reveal()
    ));
    Ok((
        headers,
        JsonAnswer(SignInAnswer::new(user, &opened.token, None)),
    ))
}

/// Gives a new token to the session of the cookie: after a reload, or when the token has run out.
#[utoipa::path(post, path = "/auth/verify", tag = "auth", security(()), responses(
    (status = 200, body = SignInAnswer), (status = 401, body = Message)))]
async fn verify(State(app): State<App>, parts: Parts) -> Result<JsonAnswer<SignInAnswer>> {
    plain_call(&parts)?;
    let cookie = cookie(&parts)?.ok_or_else(Error::unauthorized)?;
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let resumed = sessions::resume(&mut tx, &cookie).await?;
    let (signed, token) = resumed.ok_or_else(Error::unauthorized)?;
    let user = users::get_self(&mut tx, signed.user_id).await?;
    tx.commit().await?;
    Ok(JsonAnswer(SignInAnswer::new(
        user,
        &token,
        signed.role.map(|role| role.role_id),
    )))
}

/// Chooses a role: a new token, and every other token of the session is void.
#[utoipa::path(post, path = "/auth/role-select", tag = "auth", request_body = RoleSelect, responses(
    (status = 200, body = SignInAnswer), (status = 401, body = Message), (status = 403, body = Message)))]
async fn role_select(
    State(app): State<App>,
    Signed(signed): Signed,
    parts: Parts,
    Json(input): Json<RoleSelect>,
) -> Result<JsonAnswer<SignInAnswer>> {
    let known = known(&parts)?;
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let (chosen, token) =
        sessions::choose_role(&mut tx, &signed, RoleId(input.role_id), &known.request_id).await?;
    let user = users::get_self(&mut tx, signed.user_id).await?;
    tx.commit().await?;
    Ok(JsonAnswer(SignInAnswer::new(
        user,
        &token,
        Some(chosen.role_id),
    )))
}

/// Ends the session of the token, of the cookie, or of both; always succeeds.
#[utoipa::path(post, path = "/auth/logout", tag = "auth", security(()), responses((status = 204)))]
async fn logout(State(app): State<App>, mut parts: Parts) -> Result<(StatusCode, HeaderMap)> {
    plain_call(&parts)?;
    let known = known(&parts)?;
    let cookie = cookie(&parts)?;
    let signed = Signed::from_request_parts(&mut parts, &app).await.ok();
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    if let Some(Signed(signed)) = signed {
        sessions::end(&mut tx, &signed, "sign_out", &known.request_id).await?;
    }
    if let Some(cookie) = cookie {
        sessions::end_by_cookie(&mut tx, &cookie, &known.request_id).await?;
    }
    tx.commit().await?;
    Ok((
        StatusCode::NO_CONTENT,
        set_cookie(&format!(
            "{COOKIE_NAME}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0"
        )),
    ))
}

/// A call without a body still must not come from another site's form.
fn plain_call(parts: &Parts) -> Result<()> {
    let kind = parts
        .headers
        .get("content-type")
        .map(|value| value.to_str().unwrap_or_default());
    match kind {
        None => Ok(()),
        Some(kind)
            if kind.starts_with("application/json") || kind.starts_with("application/ld+json") =>
        {
            Ok(())
        }
        Some(_) => Err(Error::media_type()),
    }
}

/// Hashes on a blocking thread; a too long password costs the same and never fits.
async fn password_fits(app: &App, password: String, hash: Option<String>) -> Result<bool> {
    let short = password.len() <= users::LONGEST_BYTES;
    let _permit = app
        .hashing
        .acquire()
        .await
        .map_err(|error| Error::internal(error.to_string()))?;
    let metrics = app.metrics.clone();
    let work = move || {
        metrics.hashed();
        if short {
            users::fits(&password, hash.as_deref())
        } else {
            users::fits("", None)
        }
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Error::internal(error.to_string()))
}

/// The network that tries are counted for: /24, or /64 of IPv6.
fn prefix(address: IpAddr) -> String {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

fn set_cookie(text: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Ok(mut value) = HeaderValue::from_str(text) {
        value.set_sensitive(true);
        headers.insert(SET_COOKIE, value);
    }
    headers
}
