//! How many jobs of a queue the dispatcher may hand out now, where all of them call one register: what is handed out and
//! finds the rate spent only comes back.
use std::collections::HashMap;
use std::time::{Duration, Instant};

use domain::jobs::{Kind, Queue};
use domain::registers::Flow;

use crate::pace::Bucket;

/// The flows as last read, and what went out since.
#[derive(Default)]
pub struct Flows {
    flows: HashMap<String, Flow>,
    buckets: HashMap<&'static str, Bucket>,
    /// When a job last went out to try a register.
    tried: HashMap<&'static str, Instant>,
}

/// A job that went out as a probe has claimed by then, or another may go.
const TRY: Duration = Duration::from_millis(500);

impl Flows {
    /// Takes what was just read.
    pub fn renew(&mut self, flows: Vec<(String, Flow)>) {
        self.flows = flows.into_iter().collect();
        let flows = &self.flows;
        self.buckets
            .retain(|register, _| matches!(flows.get(*register), Some(Flow::PerSecond(_))));
    }

    /// How many jobs of the queue may go out now.
    pub fn room(&mut self, queue: Queue, now: Instant) -> usize {
        let Some(register) = only_register(queue) else {
            return usize::MAX;
        };
        match self.flows.get(register) {
            None => usize::MAX,
            Some(Flow::Nothing) => 0,
            Some(Flow::Probe) => {
                let tried = self.tried.get(register);
                usize::from(tried.is_none_or(|at| now.duration_since(*at) >= TRY))
            }
            Some(Flow::PerSecond(rate)) => {
                let rate = i64::from(*rate);
                // What would wait longer at the gate comes back from there.
                let most = (rate / 4).max(1);
                let bucket = self.buckets.entry(register).or_insert(Bucket {
                    tokens: most,
                    since: now,
                });
                bucket.fill(rate, most, now);
                usize::try_from(bucket.tokens).unwrap_or(0)
            }
        }
    }

    /// Counts what went out.
    pub fn took(&mut self, queue: Queue, jobs: usize, now: Instant) {
        let Some(register) = only_register(queue) else {
            return;
        };
        if let Some(bucket) = self.buckets.get_mut(register) {
            bucket.tokens -= i64::try_from(jobs).unwrap_or(i64::MAX);
        } else if jobs > 0 {
            self.tried.insert(register, now);
        }
    }
}

/// The register that every kind of the queue calls; a mixed queue is held back by its claims alone.
fn only_register(queue: Queue) -> Option<&'static str> {
    let mut registers = Kind::ALL
        .into_iter()
        .filter(|kind| kind.queue() == queue)
        .map(Kind::register);
    let first = registers.next()??;
    registers.all(|other| other == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use domain::registers::TARN;

    use super::*;

    fn flows(flow: Flow) -> Flows {
        let mut flows = Flows::default();
        flows.renew(vec![(TARN.into(), flow)]);
        flows
    }

    /// What goes out in so many seconds of rounds of 25 ms.
    fn out(flows: &mut Flows, from: Instant, seconds: u64) -> usize {
        let rounds = (0..seconds * 40).map(|n| from + Duration::from_millis(n * 25));
        rounds
            .map(|now| {
                let room = flows.room(Queue::Register, now);
                flows.took(Queue::Register, room, now);
                room
            })
            .sum()
    }

    #[test]
    fn no_more_goes_out_than_the_rate_lets_through() {
        for (rate, first) in [(5, 1), (10, 2), (500, 125)] {
            let mut flows = flows(Flow::PerSecond(rate));
            let out = out(&mut flows, Instant::now(), 10);
            let due = first + usize::try_from(rate).unwrap() * 10;
            assert!(
                out <= due && out + first >= due - 1,
                "{rate}: {out} of {due}"
            );
        }
    }

    #[test]
    fn the_rate_follows_what_was_read() {
        let (mut flows, now) = (flows(Flow::PerSecond(5)), Instant::now());
        out(&mut flows, now, 2);
        flows.renew(vec![(TARN.into(), Flow::PerSecond(10))]);
        let later = out(&mut flows, now + Duration::from_secs(2), 5);
        assert!((48..=52).contains(&later), "{later}");
    }

    #[test]
    fn an_open_register_is_given_one_job_at_a_time_when_a_probe_is_due() {
        let now = Instant::now();
        assert_eq!(out(&mut flows(Flow::Nothing), now, 60), 0);
        let mut flows = flows(Flow::Probe);
        assert_eq!(flows.room(Queue::Register, now), 1);
        assert_eq!(flows.room(Queue::Register, now), 1, "nothing was due");
        flows.took(Queue::Register, 1, now);
        assert_eq!(flows.room(Queue::Register, now + TRY / 2), 0);
        assert_eq!(
            flows.room(Queue::Register, now + TRY),
            1,
            "the first was in vain"
        );
    }

    #[test]
    fn queues_without_a_register_are_not_held_back() {
        let mut flows = flows(Flow::Nothing);
        for queue in [Queue::Interactive, Queue::Bulk, Queue::Mail] {
            assert_eq!(flows.room(queue, Instant::now()), usize::MAX);
        }
    }
}
