//! What this process shows of itself on a loopback port: /metrics, and whether it can work: /readyz.
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use domain::metrics;
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
            fired: Mutex::default(),
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
        let mut text = String::from("# TYPE crons_fired_total counter\n");
        let fired = self.fired.lock().unwrap_or_else(PoisonError::into_inner);
        for (cron, count) in fired.iter() {
            // Writing to a text never fails.
            let _ = writeln!(text, "crons_fired_total{{cron=\"{cron}\"}} {count}");
        }
        let term = *self.term.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(
            text,
            "# TYPE scheduler_leads gauge\nscheduler_leads {}\n# TYPE scheduler_term gauge\nscheduler_term {}\n\
             # TYPE scheduler_refused_total counter\nscheduler_refused_total {}",
            u8::from(term.is_some()),
            term.unwrap_or(0),
            self.refused.load(Ordering::Relaxed),
        );
        metrics::connections(&mut text, &[("work", &self.pool)]);
        text
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

async fn show(State(status): State<Arc<Status>>) -> String {
    status.text()
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
