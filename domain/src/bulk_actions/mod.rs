//! Bulk actions: one act over every case that matches a filter, one job a case, seen to its end.
mod act;
mod chunk;
mod close;
mod counts;
mod decide;
mod history;
mod kinds;
mod launch;
mod preview;
mod retry;
mod rights;
pub mod sync;
mod tasks;

pub use crate::actor::{Allowed, Person};
pub use act::{Pace, cancel, confirm_failed, confirm_success, mark_done, pause, resume, set_pace};
pub(crate) use act::{follow_rows, lock as lock_to_steer};
pub use chunk::{Chunk, ChunkAction, ChunkCase, FeeChange, GONE, HAS_PROBLEM, load, write_fees};
pub use close::{close_finished, sweep};
pub use counts::{Counter, Counts, count};
pub use decide::{Decision, Fee, issuer_fee, start_fee};
pub use history::{Action, Day, by_date, find, of_date};
pub use kinds::{Args, Type};
pub(crate) use launch::moved;
pub use launch::{Frozen, Launch, child, create, freeze};
pub use preview::{Preview, preview};
pub use retry::{Retried, retry, retry_task};
pub(crate) use rights::{CANCELLED, OTHERS};
pub use rights::{action_rights, scope_to_act, task_rights};
pub use tasks::{Task, TaskFilter, find_task, tasks, tasks_after, unfinished_task};

/// Of an action and, folded, of its tasks. Source: spec 2 § 4.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type)]
#[repr(i16)]
pub enum Status {
    InProgress = 1,
    Ok = 2,
    Failed = 3,
    Cancelled = 4,
    Warning = 5,
}

impl Status {
    pub const ALL: [Self; 5] = [
        Self::InProgress,
        Self::Ok,
        Self::Failed,
        Self::Cancelled,
        Self::Warning,
    ];

    /// The number that is stored and sent.
    pub fn number(self) -> i16 {
        self as i16
    }

    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|status| i64::from(status.number()) == number)
    }

    /// What the user reads.
    pub fn label(self) -> &'static str {
        match self {
            Self::InProgress => "töös",
            Self::Ok => "õnnestunud",
            Self::Failed => "ebaõnnestunud",
            Self::Cancelled => "katkestatud",
            Self::Warning => "hoiatusega",
        }
    }

    /// The states of tasks that show as this.
    pub fn states(self) -> &'static [crate::jobs::State] {
        use crate::jobs::State;
        match self {
            Self::InProgress => &[State::Queued, State::Dispatched, State::Running],
            Self::Ok => &[State::Ok],
            Self::Failed => &[State::Failed],
            Self::Cancelled => &[State::Cancelled],
            Self::Warning => &[State::Warning],
        }
    }
}

/// Cases or tasks that are left alone, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Stable word.
    pub reason: &'static str,
    /// What the user reads.
    pub text: String,
    pub count: i64,
}

/// What a failed task without a word of its own shows. Source: spec 2 § 2.5.
pub const NO_OUTPUT: &str = "Alamtegevus ebaõnnestus.";
