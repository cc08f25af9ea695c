//! Whether a call may go to a register now: by a slot of its rate, as the probe of its open breaker, or later.
//! Slots are taken from the shared rate in small batches, outcomes are written each 250 ms: nothing is asked for each job.
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::ids::JobId;
use domain::jobs::{Failure, Kind, run};
use domain::registers::{self as breaker, Outcomes, TARN};
use registers::CallError;
use sqlx::{PgConnection, PgPool};
use tokio::sync::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::broker::Delivery;
use crate::context::Context;
use crate::outcomes::{Told, Verdict};
use crate::slots::{Entry, Slots};
use crate::worker::waits;

/// How long a job that meets an open breaker stays away; the dispatcher keeps it until the register may be tried.
const AWAY: Duration = Duration::from_secs(1);
const FLUSH: Duration = Duration::from_millis(250);
/// How long our own database may take for one of these statements.
const PATIENCE: Duration = Duration::from_secs(5);

/// One gate a register.
pub struct Gates {
    pub tarn: Gate,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            tarn: Gate::new(TARN),
        }
    }
}

impl Gates {
    /// The gate that jobs of this kind go through.
    fn of(&self, kind: Kind) -> Option<&Gate> {
        let register = kind.register()?;
        self.all()
            .into_iter()
            .find(|gate| gate.register == register)
    }

    fn all(&self) -> [&Gate; 1] {
        [&self.tarn]
    }
}

pub struct Gate {
    register: &'static str,
    slots: Mutex<Slots>,
    told: Told,
    /// As the last flush found it.
    open: AtomicBool,
}

impl Gate {
    fn new(register: &'static str) -> Self {
        Self {
            register,
            slots: Mutex::default(),
            told: Told::default(),
            open: AtomicBool::new(false),
        }
    }

    /// One asks the database, the others wait for what it brings.
    async fn ask(&self, pool: &PgPool) -> domain::Result<Entry> {
        let mut slots = self.slots.lock().await;
        if self.open.swap(false, Ordering::Relaxed) {
            slots.ready.clear();
        }
        let now = Instant::now();
        if let Some(at) = slots.take(now) {
            return Ok(Entry::At(at));
        }
        if let Some(shut) = slots.shut(now) {
            return Ok(shut);
        }
        let wanted = slots.wanted(now);
        let turn = within(pool, async |conn| {
            breaker::slots(conn, self.register, wanted).await
        });
        Ok(slots.learn(turn.await?, Instant::now()))
    }

    /// Waits for a slot that comes within moments, and until the database answers.
    async fn enter(&self, pool: &PgPool) -> Entry {
        let mut wait = Duration::from_millis(100);
        loop {
            match self.ask(pool).await {
                Ok(Entry::At(at)) => {
                    tokio::time::sleep_until(at).await;
                    return Entry::At(at);
                }
                Ok(entry) => return entry,
                Err(error) => {
                    tracing::warn!(error = %error, "a register's gate did not answer, trying again")
                }
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(PATIENCE);
        }
    }

    /// Waits until one more call of a run may go; false when the register is open to it or our database does not answer.
    pub async fn another(&self, job: JobId, pool: &PgPool) -> bool {
        if self.told.leads(job) {
            return true;
        }
        loop {
            match self.ask(pool).await {
                Ok(Entry::At(at)) => {
                    tokio::time::sleep_until(at).await;
                    return true;
                }
                Ok(Entry::Probe) => {
                    self.told.probes(job);
                    return true;
                }
                Ok(Entry::Spent(wait)) => tokio::time::sleep(wait).await,
                Ok(Entry::Open) => return false,
                Err(error) => {
                    tracing::warn!(error = %error, "a register's gate did not answer");
                    return false;
                }
            }
        }
    }

    /// Makes a call and notes what it comes to.
    pub async fn call<T>(
        &self,
        job: JobId,
        call: impl Future<Output = Result<T, CallError>>,
    ) -> Result<T, CallError> {
        let under_way = self.told.begin(job);
        let outcome = call.await;
        under_way.end(outcome.as_ref().err());
        outcome
    }

    async fn flush(&self, pool: &PgPool) {
        let (mut outcomes, mut verdict) = self.told.take();
        if outcomes == Outcomes::default() && verdict.is_none() {
            return;
        }
        let written = within(pool, async |conn| {
            if outcomes.calls > 0 {
                let open = breaker::note(conn, self.register, &outcomes).await?;
                outcomes = Outcomes::default();
                if open && !self.open.swap(true, Ordering::Relaxed) {
                    tracing::warn!(
                        register.name = self.register,
                        "a register is open: too many calls failed"
                    );
                }
            }
            match verdict {
                Some(Verdict::Answered) if breaker::close(conn, self.register).await? => {
                    tracing::info!(register.name = self.register, "a register answers again");
                }
                Some(Verdict::Unused) => breaker::return_probe(conn, self.register).await?,
                Some(Verdict::Answered) | None => {}
            }
            verdict = None;
            Ok(())
        });
        if let Err(error) = written.await {
            tracing::warn!(error = %error, "outcomes of calls were not written, trying again");
            self.told.put_back(outcomes, verdict);
        }
    }
}

/// Writes what this process's calls came to, on a connection of its own, and once more at the stop.
pub async fn flush(ctx: Arc<Context>, own: PgPool, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(FLUSH);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let last = tokio::select! { _ = ticks.tick() => false, () = stop.cancelled() => true };
        for gate in ctx.gates.all() {
            gate.flush(&own).await;
        }
        if last {
            return;
        }
    }
}

