//! What each bulk action with a pace may start now: its parallelism, counted over all bureaus, and its items a second.
use std::collections::HashMap;
use std::time::Instant;

use domain::ids::BulkActionId;
use domain::jobs::dispatch::{Bundle, Pace};

/// The paces as last read, and what went out since.
#[derive(Default)]
pub struct Paces {
    actions: Vec<Pace>,
    tokens: HashMap<BulkActionId, (Instant, i64)>,
}

impl Paces {
    /// Takes what was just read: it counts all that went out before.
    pub fn renew(&mut self, actions: Vec<Pace>) {
        self.actions = actions;
        self.tokens
            .retain(|action, _| self.actions.iter().any(|pace| pace.action == *action));
    }

    /// (action, most now) of each action with a pace.
    pub fn limits(&mut self, now: Instant) -> Vec<(BulkActionId, i64)> {
        let mut limits = Vec::new();
        for pace in &self.actions {
            let mut most = if pace.paused { 0 } else { i64::MAX };
            if let Some(per_second) = pace.per_second.map(i64::from) {
                let (since, tokens) = self.tokens.entry(pace.action).or_insert((now, per_second));
                let passed = i64::try_from(now.duration_since(*since).as_millis()).unwrap_or(0);
                let earned = per_second.saturating_mul(passed) / 1000;
                if earned > 0 {
                    *tokens = (*tokens + earned).min(per_second);
                    *since = now;
                }
                most = most.min(*tokens);
            }
            if let Some(parallel) = pace.parallel.map(i64::from) {
                most = most.min(parallel - pace.under_way);
            }
            limits.push((pace.action, most.max(0)));
        }
        limits
    }

    /// Counts what goes out: it is under way until the next reading says otherwise.
    pub fn took(&mut self, bundles: &[Bundle]) {
        for bundle in bundles {
            let Some(action) = bundle.bulk_action_id else {
                continue;
            };
            let jobs = i64::try_from(bundle.pairs.len()).unwrap_or(i64::MAX);
            if let Some((_, tokens)) = self.tokens.get_mut(&action) {
                *tokens -= jobs;
            }
            if let Some(pace) = self.actions.iter_mut().find(|pace| pace.action == action) {
                pace.under_way = pace.under_way.saturating_add(jobs);
            }
        }
    }

    /// Whether an action waits for one of its own jobs to end, which only a new reading shows.
    pub fn is_full(&self) -> bool {
        self.actions.iter().any(|pace| {
            !pace.paused
                && pace
                    .parallel
                    .is_some_and(|parallel| pace.under_way >= i64::from(parallel))
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::ids::{JobId, TenantId};
    use domain::jobs::Kind;

    use super::*;

    const ACTION: BulkActionId = BulkActionId(7);

    fn paces(per_second: Option<i32>, parallel: Option<i32>) -> Paces {
        let mut paces = Paces::default();
        paces.renew(vec![Pace {
            action: ACTION,
            paused: false,
            per_second,
            parallel,
            under_way: 0,
        }]);
        paces
    }

    fn bundle(tenant: i64, jobs: i64) -> Bundle {
        Bundle {
            kind: Kind::Probe,
            tenant_id: TenantId(tenant),
            bulk_action_id: Some(ACTION),
            suspect: false,
            pairs: (0..jobs).map(|id| (JobId(id), 1)).collect(),
        }
    }

    #[test]
    fn what_went_out_is_under_way_until_the_next_reading() {
        let (mut paces, now) = (paces(None, Some(4)), Instant::now());
        assert_eq!(paces.limits(now), [(ACTION, 4)]);
        paces.took(&[bundle(1, 2), bundle(2, 1)]);
        assert_eq!(paces.limits(now), [(ACTION, 1)]);
        assert!(!paces.is_full());
        paces.took(&[bundle(2, 1)]);
        assert_eq!(paces.limits(now), [(ACTION, 0)]);
        assert!(paces.is_full());
    }
}
