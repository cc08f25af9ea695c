//! One worker process: starts its parts, stops them in order.
use std::sync::Arc;
use std::time::Duration;

use domain::jobs::{Queue, workers};
use object_store::ObjectStore;
use sqlx::postgres::{PgConnectOptions, PgPool};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::broker::{Broker, Delivery, Handler};
use crate::context::Context;
use crate::mail::Mailer;
use crate::status::{self, Lead, Slots, Status};
use crate::webhook::Webhooks;
use crate::{dispatcher, gate, mail, sweeper, webhook, worker};

/// What a process needs to know; `main` reads it from the environment.
pub struct Settings {
    pub database: PgConnectOptions,
    pub redis_url: String,
    /// Prefix of the keys in Redis, so that installations can share one.
    pub redis_prefix: String,
    pub concurrency: Vec<(Queue, usize)>,
    pub registers: registers::Config,
    /// Where uploaded files are.
    pub store: Arc<dyn ObjectStore>,
    pub mail: mail::Config,
    pub webhooks: webhook::Config,
    /// How long running work may take after a stop was asked for.
    pub drain: Duration,
    /// Where /metrics and /readyz are asked for.
    pub status: Option<TcpListener>,
}

/// How long it may take to hand back what could not be finished: a statement that was broken off while it waited for a lock
/// keeps its own rows locked until its lock time-out, five seconds.
const HAND_BACK: Duration = Duration::from_secs(6);

