//! The last calls that came, in a ring.

use std::collections::VecDeque;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

/// One call as the control calls show it; no personal data.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    pub at: DateTime<Utc>,
    pub operation: Box<str>,
    pub message_id: Option<Uuid>,
    pub number: Box<str>,
    pub issue: Box<str>,
    /// What the script did to it.
    pub act: Option<Box<str>>,
    /// accepted, again, read, refused or invalid.
    pub outcome: &'static str,
    /// As its `traceparent` named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Uuid>,
}

pub struct Requests {
    ring: VecDeque<Entry>,
    total: u64,
    cap: usize,
}

impl Requests {
    pub fn new(cap: usize) -> Self {
        Self {
            ring: VecDeque::new(),
            total: 0,
            cap: cap.max(1),
        }
    }

    pub fn push(&mut self, entry: Entry) {
        self.total += 1;
        self.ring.push_back(entry);
        if self.ring.len() > self.cap {
            self.ring.pop_front();
        }
    }

    /// How many calls came in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The newest `limit` calls, oldest first.
    pub fn last(&self, limit: usize) -> Vec<Entry> {
        let skip = self.ring.len().saturating_sub(limit);
        self.ring.iter().skip(skip).cloned().collect()
    }
}
