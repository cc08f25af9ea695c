//! What /metrics shows, on a loopback port of its own: answers by route and status, their time, hashed passwords, database
//! connections; and, made in `pages`, the series of the pages.
mod pages;

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use domain::metrics::{self, Sheet};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

use crate::app::App;
pub use pages::Pages;

/// Upper bounds of the histogram, in seconds.
const BOUNDS: [f64; 9] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// Counts of this process since its start.
#[derive(Debug)]
pub struct Metrics {
    answers: Family<Answer, Histogram, fn() -> Histogram>,
    passwords: Counter,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    method: &'static str,
    route: String,
    status: u16,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            answers: Family::new_with_constructor(|| Histogram::new(BOUNDS)),
            passwords: Counter::default(),
        }
    }
}

impl Metrics {
    /// Counts one answer; `route` is a template, never a path.
    pub fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let answer = Answer {
            method: known(method),
            route: route.to_owned(),
            status,
        };
        let series = self.answers.get_or_create(&answer);
        series.observe(took.as_secs_f64());
    }

    /// Counts one password that was hashed for comparison.
    pub fn hashed(&self) {
        self.passwords.inc();
    }

    /// Passwords hashed so far.
    pub fn passwords(&self) -> u64 {
        self.passwords.get()
    }

    fn show(&self, sheet: &mut Sheet) {
        let help = "From a request's arrival to its answer, by the route's template";
        let answers = self.answers.clone();
        sheet.add("http_request_duration_seconds", help, answers);
        let help = "Passwords hashed for comparison";
        sheet.add("passwords_hashed", help, self.passwords.clone());
    }
}

/// Whoever calls could invent methods without end.
fn known(method: &str) -> &'static str {
    const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    let found = METHODS.into_iter().find(|known| *known == method);
    found.unwrap_or("other")
}

/// The router of the metrics port.
pub fn router(app: App) -> Router {
    Router::new().route("/metrics", get(show)).with_state(app)
}

async fn show(State(app): State<App>) -> impl IntoResponse {
    let mut sheet = Sheet::default();
    metrics::process(&mut sheet, "api");
    app.metrics.show(&mut sheet);
    let pools = [("work", &app.pool), ("auth", &app.auth_pool)];
    metrics::connections(&mut sheet, &pools);
    let text = sheet.text() + &app.pages.text(&app).await;
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_route_and_status() {
        let metrics = Metrics::default();
        metrics.answered("GET", "/api/bank/{id}", 200, Duration::from_millis(3));
        metrics.answered("GET", "/api/bank/{id}", 200, Duration::from_millis(30));
        metrics.answered("BREW", "/api/bank/{id}", 405, Duration::ZERO);
        let mut sheet = Sheet::default();
        metrics.show(&mut sheet);
        let text = sheet.text();
        for line in [
            r#"http_request_duration_seconds_bucket{method="GET",route="/api/bank/{id}",status="200",le="0.002"} 0"#,
            r#"http_request_duration_seconds_bucket{method="GET",route="/api/bank/{id}",status="200",le="0.005"} 1"#,
            r#"http_request_duration_seconds_bucket{method="GET",route="/api/bank/{id}",status="200",le="+Inf"} 2"#,
            r#"http_request_duration_seconds_sum{method="GET",route="/api/bank/{id}",status="200"} 0.033"#,
            r#"http_request_duration_seconds_count{method="other",route="/api/bank/{id}",status="405"} 1"#,
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
    }
}
