//! How many calls of one session are under way: a flood of one person's tabs must not take the database from others.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

/// Calls under way by session, in this process.
#[derive(Debug)]
pub struct InFlight {
    /// Of one session.
    most: usize,
    calls: Mutex<HashMap<Uuid, usize>>,
}

/// One call under way, until it is dropped.
#[derive(Debug)]
pub struct Ticket {
    all: Arc<InFlight>,
    session: Uuid,
}

impl InFlight {
    /// A quarter of the database connections is always others'.
    pub fn new(connections: u32) -> Self {
        let most = connections.saturating_sub(connections.div_ceil(4)).max(1);
        Self {
            most: usize::try_from(most).unwrap_or(usize::MAX),
            calls: Mutex::default(),
        }
    }

    /// Counts one more call; none when the session has too many already.
    pub fn enter(self: &Arc<Self>, session: Uuid) -> Option<Ticket> {
        let mut counts = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(session).or_default();
        if *count >= self.most {
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
        let mut counts = self
            .all
            .calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
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
        let all = Arc::new(InFlight::new(16));
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut held: Vec<_> = (0..12).map(|_| all.enter(one)).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(all.enter(one).is_none());
        assert!(all.enter(two).is_some());
        held.pop();
        assert!(all.enter(one).is_some());
        held.clear();
        assert!(all.calls.lock().unwrap().is_empty());
    }
}
