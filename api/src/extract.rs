//! Strict input: JSON bodies, query parameters, path parts. What is unknown, repeated or ambiguous is refused, never ignored.
mod body;
mod filter;
pub mod no_query;
mod query;
mod tree;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

pub use body::{Json, LIMIT_BYTES, NoInput};
pub use filter::{among, filter, yes_or_no};
pub use query::Query;

use crate::error::Error;

/// Path parts; one that cannot be an id names nothing: 404.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        // An id has one spelling: `+1` and `01` name nothing.
        let raw = RawPathParams::from_request_parts(parts, state).await;
        let plain = raw.is_ok_and(|raw| raw.iter().all(|(_, id)| !id.starts_with(['+', '0'])));
        if !plain {
            return Err(Error::not_found());
        }
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Self(value))
            .map_err(|_| Error::not_found())
    }
}

/// The Estonian sentence for a refusal of serde, and the field that it names itself.
fn explain(message: &str) -> (Option<&str>, &'static str) {
    let named = message.split('`').nth(1);
    if message.starts_with("unknown field") {
        (named, "Tundmatu väli.")
    } else if message.starts_with("missing field") {
        (named, "Väli on kohustuslik.")
    } else if message.starts_with("duplicate field") {
        (named, "Väli on korduv.")
    } else {
        (None, "Väärtus on vigane.")
    }
}

/// The path of what serde refused: the place it stood at, and the field it named.
fn violation(place: &str, message: &str) -> Error {
    let (named, sentence) = explain(message);
    let place = if place == "." { "" } else { place };
    let path = match named {
        Some(field) if place.is_empty() => field.to_owned(),
        Some(field) if place == field || place.ends_with(&format!(".{field}")) => place.to_owned(),
        Some(field) => format!("{place}.{field}"),
        None => place.to_owned(),
    };
    Error::invalid(path, sentence)
}
