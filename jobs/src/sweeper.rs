//! What must go on whatever the workers do: leases, the pulse of this process, lost runs, closing, history.
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Timelike, Utc};
use domain::clock::start_of_minute;
use domain::ids::OperatorActionId;
use domain::jobs::{run, sweep, workers};
use domain::leases::{self, Name};
use domain::{movement, operator_actions};
use object_store::ObjectStore;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::broker::Broker;
use crate::context::Context;
use crate::pace::Buckets;

const RENEW: Duration = Duration::from_secs(5);

/// Renews this process's leases and flushes its figures, on a connection of its own.
pub async fn pulse(ctx: Arc<Context>, own: PgPool, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(RENEW);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        // Also at the stop: what ended since the last beat is counted.
        let last = tokio::select! { _ = ticks.tick() => false, () = stop.cancelled() => true };
        let mut minutes = ctx.minutes.take();
        let beat = async {
            // A connection of its own each time: one that has silently died would end the renewals until TCP gives it up.
            let mut conn = own.acquire().await?.detach();
            run::renew(&mut conn, ctx.worker, &ctx.running.ids()).await?;
            workers::beat(&mut conn, ctx.worker).await?;
            while let Some(((queue, kind, tenant), minute)) = minutes.last() {
                workers::add_minute(&mut conn, *queue, kind, tenant.0, minute).await?;
                minutes.pop();
            }
            Ok::<_, domain::Error>(())
        };
        match tokio::time::timeout(RENEW, beat).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(error = %error, "leases were not renewed"),
            Err(_) => tracing::warn!("leases were not renewed in time"),
        }
        ctx.minutes.put_back(minutes);
        if last {
            return;
        }
    }
}

/// Tells each second how bulk actions moved; what is not told at a kill is missing from their pace alone.
pub async fn movements(ctx: Arc<Context>, own: PgPool, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let last = tokio::select! { _ = ticks.tick() => false, () = stop.cancelled() => true };
        let ended = ctx.minutes.take_moves();
        if !ended.is_empty() {
            let told = async { movement::add(&mut *own.acquire().await?, &ended).await };
            let told = tokio::time::timeout(RENEW, told).await;
            if !matches!(told, Ok(Ok(()))) {
                tracing::warn!("the pace of bulk actions was not told, the next second goes on");
                ctx.minutes.put_moves_back(ended);
            }
        }
        if last {
            return;
        }
    }
}

/// Removes files without an import and old mails, each hour while this process leads. Apart from the sweep: a store may be slow.
pub async fn files(
    pool: PgPool,
    store: Arc<dyn ObjectStore>,
    holder: String,
    stop: CancellationToken,
) {
    let mut ticks = tokio::time::interval(Duration::from_secs(3600));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! { _ = ticks.tick() => {}, () = stop.cancelled() => return }
        let step = async {
            let mut conn = pool.acquire().await?;
            if !leases::holds(&mut conn, Name::Dispatcher, &holder).await? {
                return Ok::<_, domain::Error>(0);
            }
            let now = domain::clock::now();
            let mails = domain::mail::remove_old_files(&*store, now).await?;
            let before = now - domain::files::DAY;
            Ok(mails + domain::imports::remove_orphans(&mut conn, &*store, before).await?)
        };
        // Given up when the process stops: what is left is found the next time.
        let step = tokio::select! { step = step => step, () = stop.cancelled() => return };
        match step {
            Ok(0) => {}
            Ok(files) => tracing::info!(files, "files that nothing needs any more were removed"),
            Err(error) => {
                tracing::warn!(error = %error, "files that nothing needs any more stay until the next hour")
            }
        }
    }
}

/// Makes mails of what people are to be told, each second while this process leads. Apart from the sweep, which may be slow.
pub async fn post(pool: PgPool, domain: String, holder: String, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! { _ = ticks.tick() => {}, () = stop.cancelled() => return }
        let step = async {
            if !leases::holds(&mut *pool.acquire().await?, Name::Dispatcher, &holder).await? {
                return Ok::<_, domain::Error>(());
            }
            for _ in 0..STEPS_OF_POST {
                let mut tx = pool.begin().await?;
                let more = domain::mail::post(&mut tx, &domain, domain::clock::now()).await?;
                tx.commit().await?;
                if !more || stop.is_cancelled() {
                    break;
                }
            }
            Ok(())
        };
        if let Err(error) = step.await {
            tracing::warn!(error = %error, "notices were not made mails, the next second goes on");
        }
    }
}

/// Steps of a second; what is left waits for the next.
const STEPS_OF_POST: usize = 20;

