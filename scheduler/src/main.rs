//! Rings bells: turns due times into jobs. The ticker is tokio-cron-scheduler; a due time counts once, by its row.
use std::str::FromStr;
use std::sync::Arc;

use domain::{Error, Scope, db, telemetry};
use sqlx::postgres::{PgConnectOptions, PgPool};
use tokio::signal::unix::{SignalKind, signal};
use tokio_cron_scheduler::{Job, JobScheduler};

use status::Status;

mod schedule;
mod status;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Err(sentence) = telemetry::run("toimik-scheduler", run()).await {
        eprintln!("scheduler: {sentence}");
        std::process::exit(1);
    }
}

async fn run() -> Result<(), String> {
    let url = domain::config::database_url()?;
    let options = PgConnectOptions::from_str(&url)
        .map_err(|e| format!("The database URL cannot be read: {e}."))?;
    let pool = db::pool(options, 2);
    db::check_login(&pool).await?;
    let status = Arc::new(Status::new(pool.clone()));
    if let Some(listener) = domain::metrics::listener().await? {
        tokio::spawn(status::serve(listener, status.clone()));
    }
    let mut ticker = JobScheduler::new().await.map_err(|e| e.to_string())?;
    let tick = Job::new_async("0 * * * * *", move |_, _| {
        let (pool, status) = (pool.clone(), status.clone());
        Box::pin(async move { tick(&pool, &status).await })
    });
    ticker
        .add(tick.map_err(|e| e.to_string())?)
        .await
        .map_err(|e| e.to_string())?;
    ticker.start().await.map_err(|e| e.to_string())?;
    let mut term = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    let mut int = signal(SignalKind::interrupt()).map_err(|e| e.to_string())?;
    tokio::select! { _ = term.recv() => {}, _ = int.recv() => {} }
    ticker.shutdown().await.map_err(|e| e.to_string())
}

/// Fires what is due; what was fired before is refused by its row.
async fn tick(pool: &PgPool, status: &Status) {
    let now = domain::clock::now();
    for entry in &schedule::CRONS {
        let Some(scheduled_at) = schedule::due(entry, now) else {
            continue;
        };
        let fired = async {
            let mut tx = db::begin(pool, Scope::Queue).await?;
            let job = domain::crons::fire(&mut tx, entry.name, scheduled_at, entry.kind).await?;
            tx.commit().await?;
            Ok(job)
        };
        match fired.await {
            Ok(job) => {
                status.fired(entry.name);
                tracing::info!(cron.name = entry.name, job.id = job.0, "a cron fired");
            }
            Err(Error::Refused { .. }) => {}
            Err(error) => {
                tracing::warn!(cron.name = entry.name, error = %error, "a cron could not fire, trying again in a minute")
            }
        }
    }
}