/// A connection that has silently died is given up with its statement.
async fn within<T>(
    pool: &PgPool,
    work: impl AsyncFnOnce(&mut PgConnection) -> domain::Result<T>,
) -> domain::Result<T> {
    let mut conn = pool.acquire().await?;
    match tokio::time::timeout(PATIENCE, work(&mut conn)).await {
        Ok(outcome) => outcome,
        Err(_) => {
            drop(conn.detach());
            Err(sqlx::Error::PoolTimedOut.into())
        }
    }
}

/// Lets a delivery through to its claim, or hands it back: none.
pub async fn admit<'a>(ctx: &'a Context, delivery: &Delivery) -> Option<Pass<'a>> {
    let pairs = delivery.pairs();
    let gate = delivery.kind.and_then(|kind| ctx.gates.of(kind));
    let (Some(gate), Some((job, _))) = (gate, pairs.first()) else {
        return Some(Pass(None));
    };
    let pass = Pass(Some((&gate.told, *job)));
    let entry = tokio::select! {
        biased;
        // It goes back as every delivery then does.
        () = ctx.stopping.cancelled() => return Some(pass),
        entry = gate.enter(&ctx.queue) => entry,
    };
    let wait = match entry {
        Entry::At(_) => return Some(pass),
        Entry::Probe => {
            gate.told.probes(*job);
            return Some(pass);
        }
        Entry::Spent(wait) => wait,
        Entry::Open => AWAY,
    };
    // By chance, so that those that were held together do not come back together.
    let wait = wait.mul_f32(rand::random_range(1.0..1.5));
    for again in waits() {
        let held = async { run::hold(&mut *ctx.queue.acquire().await?, &pairs, wait).await };
        match held.await {
            Ok(_) => break,
            Err(error) => tracing::warn!(error = %error, "a job was not held, trying again"),
        }
        tokio::select! {
            () = tokio::time::sleep(again) => {}
            () = ctx.spent.cancelled() => break,
        }
    }
    None
}

/// A job's way through the gate; with its end an unused probe is free for another.
pub struct Pass<'a>(Option<(&'a Told, JobId)>);

impl Pass<'_> {
    /// What failed as the probe of an open breaker was expected to, and counts for nothing.
    pub fn judge(&self, failure: Failure) -> Failure {
        let in_vain = self.0.is_some_and(|(told, job)| told.probed(job));
        match failure {
            Failure::Transient { .. } if in_vain => Failure::Released {
                after: AWAY.mul_f32(rand::random_range(1.0..2.0)),
                reason: "the register is still away".into(),
            },
            other => other,
        }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Some((told, job)) = self.0 {
            told.probed(job);
        }
    }
}
