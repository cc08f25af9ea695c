//! What each bulk action with a pace may start now: its parallelism, counted over all bureaus, and its items a second.
use std::collections::HashMap;
use std::time::{Duration, Instant};

use domain::ids::{BulkActionId, OperatorActionId};
use domain::jobs::dispatch::{Bundle, Pace};

const SECOND: i64 = 1_000_000_000;

/// The paces as last read, and what went out since.
#[derive(Default)]
pub struct Paces {
    actions: Vec<Pace>,
    buckets: HashMap<BulkActionId, Bucket>,
}

impl Paces {
    /// Takes what was just read: it counts all that went out before.
    pub fn renew(&mut self, actions: Vec<Pace>) {
        self.actions = actions;
        self.buckets
            .retain(|action, _| self.actions.iter().any(|pace| pace.action == *action));
    }

    /// (action, most now) of each action with a pace.
    pub fn limits(&mut self, now: Instant) -> Vec<(BulkActionId, i64)> {
        let mut limits = Vec::new();
        for pace in &self.actions {
            let mut most = if pace.paused { 0 } else { i64::MAX };
            if let Some(per_second) = pace.per_second.map(i64::from) {
                let bucket = self.buckets.entry(pace.action).or_insert(Bucket {
                    tokens: per_second,
                    since: now,
                });
                bucket.fill(per_second, per_second, now);
                most = most.min(bucket.tokens);
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
            if let Some(bucket) = self.buckets.get_mut(&action) {
                bucket.tokens -= jobs;
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

/// Paces of operator actions: the same buckets, a second's worth at most.
#[derive(Default)]
pub struct Buckets(HashMap<OperatorActionId, Bucket>);

impl Buckets {
    /// Forgets actions that are over or have no pace any more.
    pub fn keep(&mut self, open: &[(OperatorActionId, Option<i32>)]) {
        self.0.retain(|action, _| {
            open.iter()
                .any(|(id, per_second)| id == action && per_second.is_some())
        });
    }

    /// How many jobs an action may take up now, at most `chunk`.
    pub fn most(
        &mut self,
        action: OperatorActionId,
        per_second: Option<i32>,
        chunk: i64,
        now: Instant,
    ) -> i64 {
        let Some(per_second) = per_second.map(i64::from) else {
            return chunk;
        };
        // It starts with one: a pace is felt from the first second on.
        let bucket = self.0.entry(action).or_insert(Bucket {
            tokens: 1,
            since: now,
        });
        bucket.fill(per_second, per_second, now);
        bucket.tokens.min(chunk)
    }

    pub fn took(&mut self, action: OperatorActionId, jobs: i64) {
        if let Some(bucket) = self.0.get_mut(&action) {
            bucket.tokens -= jobs;
        }
    }
}

/// What was earned and not yet spent. `since` is the time up to which tokens were earned: a remainder stays for the next round.
pub(crate) struct Bucket {
    pub(crate) tokens: i64,
    pub(crate) since: Instant,
}

impl Bucket {
    pub(crate) fn fill(&mut self, per_second: i64, most: i64, now: Instant) {
        let passed = i64::try_from(now.duration_since(self.since).as_nanos()).unwrap_or(i64::MAX);
        let earned = per_second.saturating_mul(passed) / SECOND;
        if self.tokens.saturating_add(earned) > most {
            (self.tokens, self.since) = (most, now);
        } else if earned > 0 {
            self.tokens += earned;
            self.since +=
                Duration::from_nanos(u64::try_from(earned * SECOND / per_second).unwrap_or(0));
        }
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

    #[test]
    fn rounds_of_any_length_lose_nothing_of_the_pace() {
        let start = Instant::now();
        for (per_second, round) in [
            (30, 25),
            (60, 25),
            (100, 25),
            (7, 25),
            (99_999, 25),
            (30, 3),
        ] {
            let mut paces = paces(Some(per_second), None);
            let mut out = 0;
            for n in 0..=10_000 / round {
                let [(_, most)] = paces.limits(start + Duration::from_millis(n * round))[..] else {
                    panic!("one action");
                };
                paces.took(&[bundle(1, most)]);
                out += most;
            }
            // The full bucket at the start, then ten seconds of it; the last round may hold less than a token.
            let due = 11 * i64::from(per_second);
            assert!(
                (due - 1..=due).contains(&out),
                "{per_second} each {round} ms: {out} of {due}"
            );
        }
    }

    #[test]
    fn an_operator_action_takes_up_its_pace_from_the_first_second_on() {
        let (mut buckets, start) = (Buckets::default(), Instant::now());
        let action = OperatorActionId(3);
        let mut taken = 0;
        for n in 0..=40 {
            let now = start + Duration::from_millis(n * 250);
            let most = buckets.most(action, Some(7), 500, now);
            buckets.took(action, most);
            taken += most;
        }
        assert!((70..=71).contains(&taken), "{taken}");
        assert_eq!(buckets.most(action, None, 500, start), 500);
        buckets.keep(&[]);
        assert_eq!(buckets.most(action, Some(7), 500, start), 1);
    }

    #[test]
    fn an_idle_action_saves_one_second_at_most() {
        let (mut paces, start) = (paces(Some(60), None), Instant::now());
        assert_eq!(paces.limits(start), [(ACTION, 60)]);
        paces.took(&[bundle(1, 60)]);
        assert_eq!(
            paces.limits(start + Duration::from_secs(90)),
            [(ACTION, 60)]
        );
    }
}
