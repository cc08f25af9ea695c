//! What this process shows of itself on a loopback port: /metrics, and whether it can work: /readyz.
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use domain::jobs::Queue;
use domain::metrics::{self, Sheet};
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

async fn show(State(status): State<Arc<Status>>) -> impl IntoResponse {
    let mut sheet = Sheet::default();
    metrics::process(&mut sheet, "jobs");
    let ctx = &status.ctx;
    ctx.minutes.show(&mut sheet);
    status.slots.show(&mut sheet);
    status.lead.show(&mut sheet);
    let held = ctx.running.ids().len();
    let help = "Jobs that run here, whose leases are renewed";
    sheet.gauge("job_leases_held", help, held as f64);
    let mut pools = vec![
        ("work", &ctx.pool),
        ("single", &ctx.single),
        ("queue", &ctx.queue),
    ];
    pools.extend(status.pools.iter().map(|(name, pool)| (*name, pool)));
    metrics::connections(&mut sheet, &pools);
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], sheet.text())
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

    fn show(&self, sheet: &mut Sheet) {
        let most = self.0.iter().map(|(queue, (most, _))| (*queue, *most));
        let help = "Deliveries of a queue that this process works at once, at most";
        by_queue(sheet, "job_slots", help, most);
        let used = self.0.iter();
        let used = used.map(|(queue, (_, used))| (*queue, used.load(Ordering::Relaxed)));
        let help = "Deliveries of a queue that this process works now";
        by_queue(sheet, "job_slots_used", help, used);
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

    fn show(&self, sheet: &mut Sheet) {
        let lead = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let leads = f64::from(u8::from(lead.0.is_some()));
        let help = "1 where this process hands out jobs";
        sheet.gauge("dispatcher_leads", help, leads);
        let help = "The term of its lead, 0 without";
        sheet.gauge("dispatcher_term", help, lead.0.unwrap_or(0) as f64);
        let seen = lead.1.iter();
        let window = seen.clone().map(|(queue, (window, _))| (*queue, *window));
        let help = "Jobs of a queue that may be in Redis at once";
        by_queue(sheet, "dispatcher_window_jobs", help, window);
        let held = seen.map(|(queue, (_, held))| (*queue, *held));
        let help = "Jobs of a queue that are in Redis";
        by_queue(sheet, "dispatcher_held_jobs", help, held);
    }
}

fn by_queue(
    sheet: &mut Sheet,
    name: &'static str,
    help: &'static str,
    values: impl Iterator<Item = (Queue, usize)>,
) {
    let rows = values.map(|(queue, value)| ([("queue", queue.as_str())], value as f64));
    sheet.gauges(name, help, rows);
}
