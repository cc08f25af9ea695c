//! The part of a register's rate that this process has in hand, and what it last learnt of the register.
use std::collections::VecDeque;
use std::time::Duration;

use domain::registers::Turn;
use tokio::time::Instant;

/// How long what was learnt of a closed gate holds for this process's other jobs.
const REST: Duration = Duration::from_millis(250);
/// A slot that nobody took is no later one's.
const STALE: Duration = Duration::from_millis(100);

/// Whether a call may go.
pub enum Entry {
    /// At that moment.
    At(Instant),
    /// As the probe of an open breaker.
    Probe,
    /// Not before so long.
    Spent(Duration),
    /// Not before the register was tried.
    Open,
}

/// Slots in their order, at most 100 ms of the rate.
#[derive(Default)]
pub struct Slots {
    pub ready: VecDeque<Instant>,
    /// Until when no more is asked, and when the rate is expected back; without: open.
    shut: Option<(Instant, Option<Instant>)>,
    asked: Option<Instant>,
    /// Since it last asked.
    used: u32,
}

impl Slots {
    pub fn take(&mut self, now: Instant) -> Option<Instant> {
        while self.ready.front().is_some_and(|at| *at + STALE < now) {
            self.ready.pop_front();
        }
        let at = self.ready.pop_front()?;
        self.used = self.used.saturating_add(1);
        Some(at)
    }

    pub fn shut(&self, now: Instant) -> Option<Entry> {
        let (until, back) = self.shut.filter(|(until, _)| now < *until)?;
        Some(match back {
            Some(back) => Entry::Spent(back.max(until) - now),
            None => Entry::Open,
        })
    }

    /// As many as went in the last 100 ms.
    pub fn wanted(&mut self, now: Instant) -> u32 {
        let used = std::mem::take(&mut self.used);
        let since = self.asked.replace(now);
        let passed = since.map_or(u128::MAX, |asked| (now - asked).as_millis().max(10));
        u32::try_from(u128::from(used) * 100 / passed)
            .unwrap_or(1)
            .max(1)
    }

    pub fn learn(&mut self, turn: Turn, now: Instant) -> Entry {
        self.shut = None;
        match turn {
            Turn::Slots { count, wait, every } => {
                self.ready = (0..count).map(|nth| now + wait + every * nth).collect();
                self.take(now).map_or(Entry::Spent(every), Entry::At)
            }
            Turn::Probe => Entry::Probe,
            Turn::Spent(wait) => {
                self.shut = Some((now + wait.min(REST), Some(now + wait)));
                Entry::Spent(wait)
            }
            Turn::Open(wait) => {
                self.shut = Some((now + wait.min(REST), None));
                Entry::Open
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn slots(count: u32) -> Turn {
        Turn::Slots {
            count,
            wait: 20 * MS,
            every: 2 * MS,
        }
    }

    fn at(entry: Entry) -> Instant {
        match entry {
            Entry::At(at) => at,
            _ => panic!("no slot"),
        }
    }

    #[test]
    fn slots_are_given_out_in_their_order_and_run_out() {
        let (mut mine, now) = (Slots::default(), Instant::now());
        assert_eq!(at(mine.learn(slots(3), now)), now + 20 * MS);
        assert_eq!(mine.take(now), Some(now + 22 * MS));
        assert_eq!(mine.take(now + 123 * MS), Some(now + 24 * MS));
        assert_eq!(mine.take(now), None);
        mine.learn(slots(3), now);
        assert_eq!(mine.take(now + 125 * MS), None, "nobody's any more");
    }

    #[test]
    fn a_busy_process_asks_ten_times_a_second_and_a_quiet_one_for_one_slot() {
        let (mut mine, now) = (Slots::default(), Instant::now());
        assert_eq!(mine.wanted(now), 1, "the first");
        mine.used = 1;
        assert_eq!(mine.wanted(now + MS), 10, "the next at once: a rush");
        mine.used = 10;
        assert_eq!(mine.wanted(now + 21 * MS), 50, "500 a second");
        mine.used = 50;
        assert_eq!(mine.wanted(now + 121 * MS), 50);
        mine.used = 1;
        assert_eq!(mine.wanted(now + 5_000 * MS), 1);
    }

    #[test]
    fn what_was_learnt_of_a_shut_gate_holds_for_a_moment() {
        let (mut mine, now) = (Slots::default(), Instant::now());
        mine.learn(Turn::Open(9_000 * MS), now);
        assert!(matches!(mine.shut(now + 249 * MS), Some(Entry::Open)));
        assert!(
            mine.shut(now + 250 * MS).is_none(),
            "a person may have asked for a probe"
        );
        mine.learn(Turn::Open(5 * MS), now);
        assert!(mine.shut(now + 5 * MS).is_none(), "the probe is due");
        mine.learn(Turn::Spent(400 * MS), now);
        let left = match mine.shut(now + 100 * MS) {
            Some(Entry::Spent(left)) => left,
            _ => panic!("not spent"),
        };
        assert_eq!(left, 300 * MS);
        mine.learn(slots(1), now);
        assert!(mine.shut(now).is_none());
    }
}
