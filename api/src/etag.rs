//! Polled answers: an ETag of their bytes, and 304 when the caller has them already.
use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::header::{AGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::collection::LD_JSON;
use crate::error::{Error, Result};
use crate::shared::Made;

/// What the caller has already, from `If-None-Match`.
pub struct Polled(Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for Polled {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(
            parts
                .headers
                .get(IF_NONE_MATCH)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned),
        ))
    }
}

impl Polled {
    /// The body as JSON-LD with its ETag, or 304 without a body.
    pub fn answer(&self, body: &impl Serialize) -> Result<Response> {
        self.bytes(written(body)?, LD_JSON)
    }

    /// As `answer`, in v1's plain JSON.
    pub fn plain(&self, body: &impl Serialize) -> Result<Response> {
        self.bytes(written(body)?, "application/json")
    }

    /// A shared answer with its age in seconds.
    pub fn shared(&self, made: &Made) -> Result<Response> {
        let mut response = self.bytes(made.body.clone(), LD_JSON)?;
        response
            .headers_mut()
            .insert(AGE, HeaderValue::from(made.at.elapsed().as_secs()));
        Ok(response)
    }

    fn bytes(&self, bytes: Bytes, kind: &'static str) -> Result<Response> {
        let digest = Sha256::digest(&bytes);
        let tag = format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(&digest[..16]));
        let header =
            HeaderValue::from_str(&tag).map_err(|error| Error::internal(error.to_string()))?;
        let mut response = if self.has(&tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            ([(CONTENT_TYPE, kind)], bytes).into_response()
        };
        response.headers_mut().insert(ETAG, header);
        Ok(response)
    }

    fn has(&self, tag: &str) -> bool {
        let Some(given) = &self.0 else { return false };
        given
            .split(',')
            .map(|one| one.trim().trim_start_matches("W/"))
            .any(|one| one == tag || one == "*")
    }
}

fn written(body: &impl Serialize) -> Result<Bytes> {
    let bytes = serde_json::to_vec(body)
        .map_err(|error| Error::internal(format!("an answer cannot be written: {error}")))?;
    Ok(bytes.into())
}
