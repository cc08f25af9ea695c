//! The console's built files; a page's path that is no file answers index.html, so that the console routes it.
use std::path::{Path, PathBuf};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::middleware::{Next, from_fn};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;

use crate::error::Error;

/// Serves the folder; built assets carry a hash in their name and are kept for good.
pub fn files(folder: &Path) -> Router {
    let index = Router::new()
        .fallback(get(index))
        .with_state(folder.join("index.html"));
    Router::new()
        .fallback_service(
            ServeDir::new(folder)
                .precompressed_br()
                .precompressed_gzip()
                .append_index_html_on_directories(false)
                .fallback(index),
        )
        .layer(CompressionLayer::new())
        .layer(from_fn(cache))
}

async fn index(State(path): State<PathBuf>, request: Request) -> Response {
    let asked = request.uri().path();
    let last = asked.rsplit('/').next().unwrap_or_default();
    // No page lies among the built files, whose answers are kept for good.
    if last.contains('.') || asked.starts_with("/assets/") {
        return Error::not_found().into_response();
    }
    match tokio::fs::read(&path).await {
        Ok(bytes) => Html(bytes).into_response(),
        Err(_) => Error::not_found().into_response(),
    }
}

async fn cache(request: Request, next: Next) -> Response {
    let built = request.uri().path().starts_with("/assets/");
    let mut response = next.run(request).await;
    let how = if built && response.status().is_success() {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static(how));
    response
}
