//! What this process shows of itself on a loopback port: /metrics, and whether it can work: /readyz.
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use domain::crons::TABLE;
use domain::metrics::{self, Sheet};
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::net::TcpListener;

pub struct Status {
    pool: PgPool,
    fired: Mutex<BTreeMap<&'static str, u64>>,
    term: Mutex<Option<i64>>,
    refused: AtomicU64,
}

impl Status {
    pub fn new(pool: PgPool) -> Self {
        Self {
            pool,
            // A series that begins at its first firing would hide it.
            fired: Mutex::new(TABLE.iter().map(|cron| (cron.name, 0)).collect()),
            term: Mutex::default(),
            refused: AtomicU64::default(),
        }
    }

    /// Counts a due time that became a job here.
    pub fn fired(&self, cron: &'static str) {
        let mut fired = self.fired.lock().unwrap_or_else(PoisonError::into_inner);
        *fired.entry(cron).or_default() += 1;
    }

    /// A new term, or none any more.
    pub fn leads(&self, term: Option<i64>) {
        *self.term.lock().unwrap_or_else(PoisonError::into_inner) = term;
    }

    /// Counts a write that came after the end of its term.
    pub fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    fn text(&self) -> String {
        let mut sheet = Sheet::default();
        metrics::process(&mut sheet, "scheduler");
        let fired = self.fired.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = fired
            .iter()
            .map(|(cron, count)| ([("cron", *cron)], *count as f64));
        let help = "Due times that became a job here";
        sheet.counters("crons_fired", help, rows);
        let term = *self.term.lock().unwrap_or_else(PoisonError::into_inner);
        let help = "1 while this process schedules";
        sheet.gauge("scheduler_leads", help, f64::from(u8::from(term.is_some())));
        let help = "Writes that came after the end of their term";
        let refused = self.refused.load(Ordering::Relaxed) as f64;
        sheet.counters("scheduler_refused", help, [([], refused)]);
        metrics::connections(&mut sheet, &[("work", &self.pool)]);
        sheet.text()
    }
}

/// Answers as long as the process lives.
pub async fn serve(listener: TcpListener, status: Arc<Status>) {
    let routes = Router::new()
        .route("/metrics", get(show))
        .route("/readyz", get(ready))
        .with_state(status);
    if let Err(error) = axum::serve(listener, routes).await {
        tracing::warn!(error = %error, "the status port does not answer any more");
    }
}

async fn show(State(status): State<Arc<Status>>) -> impl IntoResponse {
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], status.text())
}

/// Without PostgreSQL nothing is fired.
async fn ready(State(status): State<Arc<Status>>) -> (StatusCode, Json<Value>) {
    if metrics::takes_writes(&status.pool, "ready:scheduler").await {
        (StatusCode::OK, Json(json!({"status": "ok"})))
    } else {
        let body = json!({"status": "unavailable", "missing": ["PostgreSQL"]});
        (StatusCode::SERVICE_UNAVAILABLE, Json(body))
    }
}

#[cfg(test)]
mod tests {
    use domain::testing::Database;

    use super::*;

    #[tokio::test]
    async fn is_ready_while_the_database_takes_writes() {
        let database = Database::new().await;
        let status = Arc::new(Status::new(database.pool("scheduler")));
        assert_eq!(ready(State(status.clone())).await.0, StatusCode::OK);
        status.fired("reconcile-case-list");
        let text = status.text();
        for line in [
            r#"crons_fired_total{cron="reconcile-case-list"} 1"#,
            "scheduler_leads 0",
            r#"database_connections{pool="work",state="idle"}"#,
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        let nowhere = database.options().socket("/nowhere");
        let status = Arc::new(Status::new(domain::db::pool(nowhere, 1)));
        let (code, Json(body)) = ready(State(status)).await;
        assert_eq!(code, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(body["missing"], json!(["PostgreSQL"]));
    }
}
