//! When a rule fires and recovers, over values of minutes; the same for the present and for "last week".
use chrono::{DateTime, TimeDelta, Utc};

/// A value of a minute that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub minute: DateTime<Utc>,
    pub value: i64,
}

/// What fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Fires above it.
    pub threshold: i64,
    /// For how long it must hold.
    pub minutes: i64,
}

/// Good minutes in a row that end an episode, so that one of them does not tell everybody twice.
pub const CALM: usize = 2;

/// One time that a rule held for long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Episode {
    /// The first minute above.
    pub since: DateTime<Utc>,
    pub fired_at: DateTime<Utc>,
    /// The first minute that was good again; none: it holds.
    pub to: Option<DateTime<Utc>>,
    pub peak: i64,
}

/// Where a walk over the minutes stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Since when the value has been above.
    pub breached_since: Option<DateTime<Utc>>,
    pub peak: i64,
    pub fired: Option<DateTime<Utc>>,
    calm: Vec<DateTime<Utc>>,
}

/// What a minute changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Nothing,
    Fired,
    Recovered(Episode),
}

impl Walk {
    /// Goes on from an alert that is open.
    pub fn open(fired_at: DateTime<Utc>, peak: i64) -> Self {
        Self {
            breached_since: Some(fired_at),
            peak,
            fired: Some(fired_at),
            calm: Vec::new(),
        }
    }

    /// One minute more.
    pub fn step(&mut self, sample: Sample, limit: Limit) -> Change {
        if sample.value > limit.threshold {
            self.calm.clear();
            let since = *self.breached_since.get_or_insert(sample.minute);
            self.peak = self.peak.max(sample.value);
            if self.fired.is_none() && sample.minute - since >= TimeDelta::minutes(limit.minutes) {
                self.fired = Some(sample.minute);
                return Change::Fired;
            }
            return Change::Nothing;
        }
        let Some(fired_at) = self.fired else {
            *self = Self::default();
            return Change::Nothing;
        };
        self.calm.push(sample.minute);
        if self.calm.len() < CALM {
            return Change::Nothing;
        }
        let episode = Episode {
            since: self.breached_since.unwrap_or(fired_at),
            fired_at,
            to: self.calm.first().copied(),
            peak: self.peak,
        };
        *self = Self::default();
        Change::Recovered(episode)
    }
}

/// All times that a rule would have fired, oldest first.
pub fn episodes(samples: &[Sample], limit: Limit) -> Vec<Episode> {
    let mut walk = Walk::default();
    let mut found = Vec::new();
    for sample in samples {
        if let Change::Recovered(episode) = walk.step(*sample, limit) {
            found.push(episode);
        }
    }
    if let Some(fired_at) = walk.fired {
        found.push(Episode {
            since: walk.breached_since.unwrap_or(fired_at),
            fired_at,
            to: None,
            peak: walk.peak,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(minute * 60, 0).unwrap_or_default()
    }

    fn samples(values: &[i64]) -> Vec<Sample> {
        let all = values.iter().zip(0..);
        all.map(|(value, minute)| Sample {
            minute: at(minute),
            value: *value,
        })
        .collect()
    }

    fn told(values: &[i64], minutes: i64) -> Vec<(i64, i64, Option<i64>, i64)> {
        let limit = Limit {
            threshold: 10,
            minutes,
        };
        let minute = |at: DateTime<Utc>| at.timestamp() / 60;
        episodes(&samples(values), limit)
            .iter()
            .map(|one| {
                (
                    minute(one.since),
                    minute(one.fired_at),
                    one.to.map(minute),
                    one.peak,
                )
            })
            .collect()
    }

    #[test]
    fn a_rule_fires_once_above_for_long_enough_and_recovers_after_two_good_minutes() {
        for (values, minutes, expected) in [
            (&[10, 10, 10, 10][..], 0, vec![]),
            (&[11], 0, vec![(0, 0, None, 11)]),
            (&[11, 11, 11], 3, vec![]),
            (&[11, 11, 11, 15], 3, vec![(0, 3, None, 15)]),
            (&[11, 11, 9, 11, 11], 2, vec![]),
            (
                &[0, 11, 12, 9, 11, 9, 9, 9, 11],
                1,
                vec![(1, 2, Some(5), 12)],
            ),
            (
                &[11, 0, 0, 12, 0, 0],
                0,
                vec![(0, 0, Some(1), 11), (3, 3, Some(4), 12)],
            ),
        ] {
            assert_eq!(told(values, minutes), expected, "{values:?} for {minutes}");
        }
    }

    #[test]
    fn minutes_that_nobody_looked_at_change_nothing() {
        let mut some = samples(&[11, 11, 11, 11, 11, 11]);
        some.drain(2..5);
        let limit = Limit {
            threshold: 10,
            minutes: 5,
        };
        assert_eq!(episodes(&some, limit).len(), 1);
    }

    #[test]
    fn a_walk_goes_on_from_an_open_alert() {
        let limit = Limit {
            threshold: 10,
            minutes: 5,
        };
        let mut walk = Walk::open(at(1), 20);
        let changes: Vec<_> = samples(&[30, 5, 5])
            .into_iter()
            .map(|sample| walk.step(sample, limit))
            .collect();
        assert_eq!(changes[..2], [Change::Nothing, Change::Nothing]);
        let Change::Recovered(episode) = changes[2] else {
            panic!("{changes:?}")
        };
        assert_eq!((episode.peak, episode.to), (30, Some(at(1))));
    }
}
