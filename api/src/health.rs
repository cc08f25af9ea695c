//! Whether the process lives, and whether it can do its work.
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use domain::metrics;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::{Error, Result};

/// The process answers.
pub async fn alive() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// No stop was asked for, and the database takes a read and a write in time.
pub async fn ready(State(app): State<App>) -> Result<Json<Value>> {
    if app.stopping.load(Ordering::Relaxed) {
        return Err(Error::busy("this process is told to end"));
    }
    if metrics::takes_writes(&app.pool, "ready:api").await {
        Ok(Json(json!({"status": "ok"})))
    } else {
        Err(Error::busy("the database did not answer the probe"))
    }
}