/// Runs until `stop`; an error is one plain sentence.
pub async fn run(settings: Settings, stop: CancellationToken) -> Result<(), String> {
    let connections = |alone: bool| {
        let wanted = settings.concurrency.iter();
        let slots: usize = wanted
            .filter(|(queue, _)| (*queue == Queue::Register) == alone)
            .map(|(_, most)| most)
            .sum();
        u32::try_from(slots).unwrap_or(u32::MAX).clamp(4, 24)
    };
    let pool = domain::db::pool(settings.database.clone(), connections(false));
    let planned_once = settings
        .database
        .clone()
        .options([("plan_cache_mode", "force_generic_plan")]);
    let single = domain::db::pool(planned_once.clone(), connections(true));
    let queue = domain::db::queue_pool(planned_once, 8);
    let own = domain::db::queue_pool(settings.database.clone(), 2);
    let outcomes = domain::db::queue_pool(settings.database.clone(), 1);
    let leading = domain::db::pool(
        settings
            .database
            .clone()
            .options([("role", "toimik_queue")]),
        // Two hands with an ear each, the sweeper's two, operator actions, files, the post: none of them waits for another.
        9,
    );
    domain::db::check_login(&pool).await?;
    let broker = Broker::connect(&settings.redis_url, &settings.redis_prefix).await?;
    let tarn = registers::tarn::Client::new(&settings.registers).map_err(|e| e.to_string())?;

    let store = settings.store;
    let mailer = Mailer::new(settings.mail, store.clone())?;
    let webhooks = Webhooks::new(settings.webhooks)?;
    let mail_domain = mailer.domain().to_owned();

    let name = format!("{}-{}", std::process::id(), uuid::Uuid::new_v4().simple());
    let id = register(&queue, &name, &settings.concurrency)
        .await
        .map_err(|e| format!("The database does not answer: {e}."))?;
    let out = (mailer, webhooks);
    let ctx = Context::new(pool, single, queue, id, tarn, store.clone(), out);
    let ctx = Arc::new(ctx);
    let (slots, lead) = (
        Arc::new(Slots::new(&settings.concurrency)),
        Arc::new(Lead::default()),
    );
    let bodies = TaskTracker::new();
    let handler: Handler = {
        let (ctx, bodies, slots) = (ctx.clone(), bodies.clone(), slots.clone());
        Arc::new(move |queue: Queue, delivery: Delivery| {
            let (ctx, slot) = (ctx.clone(), slots.hold(queue));
            Box::pin(bodies.track_future(async move {
                let _slot = slot;
                worker::work(ctx, queue, delivery).await;
            }))
        })
    };
    let (mut parts, pulse) = (JoinSet::new(), CancellationToken::new());
    if let Some(listener) = settings.status {
        let status = Status {
            ctx: ctx.clone(),
            broker: broker.clone(),
            slots,
            lead: lead.clone(),
            probe: domain::db::pool(settings.database.clone(), 1),
            pools: vec![
                ("leases", own.clone()),
                ("outcomes", outcomes.clone()),
                ("leader", leading.clone()),
            ],
        };
        // Answers also while the process drains.
        tokio::spawn(status::serve(listener, status, pulse.clone()));
    }
    for (queue, concurrency) in settings.concurrency {
        let (broker, handler, stop) = (broker.clone(), handler.clone(), stop.clone());
        parts.spawn(async move {
            broker
                .work(queue, concurrency, poll(queue), handler, stop)
                .await
        });
    }
    parts.spawn(dispatcher::run(
        leading.clone(),
        broker.clone(),
        name.clone(),
        lead,
        stop.clone(),
    ));
    parts.spawn(sweeper::files(
        leading.clone(),
        store,
        name.clone(),
        stop.clone(),
    ));
    parts.spawn(sweeper::operator_actions(
        leading.clone(),
        name.clone(),
        stop.clone(),
    ));
    parts.spawn(sweeper::post(
        leading.clone(),
        mail_domain,
        name.clone(),
        stop.clone(),
    ));
    parts.spawn(sweeper::sweep(leading, broker, name, stop.clone()));
    // What goes on until the drain is over.
    let mut vital = JoinSet::new();
    vital.spawn(sweeper::movements(ctx.clone(), own.clone(), pulse.clone()));
    vital.spawn(sweeper::pulse(ctx.clone(), own, pulse.clone()));
    vital.spawn(gate::flush(ctx.clone(), outcomes, pulse.clone()));
    tracing::info!(worker.id = id.0, "this process works");

    let broke = tokio::select! {
        // First, since with a stop parts end as they should.
        biased;
        () = stop.cancelled() => None,
        Some(ended) = parts.join_next() => Some(ended),
        Some(ended) = vital.join_next() => Some(ended),
    };
    if broke.is_some() {
        tracing::error!("a part of this process broke off, so it hands back its work and ends");
        stop.cancel();
    }
    ctx.stopping.cancel();
    let until = tokio::time::Instant::now() + settings.drain;
    while parts.join_next().await.is_some() {}
    bodies.close();
    if tokio::time::timeout_at(until, bodies.wait()).await.is_err() {
        tracing::warn!(
            jobs = ctx.running.ids().len(),
            "jobs were still running at the end of the drain and are handed back"
        );
        ctx.spent.cancel();
        if tokio::time::timeout(HAND_BACK, bodies.wait())
            .await
            .is_err()
        {
            tracing::warn!("not all could be handed back; their leases run out");
        }
    }
    pulse.cancel();
    while vital.join_next().await.is_some() {}
    let left = async { workers::leave(&mut *ctx.queue.acquire().await?, id).await };
    left.await
        .map_err(|e| format!("The process could not say that it ended: {e}."))?;
    match broke {
        // A part that is gone would be missed by nobody: whoever keeps the process starts a whole one.
        Some(Err(panic)) => Err(format!("A part of the process broke off: {panic}.")),
        Some(Ok(())) => Err("A part of the process ended by itself.".into()),
        None => Ok(()),
    }
}

async fn register(
    pool: &PgPool,
    name: &str,
    concurrency: &[(Queue, usize)],
) -> domain::Result<domain::ids::WorkerId> {
    workers::register(
        &mut *pool.acquire().await?,
        name,
        &domain::config::host(),
        std::process::id(),
        concurrency,
    )
    .await
}

/// How often a queue's workers ask Redis.
fn poll(queue: Queue) -> Duration {
    Duration::from_millis(match queue {
        Queue::Interactive => 5,
        Queue::Bulk | Queue::Register | Queue::Arrest => 20,
        Queue::Import | Queue::Mail | Queue::Cron => 250,
    })
}
