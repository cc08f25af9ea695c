//! The only file that knows apalis: carries deliveries over Redis to the workers of all processes.
//! apalis-redis 1.0.0 is kept safe by what it is never given: more than a window, a failed result, or its own locks.
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use apalis::prelude::{
    BackendExt, BoxDynError, Data, Monitor, PollSnapshot, PollStrategy, TaskBuilder, TaskId,
    WorkerBuilder, WorkerBuilderExt,
};
use apalis_redis::{Config, RedisStorage, RedisTask};
use domain::ids::JobId;
use domain::jobs::dispatch::Bundle;
use domain::jobs::{Kind, Queue};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{AsyncCommands, Script};
use serde::{Deserialize, Serialize};
use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

/// What Redis carries: which jobs, under which dispatch numbers. All of one kind, bureau and bulk action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    pub pairs: Vec<(i64, i32)>,
    pub suspect: bool,
    /// None from a dispatcher of the version before.
    #[serde(default)]
    pub kind: Option<Kind>,
}

impl Delivery {
    pub fn pairs(&self) -> Vec<(JobId, i32)> {
        self.pairs
            .iter()
            .map(|(id, number)| (JobId(*id), *number))
            .collect()
    }
}

/// Works one delivery to its end; never fails, since apalis would deliver it again 25 times.
pub type Handler =
    Arc<dyn Fn(Queue, Delivery) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// What Redis holds of each queue, and whether it is still the Redis that the leader filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub generation: Option<String>,
    pub jobs: Vec<(Queue, usize)>,
}

/// A connection to one Redis; cheap to clone.
#[derive(Clone)]
pub struct Broker {
    conn: ConnectionManager,
    prefix: String,
}

/// The whole wait for one answer of Redis; the library's 500 ms kills workers under load.
const ANSWER: Duration = Duration::from_secs(30);
const HEARTBEAT: Duration = Duration::from_secs(5);
const PUSH: usize = 500;

