//! What this process shows of itself on a loopback port: /metrics, and whether it can work: /readyz.
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use domain::jobs::Queue;
use domain::metrics;
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::broker::Broker;
use crate::context::Context;

/// All that is shown.
pub struct Status {
    pub ctx: Arc<Context>,
    pub broker: Broker,
    pub slots: Arc<Slots>,
    pub lead: Arc<Lead>,
    /// A connection of its own, so that busy workers do not make the process look unready.
    pub probe: PgPool,
    /// Beside those of the context.
    pub pools: Vec<(&'static str, PgPool)>,
}

/// Answers until `stop`.
pub async fn serve(listener: TcpListener, status: Status, stop: CancellationToken) {
    let routes = Router::new()
        .route("/metrics", get(show))
        .route("/readyz", get(ready))
        .with_state(Arc::new(status));
    tokio::select! {
        // Given up with the stop: a kept connection must not hold the process.
        served = async { axum::serve(listener, routes).await } => {
            if let Err(error) = served {
                tracing::warn!(error = %error, "the status port does not answer any more");
            }
        }
        () = stop.cancelled() => {}
    }
}

/// Without PostgreSQL or Redis, or with one that takes no writes, nothing is worked here.
async fn ready(State(status): State<Arc<Status>>) -> (StatusCode, Json<Value>) {
    let (database, redis) = tokio::join!(
        metrics::takes_writes(&status.probe, "ready:jobs"),
        tokio::time::timeout(metrics::PATIENCE, status.broker.probe()),
    );
    let mut missing = Vec::new();
    if !database {
        missing.push("PostgreSQL");
    }
    if !matches!(redis, Ok(Ok(()))) {
        missing.push("Redis");
    }
    if missing.is_empty() {
        (StatusCode::OK, Json(json!({"status": "ok"})))
    } else {
        let body = json!({"status": "unavailable", "missing": missing});
        (StatusCode::SERVICE_UNAVAILABLE, Json(body))
    }
}

async fn show(State(status): State<Arc<Status>>) -> String {
    let mut text = String::new();
    status.ctx.minutes.show(&mut text);
    status.slots.show(&mut text);
    status.lead.show(&mut text);
    let ctx = &status.ctx;
    let mut pools = vec![
        ("work", &ctx.pool),
        ("single", &ctx.single),
        ("queue", &ctx.queue),
    ];
    pools.extend(status.pools.iter().map(|(name, pool)| (*name, pool)));
    metrics::connections(&mut text, &pools);
    text
}

/// How many deliveries of each queue may be worked here at once, and how many are.
pub struct Slots(BTreeMap<Queue, (usize, AtomicUsize)>);

impl Slots {
    pub fn new(concurrency: &[(Queue, usize)]) -> Self {
        let slots = concurrency.iter();
        Self(
            slots
                .map(|(queue, most)| (*queue, (*most, AtomicUsize::new(0))))
                .collect(),
        )
    }

    /// Held while a delivery is worked.
    pub fn hold(self: &Arc<Self>, queue: Queue) -> Slot {
        if let Some((_, used)) = self.0.get(&queue) {
            used.fetch_add(1, Ordering::Relaxed);
        }
        Slot {
            slots: self.clone(),
            queue,
        }
    }

    fn show(&self, text: &mut String) {
        let most = self.0.iter().map(|(queue, (most, _))| (*queue, *most));
        by_queue(text, "job_slots", most);
        let used = self.0.iter();
        let used = used.map(|(queue, (_, used))| (*queue, used.load(Ordering::Relaxed)));
        by_queue(text, "job_slots_used", used);
    }
}

pub struct Slot {
    slots: Arc<Slots>,
    queue: Queue,
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some((_, used)) = self.slots.0.get(&self.queue) {
            used.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// The dispatcher as it last saw itself: its term while it leads, and of each queue the window and what Redis holds.
#[derive(Default)]
pub struct Lead(Mutex<(Option<i64>, BTreeMap<Queue, (usize, usize)>)>);

impl Lead {
    /// A new term, or none any more.
    pub fn turn(&self, term: Option<i64>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (term, BTreeMap::new());
    }

    pub fn saw(&self, queue: Queue, window: usize, held: usize) {
        let mut lead = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lead.1.insert(queue, (window, held));
    }

    fn show(&self, text: &mut String) {
        let lead = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Writing to a text never fails, here and below.
        let _ = writeln!(
            text,
            "# TYPE dispatcher_leads gauge\ndispatcher_leads {}\n# TYPE dispatcher_term gauge\ndispatcher_term {}",
            u8::from(lead.0.is_some()),
            lead.0.unwrap_or(0)
        );
        let seen = lead.1.iter();
        let window = seen.clone().map(|(queue, (window, _))| (*queue, *window));
        by_queue(text, "dispatcher_window_jobs", window);
        let held = seen.map(|(queue, (_, held))| (*queue, *held));
        by_queue(text, "dispatcher_held_jobs", held);
    }
}

fn by_queue(text: &mut String, name: &str, values: impl Iterator<Item = (Queue, usize)>) {
    let _ = writeln!(text, "# TYPE {name} gauge");
    for (queue, value) in values {
        let queue = queue.as_str();
        let _ = writeln!(text, "{name}{{queue=\"{queue}\"}} {value}");
    }
}