/// Works off operator actions while this process leads: a step of each, as often as its pace allows.
pub async fn operator_actions(pool: PgPool, holder: String, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(STEP);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut paces = Buckets::default();
    for round in 0u64.. {
        tokio::select! { _ = ticks.tick() => {}, () = stop.cancelled() => return }
        let step = async {
            let mut conn = pool.acquire().await?;
            if !leases::holds(&mut conn, Name::Dispatcher, &holder).await? {
                return Ok::<_, domain::Error>(());
            }
            let open = operator_actions::open(&mut conn).await?;
            drop(conn);
            paces.keep(&open);
            for (action, per_second) in open {
                let most = paces.most(action, per_second, operator_actions::CHUNK, Instant::now());
                // How jobs ended is looked at less often: it reads every job that is under way.
                match work_off(&pool, action, most, round % 4 == 0).await {
                    Ok(taken) => paces.took(action, taken),
                    // The other actions go on.
                    Err(error) => {
                        tracing::warn!(error = %error, operator_action.id = action.0, "a step of an operator action failed, the next one goes on")
                    }
                }
            }
            Ok(())
        };
        if let Err(error) = step.await {
            tracing::warn!(error = %error, "operator actions could not be looked at, the next look goes on");
        }
    }
}

/// One step of an action; how many items it took.
async fn work_off(
    pool: &PgPool,
    action: OperatorActionId,
    most: i64,
    settles: bool,
) -> domain::Result<i64> {
    let mut tx = pool.begin().await?;
    let step = operator_actions::step(&mut tx, action, most).await?;
    tx.commit().await?;
    if settles {
        let mut tx = pool.begin().await?;
        operator_actions::settle(&mut tx, action).await?;
        tx.commit().await?;
    }
    Ok(step.taken)
}

const STEP: Duration = Duration::from_millis(250);

/// Takes back lost runs each five seconds; the rest only while this process leads, by the dispatcher's lease: closes actions,
/// cleans Redis each second, retires outcomes and history.
pub async fn sweep(pool: PgPool, broker: Broker, holder: String, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(Duration::from_secs(1));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut last = Instant::now();
    let mut noted = None;
    for second in 0u64.. {
        tokio::select! { _ = ticks.tick() => {}, () = stop.cancelled() => return }
        // After a stall of our own (a stopped process, a suspended machine) others' leases look over but are not.
        let stalled = last.elapsed() > RENEW;
        last = Instant::now();
        if stalled {
            tokio::select! { () = tokio::time::sleep(RENEW) => {}, () = stop.cancelled() => return }
            last = Instant::now();
        }
        let step = async {
            let mut conn = pool.acquire().await?;
            // Lost runs wait for no new leader: who takes them skips what another has just taken.
            if second % 5 == 0 {
                let swept = sweep::expired(&mut conn).await?;
                if swept.crashed > 0 || swept.undispatched > 0 {
                    tracing::warn!(
                        jobs.crashed = swept.crashed,
                        jobs.undispatched = swept.undispatched,
                        "expired leases were taken back"
                    );
                }
            }
            if !leases::holds(&mut conn, Name::Dispatcher, &holder).await? {
                return Ok::<_, domain::Error>(false);
            }
            if second % 5 == 0 {
                let mut tx = pool.begin().await?;
                domain::bulk_actions::sweep(&mut tx).await?;
                domain::imports::given_up(&mut tx).await?;
                tx.commit().await?;
            }
            if second % 60 == 30 {
                domain::registers::forget(&mut conn).await?;
                movement::forget(&mut conn).await?;
            }
            if second % 3600 == 60 {
                sweep::retire(&mut conn).await?;
            }
            if let Err(error) = broker.clean().await {
                tracing::info!(error = %error, "finished tasks stay in Redis until the next second");
            }
            Ok(true)
        };
        match step.await {
            // Another process leads, and notes the minute.
            Ok(false) => continue,
            Ok(true) => {}
            Err(error) => {
                tracing::warn!(error = %error, "a sweep failed, the next one goes on");
            }
        }
        // By the clock's minutes and apart: alerts have nothing to judge without it.
        let now = domain::clock::now();
        let minute = start_of_minute(now);
        if now.second() >= 30 && noted != Some(minute) {
            match note(&pool, &holder, now).await {
                Ok(true) => noted = Some(minute),
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(error = %error, "this minute was not noted, trying again in a second");
                }
            }
        }
    }
}

/// Notes the figures of this minute; false: another process leads.
async fn note(pool: &PgPool, holder: &str, now: DateTime<Utc>) -> domain::Result<bool> {
    let mut tx = pool.begin().await?;
    let leads = leases::holds(&mut tx, Name::Dispatcher, holder).await?;
    if leads {
        domain::queues::count_depths(&mut tx).await?;
        domain::alerts::note(&mut tx, now).await?;
    }
    tx.commit().await?;
    Ok(leads)
}