impl Broker {
    /// Connects and refuses a Redis that may throw keys away; the error is one plain sentence.
    pub async fn connect(url: &str, prefix: &str) -> Result<Self, String> {
        let client =
            redis::Client::open(url).map_err(|e| format!("REDIS_URL cannot be read: {e}."))?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(ANSWER))
            .set_connection_timeout(Some(HEARTBEAT));
        let mut conn = client
            .get_connection_manager_with_config(config)
            .await
            .map_err(|e| format!("Redis does not answer: {e}."))?;
        let policy: Vec<String> = redis::cmd("CONFIG")
            .arg(&["GET", "maxmemory-policy"])
            .query_async(&mut conn)
            .await
            .map_err(|e| format!("Redis does not tell its maxmemory-policy: {e}."))?;
        match policy.get(1).map(String::as_str) {
            Some("noeviction") => Ok(Self {
                conn,
                prefix: prefix.to_owned(),
            }),
            other => Err(format!(
                "Redis must have maxmemory-policy noeviction, not {}.",
                other.unwrap_or("none")
            )),
        }
    }

    fn queue(&self, queue: Queue) -> String {
        format!("{}:{}", self.prefix, queue.as_str())
    }

    fn config(&self, queue: Queue) -> Config {
        Config::default()
            .queue(self.queue(queue))
            .heartbeat_interval(HEARTBEAT)
            .missed_heartbeats(3)
            .lock_tasks(false)
            .emit_events(false)
            .idempotency_ttl(Some(Duration::from_secs(3600)))
    }

    fn generation_key(&self) -> String {
        format!("{}:generation", self.prefix)
    }

    /// Marks this Redis as filled by one leader's term.
    pub async fn mark(&self, generation: &str) -> redis::RedisResult<()> {
        self.conn
            .clone()
            .set(self.generation_key(), generation)
            .await
    }

    /// Proves that Redis takes a write: one that is full still answers.
    pub async fn probe(&self) -> redis::RedisResult<()> {
        let key = format!("{}:ready", self.prefix);
        self.conn.clone().set_ex(key, "", 60).await
    }

    /// The id that Redis takes anew at each start.
    pub async fn run_id(&self) -> redis::RedisResult<String> {
        let info: String = redis::cmd("INFO")
            .arg("server")
            .query_async(&mut self.conn.clone())
            .await?;
        Ok(info
            .lines()
            .find_map(|line| line.strip_prefix("run_id:"))
            .unwrap_or_default()
            .trim()
            .to_owned())
    }

    /// Counts the jobs that are waiting in Redis or with a worker, by the number in each task's id.
    pub async fn held(&self) -> redis::RedisResult<Held> {
        let script = Script::new(include_str!("held.lua"));
        let mut call = script.key(self.generation_key());
        for queue in Queue::ALL {
            call.key(self.queue(queue));
        }
        let (generation, counts): (Option<String>, Vec<usize>) =
            call.invoke_async(&mut self.conn.clone()).await?;
        Ok(Held {
            generation,
            jobs: Queue::ALL.into_iter().zip(counts).collect(),
        })
    }

    /// Hands bundles to the workers. On an error some may have arrived: recall all, fencing drops those.
    pub async fn push(&self, queue: Queue, term: i64, bundles: &[Bundle]) -> Result<(), String> {
        let config = self.config(queue);
        for part in bundles.chunks(PUSH) {
            let tasks: Result<Vec<RedisTask>, String> =
                part.iter().map(|bundle| task(term, bundle)).collect();
            apalis_redis::queries::push_tasks(&mut self.conn.clone(), &config, &tasks?)
                .await
                .map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Takes finished tasks out of Redis, which apalis never does; a bounded step.
    pub async fn clean(&self) -> redis::RedisResult<()> {
        let script = Script::new(include_str!("clean.lua"));
        for queue in Queue::ALL {
            let _: i64 = script
                .key(self.queue(queue))
                .arg(1000)
                .invoke_async(&mut self.conn.clone())
                .await?;
        }
        Ok(())
    }

    /// Works a queue until `stop`; a worker that dies is replaced under a new name after half a second.
    pub async fn work(
        &self,
        queue: Queue,
        concurrency: usize,
        poll: Duration,
        handler: Handler,
        stop: CancellationToken,
    ) {
        while !stop.is_cancelled() {
            let name = format!("{}-{}", queue.as_str(), uuid::Uuid::new_v4().simple());
            let (conn, config, handler) = (
                self.conn.clone(),
                self.config(queue).batch_size(concurrency),
                handler.clone(),
            );
            let monitor = Monitor::new().register(move |_| {
                WorkerBuilder::new(name.as_str())
                    .backend(
                        RedisStorage::<Delivery>::new(conn.clone())
                            .with_config(config.clone())
                            .poll_with_strategy(Ticks::every(poll)),
                    )
                    .data(Arc::new(Deliver {
                        queue,
                        handler: handler.clone(),
                    }))
                    .concurrency(concurrency)
                    .build(deliver)
            });
            let context = monitor.context();
            let mut run = Box::pin(monitor.run());
            tokio::select! {
                ended = &mut run => {
                    tracing::warn!(queue.name = queue.as_str(), error = ?ended.err(), "queue worker ended, starting another");
                    tokio::select! { () = tokio::time::sleep(Duration::from_millis(500)) => {}, () = stop.cancelled() => {} }
                }
                () = stop.cancelled() => {
                    if context.shutdown().is_ok() && tokio::time::timeout(Duration::from_secs(5), run).await.is_err() {
                        tracing::info!(queue.name = queue.as_str(), "queue worker left with work in hand");
                    }
                }
            }
        }
    }
}

/// Wakes a worker at intervals. apalis-core 1.0.0's own `IntervalStrategy` leaves its next delay without a waker when a delay
/// and an empty fetch come up in one poll: the worker then sleeps until its heartbeat.
struct Ticks(Interval);

impl Ticks {
    fn every(period: Duration) -> Self {
        let mut interval = tokio::time::interval(period);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self(interval)
    }
}

impl PollStrategy for Ticks {
    fn poll_drive(&mut self, cx: &mut TaskContext<'_>, _: &PollSnapshot) -> Poll<Option<()>> {
        while self.0.poll_tick(cx).is_ready() {}
        Poll::Pending
    }
}

struct Deliver {
    queue: Queue,
    handler: Handler,
}

/// The body runs in a task of its own: apalis drops this future when its worker dies.
async fn deliver(delivery: Delivery, to: Data<Arc<Deliver>>) -> Result<(), BoxDynError> {
    let body = tokio::spawn((to.handler)(to.queue, delivery));
    if let Err(error) = body.await {
        tracing::error!(panic = error.is_panic(), "a delivery broke off");
    }
    Ok(())
}

fn task(term: i64, bundle: &Bundle) -> Result<RedisTask, String> {
    let (first, number) = bundle.pairs.first().ok_or("an empty bundle")?;
    let delivery = Delivery {
        pairs: bundle
            .pairs
            .iter()
            .map(|(id, number)| (id.0, *number))
            .collect(),
        suspect: bundle.suspect,
        kind: Some(bundle.kind),
    };
    let args = serde_json::to_vec(&delivery).map_err(|e| e.to_string())?;
    let id = format!("{}:{}:{}:{}", bundle.pairs.len(), first, number, term);
    Ok(TaskBuilder::new(args)
        .task_id(TaskId::from_string(id))
        .build())
}

#[cfg(test)]
mod tests {
    use std::task::Wake;

    use tokio::sync::Notify;

    use super::*;

    #[derive(Default)]
    struct Woken(Notify);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.notify_one();
        }
    }

    #[tokio::test]
    async fn a_poll_that_meets_a_tick_is_woken_by_the_next_one() {
        let woken = Arc::new(Woken::default());
        let waker = woken.clone().into();
        let mut cx = TaskContext::from_waker(&waker);
        let mut ticks = Ticks::every(Duration::from_millis(1));
        for _ in 0..3 {
            assert!(ticks.poll_drive(&mut cx, &PollSnapshot::new()).is_pending());
            let next = tokio::time::timeout(Duration::from_secs(5), woken.0.notified());
            next.await
                .expect("every poll leaves a waker with the next tick");
        }
    }
}
