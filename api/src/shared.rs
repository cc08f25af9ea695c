//! Answers that many ask for at once: made once, shared for a moment, with their age. Half a second or 25 times what making one
//! cost, whichever is longer, and 15 seconds at the most, so that no number of open pages costs more than a twenty-fifth of a core.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;

use crate::error::{Error, Result};

const LEAST: Duration = Duration::from_millis(500);
/// However slow the database was.
const MOST: Duration = Duration::from_secs(15);
const COST: u32 = 25;
const MOST_KEPT: usize = 2_000;

/// A body and when it was made.
#[derive(Debug, Clone)]
pub struct Made {
    pub body: Bytes,
    pub at: Instant,
    until: Instant,
}

type Slot = Arc<tokio::sync::Mutex<Option<Made>>>;

/// A process's memory of answers; the key says who sees them.
#[derive(Debug, Default)]
pub struct Shared(Mutex<HashMap<String, Slot>>);

impl Shared {
    /// The answer of that key, or what `make` makes; whoever asks meanwhile waits for it instead of making another.
    pub async fn get<T: Serialize>(
        &self,
        key: String,
        make: impl AsyncFnOnce() -> Result<T>,
    ) -> Result<Made> {
        let slot = self.slot(key);
        let mut kept = slot.lock().await;
        let started = Instant::now();
        if let Some(made) = kept.as_ref().filter(|made| made.until > started) {
            return Ok(made.clone());
        }
        let body = serde_json::to_vec(&make().await?)
            .map_err(|error| Error::internal(format!("an answer cannot be written: {error}")))?;
        let made = Made {
            body: body.into(),
            at: started,
            until: Instant::now() + (started.elapsed() * COST).clamp(LEAST, MOST),
        };
        *kept = Some(made.clone());
        Ok(made)
    }

    /// Forgets all: somebody changed what is shown and looks at it now.
    pub fn forget(&self) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    fn slot(&self, key: String) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MOST_KEPT {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        slots.entry(key).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn many_who_ask_at_once_share_one_answer() {
        let (shared, made) = (Arc::new(Shared::default()), Arc::new(AtomicUsize::new(0)));
        let asked: Vec<_> = (0..20)
            .map(|_| {
                let (shared, made) = (shared.clone(), made.clone());
                tokio::spawn(async move {
                    let make = async || {
                        made.fetch_add(1, Ordering::SeqCst);
                        tokio::task::yield_now().await;
                        Ok(7)
                    };
                    shared.get("a".into(), make).await.map(|made| made.body)
                })
            })
            .collect();
        for answer in asked {
            assert_eq!(&answer.await.unwrap().unwrap()[..], b"7");
        }
        assert_eq!(made.load(Ordering::SeqCst), 1);
        shared.forget();
        shared.get("a".into(), async || Ok(8)).await.unwrap();
        let other = shared.get("b".into(), async || Ok(9)).await.unwrap();
        assert_eq!(&other.body[..], b"9");
    }
}
