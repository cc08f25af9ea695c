//! The append-only log of accepted effects: the judge of duplicates. Kept in memory up to a bound, and whole in a file where one is named.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::proceedings::Proceeding;

/// One accepted effect; its key is message id, operation and case number.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Effect {
    pub seq: u64,
    pub at: DateTime<Utc>,
    pub message_id: Uuid,
    pub issue: String,
    pub operation: String,
    pub number: String,
    /// Of the content of the request element, in hexadecimal, so that the same order under two ids shows.
    pub body_hash: String,
    /// How often the same effect came: 1 and a re-send under the same id make 2.
    pub count: u32,
    /// The trace that the first call named in its `traceparent`: 32 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// An effect as it is kept: its place gives its sequence number, equal texts share their memory.
struct Kept {
    at: DateTime<Utc>,
    message_id: Uuid,
    issue: Arc<str>,
    operation: Arc<str>,
    number: Arc<str>,
    body_hash: u64,
    count: u32,
    trace: Option<Uuid>,
}

/// What is to be accepted.
pub struct Order<'a> {
    pub at: DateTime<Utc>,
    pub message_id: Uuid,
    pub issue: &'a str,
    pub operation: &'a str,
    pub number: Arc<str>,
    pub body_hash: u64,
    pub trace: Option<Uuid>,
    pub proceeding: &'a Proceeding,
}

/// The effects of a stretch of the log, counted.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Summary {
    /// Distinct effects accepted.
    pub accepted: u64,
    /// Re-sends under a known message id, answered without a second effect.
    pub repeats: u64,
    /// Acceptances after the first of the same operation, number, issue and content under another message id.
    pub duplicates: u64,
    /// Distinct case numbers.
    pub numbers: u64,
    /// A message id that came again with another number or operation: always a fault of the caller.
    pub reused_ids: u64,
    /// Effects no longer in memory, since the numbering began; the file has them.
    pub dropped: u64,
    /// The last sequence number, to start the next stretch after.
    pub last_seq: u64,
    /// Up to twenty effects that `duplicates` counts.
    pub examples: Vec<Effect>,
}

/// Which part of the log is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// Only effects after this sequence number.
    pub after: Option<u64>,
    pub since: Option<DateTime<Utc>>,
    pub number: Option<String>,
    pub issue: Option<String>,
    pub message_id: Option<Uuid>,
    pub limit: Option<usize>,
    pub summary: Option<u8>,
}

/// Whether an order had been accepted before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    New,
    Again,
}

/// One line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Effect {
        effect: Box<Effect>,
        proceeding: Proceeding,
    },
    Again {
        seq: u64,
    },
}

pub struct Effects {
    entries: VecDeque<Kept>,
    /// The sequence number of the first entry; there are no gaps.
    first_seq: u64,
    by_message: HashMap<Uuid, u64>,
    operations: Vec<Arc<str>>,
    reused_ids: u64,
    cap: usize,
    file: Option<File>,
}

