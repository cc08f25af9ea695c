//! What every handler is given: pools, registers, files, and the list of what this process runs.
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use domain::fees::Memory;
use domain::ids::{BulkActionId, TenantId, WorkerId};
use domain::jobs::workers::Minute;
use domain::jobs::{Claimed, Ending, Queue};
use domain::metrics::Sheet;
use domain::movement::{Ended, Second};
use object_store::ObjectStore;
use sqlx::PgPool;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::gate::Gates;
use crate::mail::Mailer;
use crate::webhook::Webhooks;

pub struct Context {
    /// Under the login `jobs`; each transaction takes its scope.
    pub pool: PgPool,
    /// The same for tasks of one case: each statement is planned once a connection, since planning it cost more than running it.
    pub single: PgPool,
    /// Under the same login, with the role `queue` for the whole session: claims and put-backs in one round trip.
    pub queue: PgPool,
    pub worker: WorkerId,
    pub tarn: registers::tarn::Client,
    /// Each call to a register goes through its gate.
    pub gates: Gates,
    /// Uploaded files.
    pub store: Arc<dyn ObjectStore>,
    pub mailer: Mailer,
    pub webhooks: Webhooks,
    /// A suspect job runs alone: one such at a time.
    pub suspects: Semaphore,
    pub running: Running,
    pub minutes: Minutes,
    /// The process was told to end: nothing new is claimed.
    pub stopping: CancellationToken,
    /// The drain is over: what still runs is broken off and handed back.
    pub spent: CancellationToken,
    /// Fee tables and VAT rates, remembered for a moment.
    pub fees: Memory,
    started: Mutex<HashSet<BulkActionId>>,
    closing: Mutex<HashSet<BulkActionId>>,
}

impl Context {
    pub fn new(
        pool: PgPool,
        single: PgPool,
        queue: PgPool,
        worker: WorkerId,
        tarn: registers::tarn::Client,
        store: Arc<dyn ObjectStore>,
        (mailer, webhooks): (Mailer, Webhooks),
    ) -> Self {
        Self {
            pool,
            single,
            queue,
            worker,
            tarn,
            gates: Gates::default(),
            store,
            mailer,
            webhooks,
            suspects: Semaphore::new(1),
            running: Running::default(),
            minutes: Minutes::default(),
            stopping: CancellationToken::new(),
            spent: CancellationToken::new(),
            fees: Memory::default(),
            started: Mutex::default(),
            closing: Mutex::default(),
        }
    }

    /// Whether this process sees the action's first run: its start time is still to be set.
    pub fn is_first_of(&self, action: BulkActionId) -> bool {
        self.started
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(action)
    }

    /// Whether a look at the action's end is to be planned: false while one is planned already.
    pub fn plan_close(&self, action: BulkActionId) -> bool {
        self.closing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(action)
    }

    /// The planned look begins: what ends from now on plans another.
    pub fn begin_close(&self, action: BulkActionId) {
        self.closing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&action);
    }
}

/// The runs under way here, job and dispatch number: their leases are renewed together.
#[derive(Default)]
pub struct Running(Mutex<HashSet<(i64, i32)>>);

impl Running {
    /// Held while the jobs run; dropping it ends the renewals.
    pub fn hold<'a>(&'a self, claimed: &[Claimed]) -> Held<'a> {
        let runs: Vec<(i64, i32)> = claimed
            .iter()
            .map(|job| (job.id.0, job.dispatch_no))
            .collect();
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(&runs);
        Held {
            running: self,
            runs,
        }
    }

    pub fn ids(&self) -> Vec<i64> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .map(|(id, _)| *id)
            .collect()
    }
}

pub struct Held<'a> {
    running: &'a Running,
    runs: Vec<(i64, i32)>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut set = self
            .running
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for run in &self.runs {
            set.remove(run);
        }
    }
}

