//! When a cron is due, by the clock of Estonia. One rule for the two nights a year that change it: a time that does not exist
//! runs at 04:00, a doubled one the first time. What runs in every hour follows the instants and not the clock.
use chrono::{DateTime, Duration, DurationRound, TimeZone, Utc};
use chrono_tz::Europe::Tallinn;
use croner::Cron;
use croner::parser::{CronParser, Seconds};

/// More than a clock is ever put back.
const BACK: Duration = Duration::hours(3);

/// A pattern in cron's five fields, or six with seconds first.
pub struct Schedule {
    cron: Cron,
    /// The hour is left open.
    hourly: bool,
}

impl Schedule {
    /// None: no pattern, or one that is not kept: of every hour on some days only, whose days would be those of UTC, and of
    /// every hour in another spelling than `*`, which would leave out one of the doubled ones.
    pub fn parse(pattern: &str) -> Option<Self> {
        let parser = CronParser::builder().seconds(Seconds::Optional).build();
        let cron = parser.parse(pattern).ok()?;
        let fields: Vec<&str> = pattern.split_whitespace().rev().take(4).collect();
        let [days @ .., hour] = fields.as_slice() else {
            return None;
        };
        let hourly = *hour == "*";
        let is_kept = if hourly {
            days.iter().all(|field| *field == "*")
        } else {
            !["*/1", "0-23"].contains(hour)
        };
        is_kept.then_some(Self { cron, hourly })
    }

    /// The first due time after `after`; none: never again.
    pub fn next(&self, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        // croner carries parts of a second on.
        let after = after.duration_trunc(Duration::seconds(1)).ok()?;
        if self.hourly {
            // Offsets from UTC are whole hours there, so that minutes are the same.
            return self.cron.find_next_occurrence(&after, false).ok();
        }
        // Over the clock's face as if it never changed, from before `after`; each face is an instant that never goes back.
        let mut face = after.with_timezone(&Tallinn).naive_local().and_utc() - BACK;
        loop {
            face = self.cron.find_next_occurrence(&face, false).ok()?;
            let at = instant(face)?;
            if at > after {
                return Some(at);
            }
        }
    }

    /// Due times after `after` up to `until`, the first `most` of them.
    pub fn between(
        &self,
        after: DateTime<Utc>,
        until: DateTime<Utc>,
        most: usize,
    ) -> Vec<DateTime<Utc>> {
        let found = std::iter::successors(self.next(after), |at| self.next(*at));
        found.take_while(|at| *at <= until).take(most).collect()
    }
}

/// The instant at which the clock shows this: the first, or the end of the gap that it lies in.
fn instant(face: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let face = face.naive_utc();
    let at = |face| Tallinn.from_local_datetime(&face).earliest();
    let found = at(face).or_else(|| {
        // Gaps end at a full hour.
        let hour = face.and_utc().timestamp().div_euclid(3_600) + 1;
        at(DateTime::from_timestamp(hour * 3_600, 0)?.naive_utc())
    });
    found.map(|at| at.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    fn schedule(pattern: &str) -> Schedule {
        Schedule::parse(pattern).expect("a pattern")
    }

    #[test]
    fn a_missing_time_runs_at_four_and_a_doubled_one_the_first_time() {
        for (pattern, after, expected) in [
            ("30 3 * * *", "2027-03-27T02:00:00Z", "2027-03-28T01:00:00Z"),
            ("30 3 * * *", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"),
            ("30 3 * * *", "2026-10-24T01:00:00Z", "2026-10-25T00:30:00Z"),
            // From within the doubled hour, its second time.
            ("30 3 * * *", "2026-10-25T01:15:00Z", "2026-10-26T01:30:00Z"),
            ("30 3 * * *", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"),
            ("15 4 * * *", "2026-10-25T00:00:00Z", "2026-10-25T02:15:00Z"),
            ("0 0 29 2 *", "2026-12-31T22:00:00Z", "2028-02-28T22:00:00Z"),
            (
                "* * * * * *",
                "2026-11-01T10:00:59.999Z",
                "2026-11-01T10:01:00Z",
            ),
            (
                "15 4 * * *",
                "2026-11-01T10:00:59.999Z",
                "2026-11-02T02:15:00Z",
            ),
            (
                "59 23 31 12 *",
                "2026-12-31T21:58:59Z",
                "2026-12-31T21:59:00Z",
            ),
        ] {
            assert_eq!(
                schedule(pattern).next(at(after)),
                Some(at(expected)),
                "{pattern} after {after}"
            );
        }
    }

    #[test]
    fn what_runs_in_every_hour_runs_in_the_doubled_one_twice() {
        let day = |from, until| {
            schedule("0 * * * *")
                .between(at(from), at(until), 100)
                .len()
        };
        assert_eq!(day("2026-10-24T20:59:59Z", "2026-10-25T21:59:59Z"), 25);
        assert_eq!(day("2027-03-27T21:59:59Z", "2027-03-28T20:59:59Z"), 23);
        let minutes = schedule("* * * * *").between(
            at("2026-10-25T00:00:00Z"),
            at("2026-10-25T02:00:00Z"),
            1_000,
        );
        assert_eq!(minutes.len(), 120);
    }

    #[test]
    fn of_many_the_first_are_named() {
        let due = schedule("* * * * * *").between(
            at("2026-11-01T00:00:00Z"),
            at("2026-11-01T01:00:00Z"),
            3,
        );
        assert_eq!(
            due,
            [
                at("2026-11-01T00:00:01Z"),
                at("2026-11-01T00:00:02Z"),
                at("2026-11-01T00:00:03Z")
            ]
        );
        for refused in [
            "nonsense",
            "",
            "* *",
            "0 * * * 1",
            "*/5 * 1 * *",
            "0 */1 * * *",
            "0 0-23 * * *",
        ] {
            assert!(Schedule::parse(refused).is_none(), "{refused}");
        }
    }
}
