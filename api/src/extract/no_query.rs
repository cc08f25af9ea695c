//! Query parameters of routes that take none.
use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, ParameterIn};

use crate::error::Error;

/// The routes whose operation in the document is such a one: `GET /api/…`.
pub fn routes(
    document: &utoipa::openapi::OpenApi,
    wanted: impl Fn(&Operation) -> bool,
) -> Arc<HashSet<String>> {
    let mut found = HashSet::new();
    for (path, item) in &document.paths.paths {
        for (method, operation) in [
            ("GET", &item.get),
            ("POST", &item.post),
            ("PUT", &item.put),
            ("PATCH", &item.patch),
            ("DELETE", &item.delete),
        ] {
            if operation.as_ref().is_some_and(&wanted) {
                found.insert(format!("{method} /api{path}"));
            }
        }
    }
    Arc::new(found)
}

/// The routes that take no query parameters, as the document says. What is not here judges its query itself.
pub fn bare(document: &utoipa::openapi::OpenApi) -> Arc<HashSet<String>> {
    routes(document, |operation| {
        let mut parameters = operation.parameters.iter().flatten();
        !parameters.any(|p| matches!(p, RefOr::T(p) if p.parameter_in == ParameterIn::Query))
    })
}

/// A parameter of a route that takes none is refused, as an unknown one is elsewhere.
pub async fn refuse(
    State(bare): State<Arc<HashSet<String>>>,
    request: Request,
    next: Next,
) -> Response {
    let first = request.uri().query().unwrap_or_default();
    let first = first.split(['&', '=']).find(|part| !part.is_empty());
    let route = request.extensions().get::<MatchedPath>();
    if let (Some(name), Some(route)) = (first, route)
        && bare.contains(&format!("{} {}", request.method(), route.as_str()))
    {
        let name: String = name.chars().take(60).collect();
        return Error::invalid(name, "Tundmatu parameeter.").into_response();
    }
    next.run(request).await
}
