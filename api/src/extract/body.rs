//! A JSON body: at most 1 MB, received within the time limit, one document, no repeated or unknown keys, no NUL.
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::tree::{Tree, nul};
use super::violation;
use crate::app::App;
use crate::error::Error;
use crate::gate::Known;

pub const LIMIT_BYTES: usize = 1_000_000;

/// The body of a call that says all by its path: `{}`.
#[derive(serde::Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoInput {}

/// The parsed body; `T` carries `deny_unknown_fields`.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        let (parts, body) = request.into_parts();
        content_type(&parts.headers)?;
        let bytes = receive(&parts.headers, body, app.config.receive_timeout_s).await?;
        if let Some(known) = parts.extensions.get::<Arc<Known>>() {
            // Set once: a request has one body.
            let _ = known.body_hash.set(Sha256::digest(&bytes).to_vec());
        }
        parse(&bytes).map(Json)
    }
}

fn content_type(headers: &HeaderMap) -> Result<(), Error> {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .ok_or_else(Error::media_type)?;
    let mut parts = value.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
    let utf8 = parts.all(
        |part| match part.to_ascii_lowercase().strip_prefix("charset=") {
            Some(charset) => charset.trim_matches('"') == "utf-8",
            None => true,
        },
    );
    let known = kind == "application/json" || kind == "application/ld+json";
    if known && utf8 {
        Ok(())
    } else {
        Err(Error::media_type())
    }
}

async fn receive(headers: &HeaderMap, body: Body, seconds: u64) -> Result<Bytes, Error> {
    let said = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<usize>().ok());
    if said.is_some_and(|length| length > LIMIT_BYTES) {
        return Err(Error::too_large());
    }
    let all = Limited::new(body, LIMIT_BYTES).collect();
    match tokio::time::timeout(Duration::from_secs(seconds), all).await {
        Err(_) => Err(Error::too_slow()),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Error::too_large()),
        Ok(Err(_)) => Err(Error::malformed("Päringu sisu katkes.")),
    }
}

/// Parses one document; what is no JSON is 400, what does not fit `T` is 422 with its place.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let tree = serde::Deserialize::deserialize(&mut reader)
        .and_then(|tree: Tree| reader.end().map(|()| tree));
    let Tree(value) = match tree {
        Ok(tree) => tree,
        Err(error) if error.to_string().starts_with("number out of range") => {
            return Err(Error::invalid("", "Arv on liiga suur."));
        }
        Err(_) => return Err(Error::malformed("Päringu sisu ei ole korrektne JSON.")),
    };
    // serde would fill a struct from a list by position.
    if !value.is_object() {
        return Err(Error::invalid("", "Päringu sisu peab olema objekt."));
    }
    if let Some(path) = nul(&value) {
        return Err(Error::invalid(path, "Tekstis on lubamatu märk."));
    }
    serde_path_to_error::deserialize(value)
        .map_err(|error| violation(&error.path().to_string(), &error.inner().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Input {
        #[allow(dead_code, reason = "only parsed")]
        cents: i64,
        #[allow(dead_code, reason = "only parsed")]
        list: Option<Vec<Input>>,
    }

    fn outcome(text: &[u8]) -> String {
        parse::<Input>(text).map_or_else(|error| error.sketch(), |_| "ok".into())
    }

    #[test]
    fn refuses_what_is_not_exactly_the_schema() {
        for (text, expected) in [
            (r#"{"cents":1}"#, "ok"),
            (r#"{"cents":1,"list":[{"cents":2}]}"#, "ok"),
            (r#"{"cents":1} x"#, "400"),
            (r#"{"cents":1,"cents":2}"#, "400"),
            ("\u{feff}{\"cents\":1}", "400"),
            (r#"{"cents":NaN}"#, "400"),
            (r#"{"cents":1,"extra":2}"#, "422 extra"),
            (
                r#"{"cents":1,"list":[{"cents":1,"extra":2}]}"#,
                "422 list[0].extra",
            ),
            (r#"{"list":null}"#, "422 cents"),
            (r#"{"cents":1.5}"#, "422 cents"),
            (r#"{"cents":"100"}"#, "422 cents"),
            (r#"{"cents":1e3}"#, "422 cents"),
            (r#"{"cents":-0}"#, "422 cents"),
            (r#"{"cents":9223372036854775808}"#, "422 cents"),
            (r#"{"cents":1e400}"#, "422 "),
            (r#"{"cents":1,"list":"a\u0000b"}"#, "422 list"),
            ("[1]", "422 "),
            ("null", "422 "),
        ] {
            assert_eq!(outcome(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(outcome(b"\xff\xfe{\x00}\x00"), "400");
        assert_eq!(outcome(&b"[".repeat(100_000)), "400");
    }
}
