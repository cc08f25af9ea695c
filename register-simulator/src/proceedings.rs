//! Proceedings of the national enforcement register, kept in memory by case number up to a bound.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What the register holds of a proceeding; dates and sums as the message wrote them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Proceeding {
    pub status: Box<str>,
    pub statement_number: Option<Box<str>>,
    pub opened: Option<Box<str>>,
    pub stopped: Option<Box<str>>,
    pub closed: Option<Box<str>>,
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

    /// Stores a proceeding; past the bound the one first stored is forgotten.
    pub fn set(&mut self, number: &str, proceeding: Proceeding) {
        if let Some(known) = self.by_number.get_mut(number) {
            *known = proceeding;
            return;
        }
        let number: Arc<str> = number.into();
        self.order.push_back(number.clone());
        self.by_number.insert(number, proceeding);
        if self.by_number.len() > self.cap
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_number.remove(&oldest);
        }
    }
}
