//! Answers that are held back, so that a rig can kill the caller between the register's acceptance and its answer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use serde::Serialize;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

/// A held answer as the control calls show it.
#[derive(Clone, Debug, Serialize)]
pub struct Held {
    pub id: u64,
    pub message_id: Uuid,
    pub operation: String,
    pub number: String,
    pub since: DateTime<Utc>,
}

struct Inner {
    next: u64,
    list: BTreeMap<u64, (Held, Arc<Notify>)>,
}

/// All held answers.
pub struct Holds {
    inner: Mutex<Inner>,
    count: watch::Sender<usize>,
}

/// A place in the list; leaves it when dropped, which is also what a vanished caller does.
pub struct Place {
    holds: Arc<Holds>,
    id: u64,
    release: Arc<Notify>,
}

impl Holds {
    pub fn new() -> Arc<Self> {
        let inner = Mutex::new(Inner {
            next: 1,
            list: BTreeMap::new(),
        });
        Arc::new(Self {
            inner,
            count: watch::Sender::new(0),
        })
    }

    /// Enters an answer into the list.
    pub fn enter(self: &Arc<Self>, message_id: Uuid, operation: &str, number: &str) -> Place {
        let release = Arc::new(Notify::new());
        let id = self.change(|inner| {
            let id = inner.next;
            inner.next += 1;
            let held = Held {
                id,
                message_id,
                operation: operation.into(),
                number: number.into(),
                since: crate::world::now(),
            };
            inner.list.insert(id, (held, release.clone()));
            id
        });
        Place {
            holds: self.clone(),
            id,
            release,
        }
    }

    pub fn list(&self) -> Vec<Held> {
        self.change(|inner| inner.list.values().map(|(held, _)| held.clone()).collect())
    }

    /// Lets one answer go, or all; says how many.
    pub fn release(&self, id: Option<u64>) -> usize {
        self.change(|inner| {
            let chosen = inner
                .list
                .values()
                .filter(|(held, _)| id.is_none_or(|id| held.id == id));
            chosen.map(|(_, release)| release.notify_one()).count()
        })
    }

    /// Returns once at least `count` answers are held.
    pub async fn reached(&self, count: usize) {
        let mut watch = self.count.subscribe();
        // The sender lives in self, so the channel can't close meanwhile.
        let _ = watch.wait_for(|held| *held >= count).await;
    }

    fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut inner);
        self.count.send_if_modified(|count| {
            std::mem::replace(count, inner.list.len()) != inner.list.len()
        });
        result
    }
}

impl Place {
    pub fn id(&self) -> u64 {
        self.id
    }

    pub async fn released(&self) {
        self.release.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.holds.change(|inner| inner.list.remove(&self.id));
    }
}
