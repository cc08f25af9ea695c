//! The table of crons. The next one is a line here and its kind of job.
use chrono::TimeDelta;

use crate::jobs::Kind;

/// A job that is due by the clock of Estonia.
#[derive(Debug, Clone, Copy)]
pub struct Cron {
    /// On the wire; never used for another.
    pub id: i64,
    pub name: &'static str,
    /// As [`super::schedule::Schedule`] reads it.
    pub schedule: &'static str,
    pub kind: Kind,
    pub overlap: Overlap,
    pub catch_up: CatchUp,
}

/// What happens when it is due while its last job has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Overlap {
    Skip,
    Queue,
}

/// What happens to due times that passed while nothing could fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatchUp {
    /// Nothing that is older than [`super::LATE`].
    None,
    /// The last one.
    Last,
    /// Each that is not older.
    All(TimeDelta),
}

impl CatchUp {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Last => "last",
            Self::All(_) => "all",
        }
    }
}

pub const TABLE: [Cron; 5] = [
    Cron {
        id: 1,
        name: "reconcile-case-list",
        schedule: "15 4 * * *",
        kind: Kind::ReconcileCaseList,
        overlap: Overlap::Skip,
        catch_up: CatchUp::Last,
    },
    Cron {
        id: 2,
        name: "expire-sessions",
        schedule: "5,20,35,50 * * * *",
        kind: Kind::ExpireSessions,
        overlap: Overlap::Skip,
        catch_up: CatchUp::None,
    },
    Cron {
        id: 3,
        name: "archive-tasks",
        schedule: "40 1 * * *",
        kind: Kind::ArchiveTasks,
        overlap: Overlap::Skip,
        catch_up: CatchUp::Last,
    },
    Cron {
        id: 4,
        name: "evaluate-alerts",
        schedule: "* * * * *",
        kind: Kind::EvaluateAlerts,
        overlap: Overlap::Skip,
        catch_up: CatchUp::None,
    },
    Cron {
        id: 5,
        name: "send-daily-digests",
        schedule: "30 7 * * *",
        kind: Kind::SendDailyDigests,
        overlap: Overlap::Skip,
        catch_up: CatchUp::Last,
    },
];

/// For the rig that kills schedulers: one of each second, and one on the hour that changes twice a year.
pub const RIG: [Cron; 2] = [
    Cron {
        id: 901,
        name: "probe-every-second",
        schedule: "* * * * * *",
        kind: Kind::Probe,
        overlap: Overlap::Queue,
        catch_up: CatchUp::All(TimeDelta::days(4)),
    },
    Cron {
        id: 902,
        name: "probe-half-past-three",
        schedule: "30 3 * * *",
        kind: Kind::Probe,
        overlap: Overlap::Queue,
        catch_up: CatchUp::All(TimeDelta::days(4)),
    },
];
