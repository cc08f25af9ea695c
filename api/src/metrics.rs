//! What /metrics shows, on a loopback port of its own: answers by route and status, their time, hashed passwords,
//! database connections.
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::get;

use crate::app::App;

/// Upper bounds of the histogram, in milliseconds.
const BOUNDS_MS: [u128; 9] = [2, 5, 10, 25, 50, 100, 250, 1_000, 5_000];

/// Counts of this process since its start.
#[derive(Debug, Default)]
pub struct Metrics {
    answers: Mutex<BTreeMap<(String, u16), Series>>,
    passwords: AtomicU64,
}

#[derive(Debug, Default)]
struct Series {
    count: u64,
    total: Duration,
    within: [u64; BOUNDS_MS.len()],
}

impl Metrics {
    /// Counts one answer; `route` is a template, never a path.
    pub fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let mut all = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let series = all
            .entry((format!("{method} {route}"), status))
            .or_default();
        series.count += 1;
        series.total += took;
        for (within, bound) in series.within.iter_mut().zip(BOUNDS_MS) {
            *within += u64::from(took.as_millis() <= bound);
        }
    }

    /// Counts one password that was hashed for comparison.
    pub fn hashed(&self) {
        self.passwords.fetch_add(1, Ordering::Relaxed);
    }

    /// Passwords hashed so far.
    pub fn passwords(&self) -> u64 {
        self.passwords.load(Ordering::Relaxed)
    }

    fn text(&self) -> String {
        let mut text = String::from("# TYPE http_request_duration_ms histogram\n");
        let all = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), series) in all.iter() {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            for (within, bound) in series.within.iter().zip(BOUNDS_MS) {
                // Writing to a text never fails.
                let _ = writeln!(
                    text,
                    "http_request_duration_ms_bucket{{{labels},le=\"{bound}\"}} {within}"
                );
            }
            let _ = writeln!(
                text,
                "http_request_duration_ms_bucket{{{labels},le=\"+Inf\"}} {}",
                series.count
            );
            let _ = writeln!(
                text,
                "http_request_duration_ms_sum{{{labels}}} {}",
                series.total.as_millis()
            );
            let _ = writeln!(
                text,
                "http_request_duration_ms_count{{{labels}}} {}",
                series.count
            );
        }
        let _ = writeln!(
            text,
            "# TYPE passwords_hashed_total counter\npasswords_hashed_total {}",
            self.passwords()
        );
        text
    }
}

/// The router of the metrics port.
pub fn router(app: App) -> Router {
    Router::new().route("/metrics", get(show)).with_state(app)
}

async fn show(State(app): State<App>) -> String {
    let mut text = app.metrics.text();
    let pools = [("work", &app.pool), ("auth", &app.auth_pool)];
    domain::metrics::connections(&mut text, &pools);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_route_and_status() {
        let metrics = Metrics::default();
        metrics.answered("GET", "/api/bank/{id}", 200, Duration::from_millis(3));
        metrics.answered("GET", "/api/bank/{id}", 200, Duration::from_millis(30));
        let text = metrics.text();
        for line in [
            r#"http_request_duration_ms_bucket{route="GET /api/bank/{id}",status="200",le="2"} 0"#,
            r#"http_request_duration_ms_bucket{route="GET /api/bank/{id}",status="200",le="5"} 1"#,
            r#"http_request_duration_ms_bucket{route="GET /api/bank/{id}",status="200",le="+Inf"} 2"#,
            r#"http_request_duration_ms_sum{route="GET /api/bank/{id}",status="200"} 33"#,
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
    }
}
