//! Rings bells: turns due times into jobs. The ticker is tokio-cron-scheduler; a due time counts once, by its row, and one
//! process at a time leads, by its lease.
use std::sync::Arc;
use std::time::Duration;

use domain::crons::{self, Cron};
use domain::{db, telemetry};
use tokio::signal::unix::{SignalKind, signal};
use tokio_cron_scheduler::{Job, JobScheduler};
use tokio_util::sync::CancellationToken;

use leader::Leader;
use status::Status;

mod leader;
mod status;

/// More than a tick's statements may take together: what hangs longer is a connection that has silently died.
const TICK: Duration = Duration::from_secs(10);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Err(sentence) = telemetry::run("toimik-scheduler", run()).await {
        eprintln!("scheduler: {sentence}");
        std::process::exit(1);
    }
}

async fn run() -> Result<(), String> {
    let options = domain::config::database(&domain::config::get)?.options([
        ("statement_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "4s"),
    ]);
    let pool = db::pool(options, 2);
    db::check_login(&pool).await?;
    let status = Arc::new(Status::new(pool.clone()));
    if let Some(listener) = domain::metrics::listener().await? {
        tokio::spawn(status::serve(listener, status.clone()));
    }
    let (table, is_rig) = table()?;
    let leader = Leader::new(pool, table, status, is_rig);
    let leader = Arc::new(tokio::sync::Mutex::new(leader));
    let stuck = CancellationToken::new();
    let (ticked, mut ticks) = tokio::sync::watch::channel(());
    let mut ticker = JobScheduler::new().await.map_err(|e| e.to_string())?;
    let tick = {
        let (leader, stuck) = (leader.clone(), stuck.clone());
        Job::new_async("* * * * * *", move |_, _| {
            ticked.send_replace(());
            let (leader, stuck) = (leader.clone(), stuck.clone());
            Box::pin(async move {
                // The last tick goes on: this one would only do the same.
                let Ok(mut leader) = leader.try_lock_owned() else {
                    return;
                };
                // A task of its own: a transaction must not be dropped by the time-out.
                let work = tokio::spawn(async move { leader.tick(domain::clock::now()).await });
                if tokio::time::timeout(TICK, work).await.is_err() {
                    stuck.cancel();
                }
            })
        })
    };
    ticker
        .add(tick.map_err(|e| e.to_string())?)
        .await
        .map_err(|e| e.to_string())?;
    ticker.start().await.map_err(|e| e.to_string())?;
    let mut term = signal(SignalKind::terminate()).map_err(|e| e.to_string())?;
    let mut int = signal(SignalKind::interrupt()).map_err(|e| e.to_string())?;
    // The ticker counts by the clock: put back, it rests for as long.
    let silent =
        async { while let Ok(Ok(())) = tokio::time::timeout(TICK, ticks.changed()).await {} };
    tokio::select! {
        _ = term.recv() => {}
        () = silent => return Err(format!("Nothing has ticked for {} s: the clock was put back.", TICK.as_secs())),
        _ = int.recv() => {}
        // Its connections cannot be trusted any more; another start has new ones.
        () = stuck.cancelled() => return Err(format!("The database has not answered for {} s.", TICK.as_secs())),
    }
    ticker.shutdown().await.map_err(|e| e.to_string())?;
    leader.lock().await.resign().await;
    Ok(())
}

/// The crons that are fired here, and whether a rig, whose clocks are its own, says so.
fn table() -> Result<(Vec<Cron>, bool), String> {
    let mut table = crons::TABLE.to_vec();
    match domain::config::text("RIG_CRONS", "off").as_str() {
        "off" => Ok((table, false)),
        "on" => {
            table.extend(crons::RIG);
            Ok((table, true))
        }
        other => Err(format!("RIG_CRONS is on or off, not {other}.")),
    }
}
