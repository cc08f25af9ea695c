//! Hands due jobs to Redis, while this process leads. One process at a time does: a lease with a term says which.
//! In two hands, so that an interactive job waits for nobody's thousands.
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::jobs::dispatch::{self, Steering};
use domain::jobs::{CHUNK, Kind, Queue, WINDOW, workers};
use domain::leases::{self, Name, Term};
use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio_util::sync::CancellationToken;

use crate::broker::Broker;
use crate::flow::Flows;
use crate::pace::Paces;
use crate::status::Lead;

/// The most jobs of a queue in one round, so that each queue has its turn.
const SLICE: usize = 500;
const BUSY: Duration = Duration::from_millis(25);
const IDLE: Duration = Duration::from_millis(250);
const KEEP: Duration = Duration::from_millis(1_500);
const STEER: Duration = Duration::from_millis(500);
/// More than a round takes: a connection that has silently died would hold the leader until TCP gives it up.
const ROUND: Duration = Duration::from_secs(30);
const QUICK_ROUND: Duration = Duration::from_secs(10);

/// Leads whenever it can, until `stop`.
pub async fn run(
    pool: PgPool,
    broker: Broker,
    holder: String,
    shown: Arc<Lead>,
    stop: CancellationToken,
) {
    while !stop.is_cancelled() {
        match lead(&pool, &broker, &holder, &shown, &stop).await {
            Ok(()) => {}
            Err(error) => tracing::warn!(error, "dispatching broke off, trying again"),
        }
        tokio::select! { () = tokio::time::sleep(Duration::from_secs(1)) => {}, () = stop.cancelled() => {} }
    }
}

async fn lead(
    pool: &PgPool,
    broker: &Broker,
    holder: &str,
    shown: &Arc<Lead>,
    stop: &CancellationToken,
) -> Result<(), String> {
    let mut conn = pool.acquire().await.map_err(text)?;
    let Some(term) = leases::take(&mut conn, Name::Dispatcher, holder)
        .await
        .map_err(text)?
    else {
        return Ok(());
    };
    drop(conn);
    tracing::info!(term = term.number, "this process dispatches");
    shown.turn(Some(term.number));
    let over = stop.child_token();
    let hand = async |hand: Hand| {
        let mut leader = Leader {
            hand,
            pool: pool.clone(),
            broker: broker.clone(),
            generation: format!("{}:{}", term.number, uuid::Uuid::new_v4()),
            term: term.clone(),
            run_id: String::new(),
            steering: Steering::default(),
            concurrency: HashMap::new(),
            rates: HashMap::new(),
            paces: Paces::default(),
            flows: Flows::default(),
            resting: HashMap::new(),
            recall: true,
            shown: shown.clone(),
        };
        let outcome = leader.serve(&over).await;
        over.cancel();
        outcome
    };
    let (quick, rest) = tokio::join!(hand(Hand::Interactive), hand(Hand::Rest));
    shown.turn(None);
    let resigned = async { leases::resign(&mut *pool.acquire().await?, &term).await };
    if let Err(error) = resigned.await {
        tracing::info!(error = %error, "the lease was not given up, it will run out");
    }
    rest.and(quick)
}

/// What a leader's hand gives out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hand {
    Interactive,
    /// All other queues; keeps the lease, and looks after Redis.
    Rest,
}

impl Hand {
    fn gives(self, queue: Queue) -> bool {
        (queue == Queue::Interactive) == (self == Self::Interactive)
    }
}

struct Leader {
    hand: Hand,
    pool: PgPool,
    broker: Broker,
    term: Term,
    generation: String,
    run_id: String,
    steering: Steering,
    concurrency: HashMap<Queue, i64>,
    rates: HashMap<Queue, Rate>,
    paces: Paces,
    flows: Flows,
    /// Queues of which nothing that waits could go out, with when they are looked at again unless somebody rings.
    resting: HashMap<Queue, Instant>,
    /// Redis may hold something other than what the rows say: take all dispatched rows back first.
    recall: bool,
    shown: Arc<Lead>,
}

