//! How many calls of one session are under way: a flood of one person's tabs must not take the database from others.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

const MOST: usize = 40;

/// Calls under way by session, in this process.
#[derive(Debug, Default)]
pub struct InFlight(Mutex<HashMap<Uuid, usize>>);

/// One call under way, until it is dropped.
#[derive(Debug)]
pub struct Ticket {
    all: Arc<InFlight>,
    session: Uuid,
}

impl InFlight {
    /// Counts one more call; none when the session has too many already.
    pub fn enter(self: &Arc<Self>, session: Uuid) -> Option<Ticket> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(session).or_default();
        if *count >= MOST {
            return None;
        }
        *count += 1;
        Some(Ticket {
            all: self.clone(),
            session,
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.session) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.session);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_session_has_its_limit_and_leaves_nothing_behind() {
        let all = Arc::new(InFlight::default());
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut held: Vec<_> = (0..MOST).map(|_| all.enter(one)).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(all.enter(one).is_none());
        assert!(all.enter(two).is_some());
        held.pop();
        assert!(all.enter(one).is_some());
        held.clear();
        assert!(all.0.lock().unwrap().is_empty());
    }
}
