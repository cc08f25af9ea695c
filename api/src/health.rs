//! Whether the process lives, and whether it can do its work.
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::error::{Error, Result};

/// The process answers.
pub async fn alive() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// The database takes a read and a write within 3 s.
pub async fn ready(State(app): State<App>) -> Result<Json<Value>> {
    // A task of its own: a transaction must not be dropped by the time-out.
    let probe = tokio::spawn(async move { domain::db::probe(&app.pool, "ready:api").await });
    match tokio::time::timeout(Duration::from_secs(3), probe).await {
        Ok(Ok(Ok(()))) => Ok(Json(json!({"status": "ok"}))),
        Ok(Ok(Err(error))) => Err(error.into()),
        Ok(Err(_)) | Err(_) => Err(Error::busy(
            "the database did not answer the probe within 3 s",
        )),
    }
}
