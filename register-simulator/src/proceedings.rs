//! Proceedings of the national enforcement register, kept in memory by case number up to a bound.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What the register holds of a proceeding; the sum as the message wrote it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Proceeding {
    pub status: i16,
    pub statement_number: Option<Box<str>>,
    pub opened_on: Option<NaiveDate>,
    pub stopped_on: Option<NaiveDate>,
    pub closed_on: Option<NaiveDate>,
    pub balance: Option<Box<str>>,
    pub last_message: Uuid,
}

pub struct Proceedings {
    by_number: HashMap<Arc<str>, Proceeding>,
    order: VecDeque<Arc<str>>,
    cap: usize,
}

impl Proceedings {
    pub fn new(cap: usize) -> Self {
        Self {
            by_number: HashMap::new(),
            order: VecDeque::new(),
            cap: cap.max(1),
        }
    }

    pub fn get(&self, number: &str) -> Option<&Proceeding> {
        self.by_number.get(number)
    }

    pub fn len(&self) -> usize {
        self.by_number.len()
    }

    /// The shared text of a number, whether or not it is known.
    pub fn number(&self, number: &str) -> Arc<str> {
        self.by_number
            .get_key_value(number)
            .map_or_else(|| number.into(), |(known, _)| known.clone())
    }

    /// Stores a proceeding; past the bound the one first stored is forgotten.
    pub fn set(&mut self, number: Arc<str>, proceeding: Proceeding) {
        if let Some(known) = self.by_number.get_mut(&number) {
            *known = proceeding;
            return;
        }
        self.order.push_back(number.clone());
        self.by_number.insert(number, proceeding);
        if self.by_number.len() > self.cap
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_number.remove(&oldest);
        }
    }
}
