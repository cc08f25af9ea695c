//! The kinds of jobs and the queues that they wait in; queues are named by the scarce thing.
use serde::{Deserialize, Serialize};

use crate::registers;

/// What a job waits for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type,
)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "job_queue", rename_all = "lowercase")]
pub enum Queue {
    /// A person waits for the answer.
    Interactive,
    /// Tasks that touch only our own database.
    Bulk,
    Register,
    Arrest,
    Import,
    Mail,
    Cron,
}

impl Queue {
    pub const ALL: [Self; 7] = [
        Self::Interactive,
        Self::Bulk,
        Self::Register,
        Self::Arrest,
        Self::Import,
        Self::Mail,
        Self::Cron,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Bulk => "bulk",
            Self::Register => "register",
            Self::Arrest => "arrest",
            Self::Import => "import",
            Self::Mail => "mail",
            Self::Cron => "cron",
        }
    }

    /// How many transient failures end a job as failed; mail instead gives up by age.
    pub fn failure_limit(self) -> i16 {
        match self {
            Self::Interactive => 1,
            Self::Import => 2,
            Self::Cron => 3,
            Self::Bulk => 5,
            Self::Register | Self::Arrest => 12,
            Self::Mail => i16::MAX,
        }
    }
}

/// What a job does. The name is stored on the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Does nothing; its way through the queue is the latency figure.
    Probe,
    /// Touches a case and writes its log: the bare pipeline, for the benchmark.
    TouchCase,
    SetStartFee,
    ComputeIssuerFee,
    SyncToRegister,
    ImportCases,
    /// Rebuilds the list rows that differ from their cases; there should be none.
    ReconcileCaseList,
    /// Deletes what is left of sessions that are over.
    ExpireSessions,
    /// Moves old tasks of bulk actions to the archive.
    ArchiveTasks,
    /// Compares the rules of alerts with the figures of the last minutes.
    EvaluateAlerts,
    SendMail,
    SendWebhook,
    SendDailyDigests,
}

impl Kind {
    pub const ALL: [Self; 13] = [
        Self::Probe,
        Self::TouchCase,
        Self::SetStartFee,
        Self::ComputeIssuerFee,
        Self::SyncToRegister,
        Self::ImportCases,
        Self::ReconcileCaseList,
        Self::ExpireSessions,
        Self::ArchiveTasks,
        Self::EvaluateAlerts,
        Self::SendMail,
        Self::SendWebhook,
        Self::SendDailyDigests,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Probe => "Probe",
            Self::TouchCase => "TouchCase",
            Self::SetStartFee => "SetStartFee",
            Self::ComputeIssuerFee => "ComputeIssuerFee",
            Self::SyncToRegister => "SyncToRegister",
            Self::ImportCases => "ImportCases",
            Self::ReconcileCaseList => "ReconcileCaseList",
            Self::ExpireSessions => "ExpireSessions",
            Self::ArchiveTasks => "ArchiveTasks",
            Self::EvaluateAlerts => "EvaluateAlerts",
            Self::SendMail => "SendMail",
            Self::SendWebhook => "SendWebhook",
            Self::SendDailyDigests => "SendDailyDigests",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    pub fn queue(self) -> Queue {
        match self {
            Self::Probe => Queue::Interactive,
            Self::TouchCase | Self::SetStartFee | Self::ComputeIssuerFee => Queue::Bulk,
            Self::SyncToRegister => Queue::Register,
            Self::ImportCases => Queue::Import,
            Self::ReconcileCaseList
            | Self::ExpireSessions
            | Self::ArchiveTasks
            | Self::EvaluateAlerts
            | Self::SendDailyDigests => Queue::Cron,
            Self::SendMail | Self::SendWebhook => Queue::Mail,
        }
    }

    /// The register that it calls, whose breaker and rate it waits for.
    pub fn register(self) -> Option<&'static str> {
        match self {
            Self::SyncToRegister => Some(registers::TARN),
            Self::Probe
            | Self::TouchCase
            | Self::SetStartFee
            | Self::ComputeIssuerFee
            | Self::ImportCases
            | Self::ReconcileCaseList
            | Self::ExpireSessions
            | Self::ArchiveTasks
            | Self::EvaluateAlerts
            | Self::SendMail
            | Self::SendWebhook
            | Self::SendDailyDigests => None,
        }
    }

    /// Whether jobs of one action are worked on in lists of up to [`super::CHUNK`], one transaction a list.
    pub fn is_chunked(self) -> bool {
        self.queue() == Queue::Bulk
    }
}