/// What a queue took from Redis lately, per second.
struct Rate {
    since: Instant,
    pushed: usize,
    held: usize,
    per_second: usize,
}

impl Leader {
    async fn serve(&mut self, stop: &CancellationToken) -> Result<(), String> {
        let mut listener = PgListener::connect_with(&self.pool)
            .await
            .map_err(|e| e.to_string())?;
        listener
            .listen(domain::jobs::CHANNEL)
            .await
            .map_err(|e| e.to_string())?;
        let (mut kept, mut steered) = (Instant::now(), None::<Instant>);
        while !stop.is_cancelled() {
            let most = match self.hand {
                Hand::Interactive => QUICK_ROUND,
                Hand::Rest => ROUND,
            };
            let round = tokio::time::timeout(most, self.round(&mut kept, &mut steered)).await;
            let Some(pause) = round.map_err(|_| "a round got no answer")?? else {
                return Ok(());
            };
            tokio::select! {
                // A notification only shortens the wait; a lost connection is noticed by the next statement.
                woken = listener.recv() => {
                    woken.map_err(|e| e.to_string())?;
                    self.resting.clear();
                }
                () = tokio::time::sleep(pause) => {}
                () = stop.cancelled() => {}
            }
        }
        Ok(())
    }

    /// Keeps the lease, reads what steers, hands out; how long the next round may wait. None: another leads now.
    async fn round(
        &mut self,
        kept: &mut Instant,
        steered: &mut Option<Instant>,
    ) -> Result<Option<Duration>, String> {
        if self.hand == Hand::Rest && kept.elapsed() >= KEEP {
            let held = leases::keep(&mut *self.pool.acquire().await.map_err(text)?, &self.term)
                .await
                .map_err(text)?;
            if !held {
                tracing::info!(term = self.term.number, "another process dispatches now");
                return Ok(None);
            }
            *kept = Instant::now();
            self.watch_redis().await?;
        }
        // An action at its full parallelism goes on as soon as one of its jobs has ended.
        let full = self.hand == Hand::Rest && self.paces.is_full();
        let steer = if full { BUSY } else { STEER };
        if steered.is_none_or(|at| at.elapsed() >= steer) {
            let mut conn = self.pool.acquire().await.map_err(text)?;
            self.steering = dispatch::steering(&mut conn).await.map_err(text)?;
            self.paces.renew(std::mem::take(&mut self.steering.actions));
            self.flows.renew(std::mem::take(&mut self.steering.flows));
            self.concurrency = workers::live_concurrency(&mut conn)
                .await
                .map_err(text)?
                .into_iter()
                .collect();
            *steered = Some(Instant::now());
        }
        self.tick().await.map(Some)
    }

    /// A Redis that was started anew may have lost what it held.
    async fn watch_redis(&mut self) -> Result<(), String> {
        let run_id = self.broker.run_id().await.map_err(|e| e.to_string())?;
        if run_id != self.run_id {
            self.recall |= !self.run_id.is_empty();
            self.run_id = run_id;
        }
        Ok(())
    }

