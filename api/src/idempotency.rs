//! `Idempotency-Key` of calls that enqueue: the same key gives the same answer for 24 h.
use std::sync::Arc;

use axum::Json;
use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use domain::idempotency::{self, Call};
use domain::{Actor, Tx};
use serde::Serialize;
use serde_json::Value;

use crate::auth::known;
use crate::collection::Ld;
use crate::error::{Error, Result};
use crate::gate::Known;

/// The key of a call, if it has one. Use: `answered` first in the transaction, `keep` last before its commit.
pub struct Once {
    key: Option<String>,
    route: String,
    known: Arc<Known>,
}

impl<S: Send + Sync> FromRequestParts<S> for Once {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let header = parts.headers.get("idempotency-key");
        let key = match header.map(|value| value.to_str().map(str::trim)) {
            None => None,
            Some(Ok(key)) if !key.is_empty() && key.len() <= 128 => Some(key.to_owned()),
            Some(_) => {
                return Err(Error::invalid(
                    "Idempotency-Key",
                    "Võti peab olema 1 kuni 128 tähemärki.",
                ));
            }
        };
        let path = parts
            .extensions
            .get::<MatchedPath>()
            .map_or("-", MatchedPath::as_str);
        // The ids in the path belong to the call: /bulk_actions/7/cases is another route than /bulk_actions/8/cases.
        let route = format!("{} {path} {}", parts.method, parts.uri.path());
        Ok(Self {
            key,
            route,
            known: known(parts)?,
        })
    }
}

impl Once {
    /// The kept answer of an earlier, same call.
    pub async fn answered(&self, tx: &mut Tx, actor: &Actor) -> Result<Option<Response>> {
        let Some(call) = self.call(actor) else {
            return Ok(None);
        };
        let kept = idempotency::answered(tx, &call).await?;
        Ok(kept.map(|(status, body)| {
            let status = u16::try_from(status)
                .ok()
                .and_then(|status| StatusCode::from_u16(status).ok());
            (status.unwrap_or(StatusCode::OK), Json(body)).into_response()
        }))
    }

    /// Keeps the answer that the caller is about to get.
    pub async fn keep(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        status: StatusCode,
        body: &Value,
    ) -> Result<()> {
        let Some(call) = self.call(actor) else {
            return Ok(());
        };
        Ok(idempotency::keep(
            tx,
            &call,
            i16::try_from(status.as_u16()).unwrap_or(200),
            body,
        )
        .await?)
    }

    /// Keeps what was created and answers 201 with it; the caller commits and sends it.
    pub async fn created(
        &self,
        tx: &mut Tx,
        actor: &Actor,
        made: &impl Serialize,
    ) -> Result<Response> {
        let body = json(made)?;
        self.keep(tx, actor, StatusCode::CREATED, &body).await?;
        Ok((StatusCode::CREATED, Ld(body)).into_response())
    }

    fn call<'a>(&'a self, actor: &'a Actor) -> Option<Call<'a>> {
        let key = self.key.as_deref()?;
        let body_hash = self.known.body_hash.get().map_or(&[][..], Vec::as_slice);
        Some(Call {
            actor,
            route: &self.route,
            key,
            body_hash,
        })
    }
}

/// An answer as it is kept.
pub fn json(body: &impl Serialize) -> Result<Value> {
    serde_json::to_value(body)
        .map_err(|error| Error::internal(format!("an answer cannot be written: {error}")))
}