type Key = (Queue, &'static str, TenantId);

/// Finished work since the last flush to the rollup, and how runs ended since the start of this process.
#[derive(Default)]
pub struct Minutes {
    minutes: Mutex<HashMap<Key, Minute>>,
    moves: Mutex<HashMap<(BulkActionId, TenantId, i64), (i64, i64)>>,
    runs: Mutex<BTreeMap<(Queue, &'static str), u64>>,
}

impl Minutes {
    /// Notes a run that has just ended.
    pub fn add(&self, job: &Claimed, ending: &Ending) {
        let now = domain::clock::now();
        let run_ms = (now - job.started_at).num_milliseconds();
        self.count(job.kind.queue(), ending.state().as_str());
        if let Some(action) = job.bulk_action_id {
            let failed = i64::from(matches!(ending, Ending::Failed { .. }));
            self.moved(action, job.tenant_id, now.timestamp(), (1 - failed, failed));
        }
        let mut map = self.minutes.lock().unwrap_or_else(PoisonError::into_inner);
        let minute = map
            .entry((job.kind.queue(), job.kind.as_str(), job.tenant_id))
            .or_default();
        match ending {
            Ending::Ok => minute.ok += 1,
            Ending::Warning => minute.warning += 1,
            Ending::Failed { .. } => minute.failed += 1,
            Ending::Cancelled => minute.cancelled += 1,
        }
        let wait_ms = (job.started_at - job.due_at).num_milliseconds();
        minute.run_ms += run_ms.max(0);
        minute.wait_ms += wait_ms.max(0);
        minute.run_hist.add(run_ms);
        minute.wait_hist.add(wait_ms);
    }

    fn moved(&self, action: BulkActionId, tenant: TenantId, second: i64, more: (i64, i64)) {
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = moves.entry((action, tenant, second)).or_default();
        *ended = (ended.0 + more.0, ended.1 + more.1);
    }

    /// What ended of bulk actions since the last look.
    pub fn take_moves(&self) -> Vec<Ended> {
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = moves
            .drain()
            .filter_map(|((action, tenant, second), (done, failed))| {
                let at = chrono::DateTime::from_timestamp(second, 0)?;
                Some((action, tenant, Second { at, done, failed }))
            });
        ended.collect()
    }

    /// What was taken and could not be written.
    pub fn put_moves_back(&self, unwritten: Vec<Ended>) {
        for (action, tenant, ended) in unwritten {
            self.moved(
                action,
                tenant,
                ended.at.timestamp(),
                (ended.done, ended.failed),
            );
        }
    }

    /// Counts the end of a run; `retry` and `released` do not end the job.
    pub fn count(&self, queue: Queue, outcome: &'static str) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        *runs.entry((queue, outcome)).or_default() += 1;
    }

    /// Runs by queue and outcome.
    pub fn show(&self, sheet: &mut Sheet) {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = runs.iter().map(|((queue, outcome), count)| {
            let labels = [("queue", queue.as_str()), ("outcome", *outcome)];
            (labels, *count as f64)
        });
        let help = "Runs that ended here; retry and released do not end the job";
        sheet.counters("job_runs", help, rows);
    }

    pub fn take(&self) -> Vec<(Key, Minute)> {
        self.minutes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain()
            .collect()
    }

    /// What was taken and could not be written.
    pub fn put_back(&self, unwritten: Vec<(Key, Minute)>) {
        let mut map = self.minutes.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, part) in unwritten {
            let minute = map.entry(key).or_default();
            minute.ok += part.ok;
            minute.warning += part.warning;
            minute.failed += part.failed;
            minute.cancelled += part.cancelled;
            minute.run_ms += part.run_ms;
            minute.wait_ms += part.wait_ms;
            minute.run_hist.merge(&part.run_hist);
            minute.wait_hist.merge(&part.wait_hist);
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::JobId;
    use domain::jobs::Kind;

    use super::*;

    #[test]
    fn a_later_run_of_a_job_is_renewed_when_an_earlier_one_ends() {
        let running = Running::default();
        let earlier = running.hold(&[claimed(7, 1)]);
        let later = running.hold(&[claimed(7, 2)]);
        drop(earlier);
        assert_eq!(running.ids(), [7]);
        drop(later);
        assert!(running.ids().is_empty());
    }

    fn claimed(id: i64, dispatch_no: i32) -> Claimed {
        let now = domain::clock::now();
        Claimed {
            id: JobId(id),
            dispatch_no,
            run: dispatch_no,
            kind: Kind::Probe,
            tenant_id: TenantId(1),
            case_id: None,
            bulk_action_id: None,
            args: None,
            created_by: None,
            request_id: None,
            started_at: now,
            due_at: now,
            created_at: now,
            failures: 0,
            suspect: false,
        }
    }

    #[test]
    fn figures_that_could_not_be_written_are_added_to_later_ones() {
        let minutes = Minutes::default();
        let key = (Queue::Bulk, "x", TenantId(1));
        let minute = Minute {
            ok: 1,
            warning: 2,
            failed: 3,
            cancelled: 4,
            run_ms: 5,
            wait_ms: 6,
            ..Minute::default()
        };
        minutes.put_back(vec![(key, minute)]);
        let taken = minutes.take();
        assert!(minutes.take().is_empty());
        minutes.put_back(taken.clone());
        minutes.put_back(taken);
        let twice = minutes.take();
        let [(_, sum)] = twice.as_slice() else {
            panic!("{twice:?}")
        };
        let sums = (
            sum.ok,
            sum.warning,
            sum.failed,
            sum.cancelled,
            sum.run_ms,
            sum.wait_ms,
        );
        assert_eq!(sums, (2, 4, 6, 8, 10, 12));
    }
}
