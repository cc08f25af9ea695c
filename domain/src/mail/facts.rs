//! What notices keep of their events, as they were then: a mail that is sent hours later tells the same.
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

/// Facts as they are stored.
pub(crate) fn value(facts: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(facts).expect("facts have only text keys")
}

/// A run of a bulk action ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BulkActionFacts {
    pub id: i64,
    /// The type's number.
    #[serde(rename = "type")]
    pub kind: i16,
    /// The result's number.
    pub status: i16,
    pub run: i32,
    pub ordered_by: String,
    pub ok: i64,
    pub warning: i64,
    pub failed: i64,
    pub cancelled: i64,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: DateTime<Utc>,
}

impl BulkActionFacts {
    pub fn total(&self) -> i64 {
        self.ok + self.warning + self.failed + self.cancelled
    }
}

/// An import ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportFacts {
    pub id: i64,
    pub status: i16,
    pub file_name: String,
    pub rows: Option<i32>,
    pub added: i32,
    pub updated: i32,
    pub unchanged: i32,
    pub errors: i32,
    pub warnings: i32,
    /// Why it failed as a whole.
    pub message: Option<String>,
    pub finished_at: DateTime<Utc>,
}

/// An operator action ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperatorActionFacts {
    pub id: i64,
    /// retry or cancel.
    pub kind: String,
    pub status: i16,
    pub ordered_by: String,
    pub total: i64,
    pub done: i64,
    pub failed: i64,
    pub skipped: i64,
    pub finished_at: DateTime<Utc>,
}

/// An alert fired, or is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AlertFacts {
    /// As in `alerts::Subject`, with the queue, register or cron that it is of; none: any.
    pub measure: String,
    #[serde(default)]
    pub subject: Option<String>,
    /// A bureau's code.
    #[serde(default)]
    pub bureau: Option<String>,
    /// The highest that was measured, in the measure's unit: minutes, per cent, jobs, or 1.
    pub value: i64,
    pub threshold: i64,
    /// For how long it had to hold.
    pub minutes: i64,
    pub at: DateTime<Utc>,
    /// When it fired, of one that is over.
    #[serde(default)]
    pub since: Option<DateTime<Utc>>,
    /// The console's page that shows what is wrong, from `/` on.
    pub path: String,
}

/// What ended on one day, of the bureaus of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DayFacts {
    pub day: NaiveDate,
    /// Names of the bureaus; none: over all.
    pub bureaus: Vec<String>,
    pub bulk_actions: Vec<Ended>,
    pub imports: Vec<Ended>,
    pub operator_actions: Vec<Ended>,
    pub failed_jobs: i64,
    /// The most frequent ones.
    pub errors: Vec<ErrorCount>,
}

/// How many ended with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    pub status: i16,
    pub count: i64,
}

/// Failed jobs with the same error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCount {
    /// The group's, for its page.
    pub key: String,
    pub words: String,
    pub count: i64,
}
