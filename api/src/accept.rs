//! What kind of answer a call wants: the header `Accept`, by falling `q` and then by its order.
use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::RefOr;

use crate::error::Error;
use crate::extract::no_query;

const JSON: [&str; 5] = [
    "*/*",
    "application/*",
    "application/json",
    "application/ld+json",
    "application/problem+json",
];
const CSV: [&str; 2] = ["text/csv", "text/*"];

/// The wanted media types in lower case; without the header anything is.
fn wanted(headers: &HeaderMap) -> Vec<String> {
    let lines = headers.get_all(ACCEPT).iter();
    let mut found: Vec<(f32, String)> = lines
        .flat_map(|line| line.to_str().unwrap_or_default().split(','))
        .filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().filter(|name| !name.is_empty())?;
            let weight = parts.find_map(|part| {
                let (key, value) = part.split_once('=')?;
                key.trim().eq_ignore_ascii_case("q").then_some(value.trim())
            });
            let weight = weight.map_or(Some(1.0), |value| value.parse().ok())?;
            (weight > 0.0).then(|| (weight, name.to_ascii_lowercase()))
        })
        .collect();
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    if found.is_empty() && headers.get_all(ACCEPT).iter().all(|line| line.is_empty()) {
        return vec!["*/*".into()];
    }
    found.into_iter().map(|(_, name)| name).collect()
}

/// The routes that can answer with CSV, as the document says.
pub fn with_csv(document: &utoipa::openapi::OpenApi) -> Arc<HashSet<String>> {
    no_query::routes(document, |operation| {
        let mut answers = operation.responses.responses.values();
        answers
            .any(|answer| matches!(answer, RefOr::T(answer) if answer.content.contains_key(CSV[0])))
    })
}

/// A call of v2 that wants nothing of what its route answers with is refused.
pub async fn refuse(
    State(with_csv): State<Arc<HashSet<String>>>,
    request: Request,
    next: Next,
) -> Response {
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("", MatchedPath::as_str);
    let csv = with_csv.contains(&format!("{} {route}", request.method()));
    if route.starts_with("/api/v2/") && !is_acceptable(request.headers(), csv) {
        return Error::not_acceptable().into_response();
    }
    next.run(request).await
}

/// Whether an answer in JSON, or in CSV where there is one, would do.
fn is_acceptable(headers: &HeaderMap, csv: bool) -> bool {
    wanted(headers)
        .iter()
        .any(|name| JSON.contains(&name.as_str()) || (csv && CSV.contains(&name.as_str())))
}

/// Whether CSV is wanted before JSON, on a route that has both.
pub fn wants_csv(headers: &HeaderMap) -> bool {
    let wanted = wanted(headers);
    let first = wanted.iter().find_map(|name| {
        if CSV.contains(&name.as_str()) {
            Some(true)
        } else {
            JSON.contains(&name.as_str()).then_some(false)
        }
    });
    first == Some(true)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn weights_case_and_order_decide() {
        for (accept, acceptable, csv) in [
            ("", true, false),
            ("*/*", true, false),
            ("text/csv", true, true),
            ("TEXT/CSV", true, true),
            ("text/csv;q=0", false, false),
            ("text/csv;q=0, */*", true, false),
            ("application/json;q=0.1, text/csv", true, true),
            (
                "text/csv;charset=utf-8;Q=0.2,application/ld+json;q=0.3",
                true,
                false,
            ),
            ("application/ld+json, text/csv", true, false),
            ("image/png, text/html", false, false),
            ("text/csv;q=viga", false, false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(
                (is_acceptable(&headers, true), wants_csv(&headers)),
                (acceptable, csv),
                "{accept}"
            );
        }
        assert!(is_acceptable(&HeaderMap::new(), false));
    }
}
