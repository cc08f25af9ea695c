//! The overview as it goes over the wire.
use std::collections::BTreeMap;

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use domain::Actor;
use domain::bureaus::BureauName;
use domain::jobs::pauses::{self, Pause};
use domain::jobs::workers::{Life, Worker};
use domain::jobs::{Kind, Queue};
use domain::queues::{Count, KindState, Percentiles, Point, State};
use domain::registers::{self, Register};
use serde::Serialize;
use utoipa::ToSchema;

use crate::collection::{AllowedAction, Resource};
use crate::error_groups::ErrorGroupAnswer;
use crate::jobs::wire::CountAnswer;
use crate::pauses::PauseAnswer;
use crate::who::{BureauNameAnswer, allowed};

#[derive(Debug, Serialize, ToSchema)]
pub struct LivesAnswer {
    pub alive: usize,
    pub doubtful: usize,
    pub lost: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MinutesAnswer {
    from: DateTime<Utc>,
    done: Vec<i64>,
    failed: Vec<i64>,
}

/// A queue now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueAnswer {
    #[schema(value_type = String)]
    pub name: Queue,
    /// Worst first: no_workers, register_down, stuck, paused, working, ok.
    pub state: &'static str,
    /// Queued, and on the way to a worker.
    pub waiting: CountAnswer,
    /// Of these, those that wait for another try.
    pub retrying: CountAnswer,
    pub running: i64,
    pub failed24h: CountAnswer,
    pub oldest_due_at: Option<DateTime<Utc>>,
    /// Mean of the last five full minutes.
    pub done_per_minute: f64,
    pub failed_per_minute: f64,
    /// At the present rate; null: it does not drain.
    pub drain_seconds: Option<i64>,
    pub mean_wait_ms: Option<i64>,
    pub mean_run_ms: Option<i64>,
    /// The last 60 full minutes, oldest first.
    pub minutes: MinutesAnswer,
    /// Jobs at once by the processes that live.
    pub concurrency: i64,
    pub workers: LivesAnswer,
    pub last_lost_seen_at: Option<DateTime<Utc>>,
    /// Bulk actions with tasks that wait here.
    pub bulk_actions: i64,
    /// Bureaus with jobs that wait here.
    pub bureaus: i64,
    /// The register that does not answer, where the state is register_down.
    pub register: Option<String>,
    /// Of the whole queue.
    pub pause: Option<PauseAnswer>,
    pub allowed_actions: Vec<AllowedAction>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisterAnswer {
    pub name: String,
    /// closed: it answers. open: one probe each 15 s. recovering: it answers, the rate still rises.
    pub state: &'static str,
    pub opened_at: Option<DateTime<Utc>>,
    pub next_probe_at: Option<DateTime<Utc>>,
    pub probes: i32,
    pub last_error: Option<String>,
    pub last_error_at: Option<DateTime<Utc>>,
    pub last_ok_at: Option<DateTime<Utc>>,
    pub rate_per_second: i32,
    pub allowed_per_second: i32,
    /// Over the last five minutes, as calls and failures.
    pub mean_ms: Option<i64>,
    pub calls: i64,
    pub failures: i64,
    pub waiting: CountAnswer,
    pub waiting_bureaus: i64,
    pub allowed_actions: Vec<AllowedAction>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerAnswer {
    id: i64,
    name: String,
    host: String,
    pid: i32,
    #[schema(value_type = String)]
    state: Life,
    /// Jobs at once, by queue.
    concurrency: BTreeMap<&'static str, i64>,
    running: i64,
    started_at: DateTime<Utc>,
    seen_at: DateTime<Utc>,
    stopped_at: Option<DateTime<Utc>>,
}

impl Resource for WorkerAnswer {
    const TYPE: &'static str = "Worker";
    const PATH: &'static str = "/v2/workers";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl WorkerAnswer {
    pub fn new(worker: &Worker) -> Self {
        Self {
            id: worker.id.0,
            name: worker.name.clone(),
            host: worker.host.clone(),
            pid: worker.pid,
            state: worker.life,
            concurrency: worker
                .concurrency
                .iter()
                .map(|(queue, most)| (queue.as_str(), *most))
                .collect(),
            running: worker.running,
            started_at: worker.started_at,
            seen_at: worker.seen_at,
            stopped_at: worker.stopped_at,
        }
    }

    /// One that lives is seen every five seconds: told so exactly, the overview would never stay the same.
    pub fn to_the_minute(worker: &Worker) -> Self {
        let mut answer = Self::new(worker);
        if worker.life == Life::Alive {
            answer.seen_at = minute(worker.seen_at);
        }
        answer
    }
}

fn minute(at: DateTime<Utc>) -> DateTime<Utc> {
    at.duration_trunc(TimeDelta::minutes(1)).unwrap_or(at)
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkersAnswer {
    pub alive: usize,
    pub doubtful: usize,
    pub lost: usize,
    pub doubtful_after_seconds: i64,
    pub lost_after_seconds: i64,
    /// Empty for a bailiff.
    pub member: Vec<WorkerAnswer>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorsAnswer {
    pub total: CountAnswer,
    pub member: Vec<ErrorGroupAnswer>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OverviewAnswer {
    pub queues: Vec<QueueAnswer>,
    pub registers: Vec<RegisterAnswer>,
    pub workers: WorkersAnswer,
    /// In force.
    pub pauses: Vec<PauseAnswer>,
    /// Of the last 24 hours, six groups at most.
    pub errors: ErrorsAnswer,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct KindAnswer {
    kind: String,
    waiting: CountAnswer,
    running: i64,
    failed24h: CountAnswer,
}

impl KindAnswer {
    /// Every kind of the queue, also those of which nothing waits.
    pub fn all(queue: Queue, states: &[KindState], failed: &[(String, Count)]) -> Vec<Self> {
        let known = Kind::ALL
            .into_iter()
            .filter(|kind| kind.queue() == queue)
            .map(Kind::as_str);
        let mut kinds: Vec<&str> = known.collect();
        let others = states
            .iter()
            .map(|state| state.kind.as_str())
            .chain(failed.iter().map(|(kind, _)| kind.as_str()));
        for kind in others {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let answers = kinds.into_iter().map(|kind| {
            let state = states.iter().find(|state| state.kind == kind);
            let failed = failed
                .iter()
                .find(|(known, _)| known == kind)
                .map_or(Count::Exact(0), |(_, failed)| *failed);
            Self {
                kind: kind.to_owned(),
                waiting: state.map_or(Count::Exact(0), |state| state.waiting).into(),
                running: state.map_or(0, |state| state.running),
                failed24h: failed.into(),
            }
        });
        answers.collect()
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingBureauAnswer {
    bureau: BureauNameAnswer,
    waiting: CountAnswer,
}

impl From<&(BureauName, Count)> for WaitingBureauAnswer {
    fn from((bureau, waiting): &(BureauName, Count)) -> Self {
        Self {
            bureau: bureau.into(),
            waiting: (*waiting).into(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueDetailAnswer {
    #[serde(flatten)]
    pub queue: QueueAnswer,
    pub kinds: Vec<KindAnswer>,
    /// Most first, at most 20.
    pub waiting_bureaus: Vec<WaitingBureauAnswer>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointAnswer {
    at: DateTime<Utc>,
    ok: i64,
    warning: i64,
    failed: i64,
    cancelled: i64,
    waiting: Option<i64>,
    wait_p50_ms: Option<i64>,
    wait_p95_ms: Option<i64>,
    run_p50_ms: Option<i64>,
    run_p95_ms: Option<i64>,
}

impl From<&Point> for PointAnswer {
    fn from(point: &Point) -> Self {
        let (
            Percentiles {
                p50_ms: wait_p50_ms,
                p95_ms: wait_p95_ms,
            },
            Percentiles {
                p50_ms: run_p50_ms,
                p95_ms: run_p95_ms,
            },
        ) = (point.wait, point.run);
        Self {
            at: point.at,
            ok: point.ok,
            warning: point.warning,
            failed: point.failed,
            cancelled: point.cancelled,
            waiting: point.waiting,
            wait_p50_ms,
            wait_p95_ms,
            run_p50_ms,
            run_p95_ms,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeriesAnswer {
    #[schema(value_type = String)]
    pub queue: Queue,
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    pub step_seconds: i64,
    pub points: Vec<PointAnswer>,
}

/// What was read for an overview.
pub struct Seen<'a> {
    pub actor: &'a Actor,
    pub now: DateTime<Utc>,
    pub states: Vec<State>,
    pub workers: Vec<Worker>,
    pub pauses: Vec<Pause>,
    pub registers: Vec<Register>,
}

/// A queue with a job due for so long and nothing done lately is stuck.
const STUCK: TimeDelta = TimeDelta::minutes(2);

impl Seen<'_> {
    /// Worst first, then the fullest.
    pub fn queues(&self) -> Vec<QueueAnswer> {
        let mut queues: Vec<_> = self.states.iter().map(|state| self.queue(state)).collect();
        queues.sort_by_key(|queue| (rank(queue.state), std::cmp::Reverse(queue.waiting.value())));
        queues
    }

    pub fn queue(&self, state: &State) -> QueueAnswer {
        let takes = |worker: &&Worker| {
            worker.life != Life::Stopped
                && worker
                    .concurrency
                    .iter()
                    .any(|(queue, most)| *queue == state.queue && *most > 0)
        };
        let mine: Vec<&Worker> = self.workers.iter().filter(takes).collect();
        let of = |life: Life| mine.iter().filter(|worker| worker.life == life).count();
        let works = mine
            .iter()
            .filter(|worker| matches!(worker.life, Life::Alive | Life::Doubtful));
        let slots = works
            .flat_map(|worker| &worker.concurrency)
            .filter(|(queue, _)| *queue == state.queue);
        let lost = mine.iter().filter(|worker| worker.life == Life::Lost);
        let pause = self
            .pauses
            .iter()
            .find(|pause| pause.queue == Some(state.queue));
        let register = self.registers.iter().find(|register| {
            register.is_open()
                && Kind::ALL.iter().any(|kind| {
                    kind.queue() == state.queue && kind.register() == Some(register.name.as_str())
                })
        });
        let lives = LivesAnswer {
            alive: of(Life::Alive),
            doubtful: of(Life::Doubtful),
            lost: of(Life::Lost),
        };
        let due_for = state.oldest_due_at.map(|at| self.now - at);
        let nobody = lives.alive + lives.doubtful == 0;
        let word = match () {
            () if nobody => "no_workers",
            () if register.is_some() => "register_down",
            () if pause.is_some() => "paused",
            // What a pause holds, of an action, a kind or a bureau, is not stuck.
            () if state.oldest_free_at.is_some_and(|at| self.now - at > STUCK)
                && state.running == 0
                && state.done_per_minute() == 0.0
                && state.failed_per_minute() == 0.0 =>
            {
                "stuck"
            }
            () if state.running > 0 || due_for.is_some() => "working",
            () => "ok",
        };
        QueueAnswer {
            name: state.queue,
            state: word,
            waiting: state.waiting.into(),
            retrying: state.retrying.into(),
            running: state.running,
            failed24h: state.failed_24h.into(),
            oldest_due_at: state.oldest_due_at,
            done_per_minute: state.done_per_minute(),
            failed_per_minute: state.failed_per_minute(),
            drain_seconds: state.drain_seconds(),
            mean_wait_ms: state.mean_wait_ms,
            mean_run_ms: state.mean_run_ms,
            minutes: MinutesAnswer {
                from: state.hour.from,
                done: state.hour.done.clone(),
                failed: state.hour.failed.clone(),
            },
            concurrency: slots.map(|(_, most)| most).sum(),
            last_lost_seen_at: lost.map(|worker| worker.seen_at).max(),
            workers: lives,
            bulk_actions: state.actions,
            bureaus: state.bureaus,
            register: register.map(|register| register.name.clone()),
            pause: pause.map(|pause| PauseAnswer::new(self.actor, pause)),
            allowed_actions: allowed(vec![pauses::pause_right(self.actor)]),
        }
    }

    pub fn registers(&self) -> Vec<RegisterAnswer> {
        self.registers
            .iter()
            .map(|register| self.register(register))
            .collect()
    }

    fn register(&self, register: &Register) -> RegisterAnswer {
        // All of a register's kinds wait in one queue of their own.
        let queue = Kind::ALL
            .into_iter()
            .find(|kind| kind.register() == Some(register.name.as_str()))
            .map(Kind::queue);
        let state = self.states.iter().find(|state| Some(state.queue) == queue);
        let probe = registers::probe_right(self.actor, register);
        RegisterAnswer {
            name: register.name.clone(),
            state: register.state.as_str(),
            opened_at: register.opened_at,
            next_probe_at: register.next_probe_at,
            probes: register.probes,
            last_error: register.last_error.clone(),
            last_error_at: register.last_error_at,
            last_ok_at: register.last_ok_at.map(minute),
            rate_per_second: register.rate_per_second,
            allowed_per_second: register.allowed_per_second,
            mean_ms: register.mean_ms,
            calls: register.calls,
            failures: register.failures,
            waiting: state.map_or(Count::Exact(0), |state| state.waiting).into(),
            waiting_bureaus: state.map_or(0, |state| state.bureaus),
            allowed_actions: allowed(vec![probe]),
        }
    }
}

fn rank(state: &str) -> usize {
    [
        "no_workers",
        "register_down",
        "stuck",
        "paused",
        "working",
        "ok",
    ]
    .iter()
    .position(|known| *known == state)
    .unwrap_or_default()
}
