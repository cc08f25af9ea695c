//! What an operator does to every job that matches a filter: the set is frozen at the click, worked off step by step by the
//! leading worker process, and each job of it ends as done, failed or skipped with a reason.
mod act;
mod freeze;
mod step;
mod tell;
mod view;

pub use act::{pause, resume, set_pace, stop};
pub use freeze::{Order, Preview, child, order, preview};
pub use step::{CHUNK, Step, open, settle, step};
pub use view::{Item, ItemFilter, OperatorAction, find, items, list, rights, stall};

use crate::jobs::acts::UNKNOWN_OUTCOME;

/// What is done to each job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Retry,
    Cancel,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Cancel => "cancel",
        }
    }

    fn parse(name: &str) -> Self {
        if name == "cancel" {
            Self::Cancel
        } else {
            Self::Retry
        }
    }
}

/// How an item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemState {
    Waiting,
    /// The job was queued again, or asked to end; how it ends is not known yet.
    Sent,
    Done,
    Failed,
    Skipped,
}

impl ItemState {
    pub const ALL: [Self; 5] = [
        Self::Waiting,
        Self::Sent,
        Self::Done,
        Self::Failed,
        Self::Skipped,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    fn parse(name: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|state| state.as_str() == name)
            .unwrap_or(Self::Waiting)
    }
}

/// Why a job is left alone or did not come to its end; stable words.
pub(crate) mod reason {
    pub const LIVE: &str = "live";
    pub const OK: &str = "ok";
    pub const ENDED: &str = "ended";
    pub const RUNNING: &str = "running";
    pub const GONE: &str = "gone";
    pub const CANCELLED: &str = "cancelled";
    pub const ACTION_CANCELLED: &str = "action_cancelled";
    pub const OTHERS: &str = "others";
    pub const ALREADY_QUEUED: &str = "already_queued";
    pub const STOPPED: &str = "stopped";
}

/// What the user reads for a reason; another word is an error's code.
pub fn reason_text(word: &str) -> String {
    let (unknown, text) = UNKNOWN_OUTCOME;
    let said = match word {
        reason::LIVE => "Töö on juba järjekorras või töös.",
        reason::OK => "Töö on juba õnnestunud.",
        reason::ENDED => "Töö on juba lõppenud.",
        reason::RUNNING => "Töö juba käib ja seda liiki tööd ei saa poole pealt katkestada.",
        reason::GONE => "Tööd ei ole enam.",
        reason::CANCELLED => "Töö katkestati.",
        reason::ACTION_CANCELLED => "Masstegevus on katkestatud.",
        reason::OTHERS => crate::bulk_actions::OTHERS,
        reason::ALREADY_QUEUED => "Sama töö on juba järjekorras.",
        reason::STOPPED => "Tegevus peatati enne selle tööni jõudmist.",
        word if word == unknown => return format!("Tööd ei saa korrata: {text}."),
        word => return format!("Töö ebaõnnestus uuesti ({word})."),
    };
    said.to_owned()
}
