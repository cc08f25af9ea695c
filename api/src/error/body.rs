//! The bodies of refusals: API Platform's violations and problems on v2 paths, `{message}` on v1's, plain problems elsewhere.
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_TYPE, LINK};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::Error;
use crate::gate::Known;

const HYDRA_ERROR: &str =
    "<http://www.w3.org/ns/hydra/error>; rel=\"http://www.w3.org/ns/json-ld#error\"";

/// How this request wants its refusals.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    v2: bool,
    problem_json: bool,
}

impl Style {
    pub fn of(request: &Request) -> Self {
        let path = request.uri().path();
        let accept = request
            .headers()
            .get(ACCEPT)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let outside = path != "/api" && !path.starts_with("/api/");
        Self {
            v2: path.starts_with("/api/v2/") || path == "/api/v2" || outside,
            problem_json: accept.contains("application/problem+json") || outside,
        }
    }
}

pub fn make(error: &Error, style: &Style, known: &Known) -> Response {
    let mut body = if !error.violations.is_empty() {
        violations(error)
    } else if style.v2 {
        problem(error)
    } else {
        let mut body = Map::new();
        body.insert("message".into(), json!(error.message));
        body
    };
    if let Some(code) = error.code {
        body.insert("code".into(), json!(code));
    }
    if let Some((changed_by, version)) = &error.stale {
        body.insert("changedBy".into(), json!(changed_by));
        body.insert("version".into(), json!(version));
    }
    body.insert("requestId".into(), json!(known.request_id));
    body.insert("traceId".into(), json!(known.trace.id()));
    let jsonld = style.v2 || !error.violations.is_empty();
    let content_type = match (jsonld, style.problem_json) {
        (true, true) => "application/problem+json",
        (true, false) => "application/ld+json; charset=utf-8",
        (false, _) => "application/json",
    };
    let mut response = (error.status, Value::Object(body).to_string()).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    if jsonld {
        headers.insert(LINK, HeaderValue::from_static(HYDRA_ERROR));
    }
    response
}

fn problem(error: &Error) -> Map<String, Value> {
    let status = error.status.as_u16();
    let problem = json!({
        "@context": "/contexts/Error",
        "@id": format!("/errors/{status}"),
        "@type": "Error",
        "title": "An error occurred",
        "status": status,
        "detail": error.message,
        "description": error.message,
        "type": format!("/errors/{status}"),
    });
    object(problem)
}

fn violations(error: &Error) -> Map<String, Value> {
    let lines: Vec<String> = error
        .violations
        .iter()
        .map(|v| {
            if v.path.is_empty() {
                v.message.clone()
            } else {
                format!("{}: {}", v.path, v.message)
            }
        })
        .collect();
    let codes: Vec<&str> = error
        .violations
        .iter()
        .filter_map(|v| v.code.as_deref())
        .collect();
    let kind = match codes.as_slice() {
        [] => "/validation_errors/invalid".to_owned(),
        [code] => format!("/validation_errors/{code}"),
        codes => {
            let joined: Vec<String> = codes
                .iter()
                .enumerate()
                .map(|(i, code)| format!("{i}={code}"))
                .collect();
            format!("/validation_errors/{}", joined.join(";"))
        }
    };
    let detail = lines.join("\n");
    object(json!({
        "@context": "/contexts/ConstraintViolationList",
        "@id": kind,
        "@type": "ConstraintViolationList",
        "status": StatusCode::UNPROCESSABLE_ENTITY.as_u16(),
        "type": kind,
        "title": "An error occurred",
        "detail": detail,
        "description": detail,
        "violations": error.violations,
    }))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