impl Effects {
    pub fn new(cap: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            first_seq: 1,
            by_message: HashMap::new(),
            operations: Vec::new(),
            reused_ids: 0,
            cap: cap.max(1),
            file: None,
        }
    }

    /// Loads a file into memory, giving each proceeding to `replay` for its number, and appends to it from then on.
    pub fn open(
        cap: usize,
        path: &Path,
        mut replay: impl FnMut(&str, Proceeding) -> Arc<str>,
    ) -> io::Result<Self> {
        let mut effects = Self::new(cap);
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let mut reader = BufReader::new(&file);
        let mut bytes = Vec::new();
        let mut whole = true;
        while reader.read_until(b'\n', &mut bytes)? > 0 {
            whole = bytes.ends_with(b"\n");
            match serde_json::from_slice(&bytes) {
                Ok(Line::Effect { effect, proceeding }) => {
                    let number = replay(&effect.number, proceeding);
                    effects.load(*effect, number);
                }
                Ok(Line::Again { seq }) => effects.count_again(seq),
                // Half a line is what a kill leaves: its caller never had an answer.
                Err(error) => tracing::warn!(%error, "skipped a line of the effects file"),
            }
            bytes.clear();
        }
        if !whole {
            file.write_all(b"\n")?;
        }
        effects.file = Some(file);
        Ok(effects)
    }

    /// Records an accepted order unless its key is known; written to the file before the caller can answer.
    pub fn accept(&mut self, order: Order<'_>) -> io::Result<Acceptance> {
        if let Some(&seq) = self.by_message.get(&order.message_id)
            && let Some(known) = self
                .position(seq)
                .and_then(|position| self.entries.get(position))
        {
            if *known.operation == *order.operation && known.number == order.number {
                self.append(&Line::Again { seq })?;
                self.count_again(seq);
                return Ok(Acceptance::Again);
            }
            self.reused_ids += 1;
        }
        let issue = if *order.issue == *order.number {
            order.number.clone()
        } else {
            order.issue.into()
        };
        let kept = Kept {
            at: order.at,
            message_id: order.message_id,
            issue,
            operation: self.operation(order.operation),
            number: order.number,
            body_hash: order.body_hash,
            count: 1,
            trace: order.trace,
        };
        let effect = kept.shown(self.next_seq());
        self.append(&Line::Effect {
            effect: Box::new(effect),
            proceeding: order.proceeding.clone(),
        })?;
        self.push(kept);
        Ok(Acceptance::New)
    }

    /// The effects that a filter lets through, oldest first, at most `limit` (1,000; never over 10,000).
    pub fn list(&self, filter: &Filter) -> Vec<Effect> {
        let limit = filter.limit.unwrap_or(1_000).min(10_000);
        self.matching(filter)
            .take(limit)
            .map(|(seq, kept)| kept.shown(seq))
            .collect()
    }

    pub fn summary(&self, filter: &Filter) -> Summary {
        let mut seen = HashSet::new();
        let mut numbers = HashSet::new();
        let mut summary = Summary {
            reused_ids: self.reused_ids,
            dropped: self.first_seq - 1,
            last_seq: self.next_seq() - 1,
            ..Summary::default()
        };
        for (seq, kept) in self.matching(filter) {
            summary.accepted += 1;
            summary.repeats += u64::from(kept.count) - 1;
            numbers.insert(&kept.number);
            if !seen.insert((&kept.operation, &kept.number, &kept.issue, kept.body_hash)) {
                summary.duplicates += 1;
                if summary.examples.len() < 20 {
                    summary.examples.push(kept.shown(seq));
                }
            }
        }
        summary.numbers = numbers.len() as u64;
        summary
    }

    fn matching<'a>(&'a self, filter: &'a Filter) -> impl Iterator<Item = (u64, &'a Kept)> {
        let from = filter
            .after
            .map_or(0, |seq| self.position(seq.saturating_add(1)).unwrap_or(0))
            .min(self.entries.len());
        let numbered = (self.first_seq + from as u64..).zip(self.entries.range(from..));
        numbered.filter(|(_, kept)| {
            filter.since.is_none_or(|since| kept.at >= since)
                && filter
                    .number
                    .as_deref()
                    .is_none_or(|number| *kept.number == *number)
                && filter
                    .issue
                    .as_deref()
                    .is_none_or(|issue| *kept.issue == *issue)
                && filter.message_id.is_none_or(|id| kept.message_id == id)
        })
    }

    /// Takes an effect from the file, whose numbering goes on.
    fn load(&mut self, effect: Effect, number: Arc<str>) {
        if self.entries.is_empty() {
            self.first_seq = effect.seq;
        }
        let kept = Kept {
            at: effect.at,
            message_id: effect.message_id,
            issue: if effect.issue == effect.number {
                number.clone()
            } else {
                effect.issue.into()
            },
            operation: self.operation(&effect.operation),
            number,
            body_hash: u64::from_str_radix(&effect.body_hash, 16).unwrap_or_default(),
            count: effect.count,
            trace: effect.trace.and_then(|id| Uuid::try_parse(&id).ok()),
        };
        self.push(kept);
    }

    fn push(&mut self, kept: Kept) {
        self.by_message.insert(kept.message_id, self.next_seq());
        self.entries.push_back(kept);
        if self.entries.len() > self.cap
            && let Some(old) = self.entries.pop_front()
        {
            if self.by_message.get(&old.message_id) == Some(&self.first_seq) {
                self.by_message.remove(&old.message_id);
            }
            self.first_seq += 1;
        }
    }

    fn count_again(&mut self, seq: u64) {
        if let Some(kept) = self
            .position(seq)
            .and_then(|position| self.entries.get_mut(position))
        {
            kept.count += 1;
        }
    }

    fn next_seq(&self) -> u64 {
        self.first_seq + self.entries.len() as u64
    }

    /// Where in memory a sequence number lies or would lie; `None` when it is no longer there.
    fn position(&self, seq: u64) -> Option<usize> {
        usize::try_from(seq.checked_sub(self.first_seq)?).ok()
    }

    /// The one copy of an operation's name; only known services get here, so there are few.
    fn operation(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.operations.iter().find(|known| ***known == *name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.operations.push(name.clone());
        name
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        file.write_all(&bytes)
    }
}

impl Kept {
    fn shown(&self, seq: u64) -> Effect {
        Effect {
            seq,
            at: self.at,
            message_id: self.message_id,
            issue: self.issue.to_string(),
            operation: self.operation.to_string(),
            number: self.number.to_string(),
            body_hash: format!("{:016x}", self.body_hash),
            count: self.count,
            trace: self.trace.map(|id| id.simple().to_string()),
        }
    }
}
