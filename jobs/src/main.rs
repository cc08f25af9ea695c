//! The worker process: reads its settings from the environment and runs until it is told to stop.
use std::time::Duration;

use domain::jobs::Queue;
use domain::telemetry;
use jobs::process::{self, Settings};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[tokio::main]
async fn main() {
    let _points = fail::FailScenario::setup();
    if let Err(sentence) = telemetry::run("toimik-jobs", run()).await {
        eprintln!("jobs: {sentence}");
        std::process::exit(1);
    }
}

async fn run() -> Result<(), String> {
    let mut settings = settings()?;
    domain::files::check(&*settings.store).await?;
    settings.status = domain::metrics::listener().await?;
    let stop = CancellationToken::new();
    let (mut term, mut int) = (
        listen(SignalKind::terminate())?,
        listen(SignalKind::interrupt())?,
    );
    let asked = stop.clone();
    tokio::spawn(async move {
        tokio::select! { _ = term.recv() => {}, _ = int.recv() => {} }
        asked.cancel();
    });
    process::run(settings, stop).await
}

fn listen(kind: SignalKind) -> Result<tokio::signal::unix::Signal, String> {
    signal(kind).map_err(|e| format!("Signals cannot be heard: {e}."))
}

fn settings() -> Result<Settings, String> {
    let registers = registers::Config::from_settings(|name| std::env::var(name).ok())
        .map_err(|e| format!("{e}."))?;
    let drain = domain::config::number("DRAIN_S", 25, 0..=600)?;
    Ok(Settings {
        database: domain::config::database(&domain::config::get)?,
        redis_url: domain::config::text("REDIS_URL", "redis://127.0.0.1:6379"),
        redis_prefix: domain::config::text("REDIS_PREFIX", "toimik"),
        concurrency: vec![
            (
                Queue::Interactive,
                domain::config::number("CONCURRENCY_INTERACTIVE", 8, 1..=500)?,
            ),
            (
                Queue::Bulk,
                domain::config::number("CONCURRENCY_BULK", 3, 1..=100)?,
            ),
            (
                Queue::Register,
                domain::config::number("CONCURRENCY_REGISTER", 20, 1..=500)?,
            ),
            (
                Queue::Import,
                domain::config::number("CONCURRENCY_IMPORT", 1, 1..=10)?,
            ),
            (
                Queue::Mail,
                domain::config::number("CONCURRENCY_MAIL", 4, 1..=50)?,
            ),
            // Alerts do not wait for what moves a night's history.
            (Queue::Cron, 2),
        ],
        registers,
        store: domain::files::from_environment()?,
        mail: jobs::mail::Config::from_environment()?,
        webhooks: jobs::webhook::Config::from_environment()?,
        drain: Duration::from_secs(u64::try_from(drain).unwrap_or(u64::MAX)),
        status: None,
    })
}
