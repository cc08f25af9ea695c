//! The append-only log of accepted effects: the judge of duplicates. Kept in memory up to a bound, and whole in a file where one is named.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

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
    pub issue: Box<str>,
    pub operation: Box<str>,
    pub number: Box<str>,
    /// Of the content of the request element, so that the same order under two ids shows.
    pub body_hash: Box<str>,
    /// How often the same effect came: 1 and a re-send under the same id make 2.
    pub count: u32,
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
    /// Effects no longer in memory; the file has them.
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
#[expect(
    clippy::large_enum_variant,
    reason = "written or read at once, never kept"
)]
enum Line {
    Effect {
        effect: Effect,
        proceeding: Proceeding,
    },
    Again {
        seq: u64,
    },
}

pub struct Effects {
    entries: VecDeque<Effect>,
    by_message: HashMap<Uuid, u64>,
    next_seq: u64,
    dropped: u64,
    reused_ids: u64,
    cap: usize,
    file: Option<File>,
}

impl Effects {
    pub fn new(cap: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            by_message: HashMap::new(),
            next_seq: 1,
            dropped: 0,
            reused_ids: 0,
            cap: cap.max(1),
            file: None,
        }
    }

    /// Loads a file, calling `replay` for each effect in order, and appends to it from then on.
    pub fn open(
        cap: usize,
        path: &Path,
        mut replay: impl FnMut(&Effect, Proceeding),
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
                    replay(&effect, proceeding);
                    effects.next_seq = effect.seq;
                    effects.push(effect);
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
    pub fn accept(
        &mut self,
        mut effect: Effect,
        proceeding: &Proceeding,
    ) -> io::Result<Acceptance> {
        if let Some(&seq) = self.by_message.get(&effect.message_id)
            && let Some(known) = self.get(seq)
        {
            if known.operation == effect.operation && known.number == effect.number {
                self.append(&Line::Again { seq })?;
                self.count_again(seq);
                return Ok(Acceptance::Again);
            }
            self.reused_ids += 1;
        }
        effect.seq = self.next_seq;
        effect.count = 1;
        self.append(&Line::Effect {
            effect: effect.clone(),
            proceeding: proceeding.clone(),
        })?;
        self.push(effect);
        Ok(Acceptance::New)
    }

    /// The effects that a filter lets through, oldest first, at most `limit` (1,000; never over 10,000).
    pub fn list(&self, filter: &Filter) -> Vec<Effect> {
        let limit = filter.limit.unwrap_or(1_000).min(10_000);
        self.matching(filter).take(limit).cloned().collect()
    }

    pub fn summary(&self, filter: &Filter) -> Summary {
        let mut seen = HashSet::new();
        let mut numbers = HashSet::new();
        let mut summary = Summary {
            reused_ids: self.reused_ids,
            dropped: self.dropped,
            last_seq: self.next_seq - 1,
            ..Summary::default()
        };
        for effect in self.matching(filter) {
            summary.accepted += 1;
            summary.repeats += u64::from(effect.count) - 1;
            numbers.insert(&effect.number);
            if !seen.insert((
                &effect.operation,
                &effect.number,
                &effect.issue,
                &effect.body_hash,
            )) {
                summary.duplicates += 1;
                if summary.examples.len() < 20 {
                    summary.examples.push(effect.clone());
                }
            }
        }
        summary.numbers = numbers.len() as u64;
        summary
    }

    fn matching<'a>(&'a self, filter: &'a Filter) -> impl Iterator<Item = &'a Effect> {
        let from = filter.after.map_or(0, |seq| self.position(seq + 1));
        self.entries
            .range(from.min(self.entries.len())..)
            .filter(|effect| {
                filter.since.is_none_or(|since| effect.at >= since)
                    && filter
                        .number
                        .as_deref()
                        .is_none_or(|number| *effect.number == *number)
                    && filter
                        .issue
                        .as_deref()
                        .is_none_or(|issue| *effect.issue == *issue)
                    && filter.message_id.is_none_or(|id| effect.message_id == id)
            })
    }

    fn push(&mut self, effect: Effect) {
        self.next_seq = effect.seq + 1;
        self.by_message.insert(effect.message_id, effect.seq);
        self.entries.push_back(effect);
        if self.entries.len() > self.cap
            && let Some(old) = self.entries.pop_front()
        {
            self.dropped += 1;
            if self.by_message.get(&old.message_id) == Some(&old.seq) {
                self.by_message.remove(&old.message_id);
            }
        }
    }

    fn count_again(&mut self, seq: u64) {
        let position = self.position(seq);
        if let Some(effect) = self.entries.get_mut(position) {
            effect.count += 1;
        }
    }

    fn get(&self, seq: u64) -> Option<&Effect> {
        self.entries.get(self.position(seq))
    }

    /// Sequence numbers are without gaps, so the place in memory follows from the first one's.
    fn position(&self, seq: u64) -> usize {
        let first = self
            .entries
            .front()
            .map_or(self.next_seq, |effect| effect.seq);
        usize::try_from(seq.saturating_sub(first)).unwrap_or(usize::MAX)
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