    /// One round over the queues; how long the next one may wait.
    async fn tick(&mut self) -> Result<Duration, String> {
        let held = self.broker.held().await.map_err(|e| e.to_string())?;
        let lost = self.recall || held.generation.as_deref() != Some(&self.generation);
        if lost && self.hand == Hand::Rest {
            // Marked first: a Redis that loses all meanwhile loses the mark too.
            self.generation = format!("{}:{}", self.term.number, uuid::Uuid::new_v4());
            self.broker
                .mark(&self.generation)
                .await
                .map_err(|e| e.to_string())?;
            let back = self.guarded_recall().await.map_err(text)?;
            tracing::info!(
                jobs = back,
                "dispatched jobs are taken back: a new leader, or a Redis that lost what it held"
            );
            self.recall = false;
        }
        let mine: Vec<Queue> = Queue::ALL
            .into_iter()
            .filter(|queue| self.hand.gives(*queue))
            .collect();
        let waiting = dispatch::waiting(&mut *self.pool.acquire().await.map_err(text)?, &mine)
            .await
            .map_err(text)?;
        let mut pause = IDLE;
        for (queue, held) in held.jobs {
            if !mine.contains(&queue) {
                continue;
            }
            let room = self.room(queue, held);
            let room = room.min(self.flows.room(queue, Instant::now()));
            let rests = self.resting.get(&queue);
            if !waiting.contains(&queue) || rests.is_some_and(|until| Instant::now() < *until) {
                continue;
            }
            pause = pause.min(BUSY);
            // Lists stay full: a window with little room waits for more, unless nothing is left in it.
            let least = if Kind::ALL
                .iter()
                .any(|kind| kind.queue() == queue && kind.is_chunked())
            {
                CHUNK
            } else {
                1
            };
            if room >= least || (held == 0 && room > 0) {
                let sent = self.dispatch(queue, room.min(SLICE)).await?;
                if sent == SLICE {
                    pause = Duration::ZERO; // there is more, and room for it
                } else if sent == 0 && self.paces.limits(Instant::now()).is_empty() {
                    // Thousands that wait for another try tomorrow cost no search each time.
                    self.resting.insert(queue, Instant::now() + IDLE);
                }
            }
        }
        Ok(pause)
    }

    /// How many jobs may go to Redis now: a second's worth, at least twice what the workers take, never over the cap.
    fn room(&mut self, queue: Queue, held: usize) -> usize {
        let now = Instant::now();
        let rate = self.rates.entry(queue).or_insert(Rate {
            since: now,
            pushed: 0,
            held,
            per_second: 0,
        });
        let passed = now.duration_since(rate.since);
        if passed >= Duration::from_secs(1) {
            let taken = (rate.held + rate.pushed).saturating_sub(held);
            let millis = usize::try_from(passed.as_millis())
                .unwrap_or(usize::MAX)
                .max(1);
            *rate = Rate {
                since: now,
                pushed: 0,
                held,
                per_second: taken.saturating_mul(1000) / millis,
            };
        }
        let live = usize::try_from(self.concurrency.get(&queue).copied().unwrap_or(0)).unwrap_or(0);
        let each = if queue == Queue::Bulk { CHUNK } else { 1 };
        let window = rate.per_second.max(2 * live * each).min(WINDOW);
        self.shown.saw(queue, window, held);
        window.saturating_sub(held)
    }

    /// Returns how many jobs went out.
    async fn dispatch(&mut self, queue: Queue, room: usize) -> Result<usize, String> {
        let limits = self.paces.limits(Instant::now());
        let picked = async {
            let mut tx = self.pool.begin().await?;
            leases::guard(&mut tx, &self.term).await?;
            let room = i64::try_from(room).unwrap_or(i64::MAX);
            let bundles = dispatch::pick(&mut tx, queue, room, &self.steering, &limits).await?;
            tx.commit().await?;
            Ok::<_, domain::Error>(bundles)
        };
        let bundles = picked.await.map_err(text)?;
        if bundles.is_empty() {
            return Ok(0);
        }
        let jobs = bundles
            .iter()
            .map(|bundle| bundle.pairs.len())
            .sum::<usize>();
        if let Some(rate) = self.rates.get_mut(&queue) {
            rate.pushed += jobs;
        }
        self.paces.took(&bundles);
        self.flows.took(queue, jobs, Instant::now());
        fail::fail_point!("dispatched");
        // What may not have arrived is taken back when this or another process leads anew.
        self.broker.push(queue, self.term.number, &bundles).await?;
        Ok(jobs)
    }

    async fn guarded_recall(&self) -> domain::Result<u64> {
        let mut tx = self.pool.begin().await?;
        leases::guard(&mut tx, &self.term).await?;
        let back = dispatch::recall(&mut tx).await?;
        tx.commit().await?;
        Ok(back)
    }
}

fn text(error: impl Into<domain::Error>) -> String {
    error.into().to_string()
}
