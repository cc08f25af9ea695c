//! Who asks: the bearer token of a request becomes an actor, checked against the database on every call.
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::request::Parts;
use domain::Actor;
use domain::sessions::{self, Checked, SignedIn};

use crate::app::App;
use crate::error::Error;
use crate::gate::Known;

pub const COOKIE_NAME: &str = "__Host-toimik";
/// A bearer of ours has 43 characters; anything much longer is not looked at.
const LONGEST_HEADER: usize = 200;

/// A valid token, with or without a chosen role.
pub struct Signed(pub SignedIn);

impl FromRequestParts<App> for Signed {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let known = known(parts)?;
        let token = bearer(parts).ok_or_else(Error::unauthorized)?;
        let mut conn = app.auth_pool.acquire().await.map_err(domain::Error::from)?;
        let checked = sessions::check(&mut conn, token, &known.request_id).await?;
        drop(conn);
        match checked {
            Checked::Refused => Err(Error::unauthorized()),
            Checked::Valid(signed, fresh) => {
                if let Some(fresh) = fresh {
                    let _ = known.fresh_token.set(fresh.reveal().to_owned());
                }
                if let Some(actor) = signed.actor(&known.request_id) {
                    let _ = known.actor.set(actor);
                }
                // After the new token: it must reach its owner with a refusal too.
                if known.ticket.get().is_none() {
                    let ticket = app.in_flight.enter(signed.session_id);
                    let _ = known.ticket.set(ticket.ok_or_else(Error::too_many_calls)?);
                }
                Ok(Self(signed))
            }
        }
    }
}

/// `Actor` as an extractor: a valid token with a chosen role; without one 403.
impl FromRequestParts<App> for Actor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let Signed(signed) = Signed::from_request_parts(parts, app).await?;
        let request_id = known(parts)?.request_id.clone();
        signed.actor(&request_id).ok_or_else(Error::forbidden)
    }
}

/// The request's own record; the gate puts it there.
pub fn known(parts: &Parts) -> Result<Arc<Known>, Error> {
    parts
        .extensions
        .get::<Arc<Known>>()
        .cloned()
        .ok_or_else(|| Error::internal("the gate was not passed"))
}

fn bearer(parts: &Parts) -> Option<&str> {
    let mut all = parts.headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (all.next(), all.next()) else {
        return None;
    };
    let text = value
        .to_str()
        .ok()
        .filter(|text| text.len() <= LONGEST_HEADER)?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// The session cookie, of a call that another site cannot have made.
pub fn cookie(parts: &Parts) -> Result<Option<String>, Error> {
    if !same_origin(parts) {
        return Err(Error::forbidden());
    }
    let all = parts
        .headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut found = all
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    Ok(found
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, value)| value.to_owned()))
}

/// Browsers send Origin with every POST; a call without one comes from no page.
fn same_origin(parts: &Parts) -> bool {
    let site = parts.headers.get("sec-fetch-site");
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return false;
    }
    let Some(origin) = parts.headers.get(ORIGIN) else {
        return true;
    };
    let host = parts
        .headers
        .get(HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let authority = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.split_once("://"));
    authority
        .is_some_and(|(scheme, authority)| ["http", "https"].contains(&scheme) && authority == host)
}
