//! The table of crons. Patterns are in Europe/Tallinn; a due time is fired for an hour after it, then it is missed.
use chrono::{DateTime, Duration, Utc};
use chrono_tz::Europe::Tallinn;
use croner::Cron;
use domain::jobs::Kind;

pub struct Entry {
    pub name: &'static str,
    /// Second-less cron pattern.
    pub pattern: &'static str,
    pub kind: Kind,
}

/// Nothing runs between 03:00 and 04:00: that hour is missing or doubled when the clocks change.
pub const CRONS: [Entry; 1] = [Entry { name: "reconcile-case-list", pattern: "15 4 * * *", kind: Kind::ReconcileCaseList }];

/// The last due time at or before `now`, when it is not yet an hour old.
pub fn due(entry: &Entry, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let cron: Cron = entry.pattern.parse().ok()?;
    let last = cron.find_previous_occurrence(&now.with_timezone(&Tallinn), true).ok()?.with_timezone(&Utc);
    (now - last < Duration::hours(1)).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    #[test]
    fn each_night_has_one_due_time_also_when_the_clocks_change() {
        let [entry] = &CRONS;
        for (now, expected) in [
            ("2026-10-24T01:15:00Z", Some("2026-10-24T01:15:00Z")),
            ("2026-10-25T02:20:00Z", Some("2026-10-25T02:15:00Z")),
            ("2027-03-28T01:14:59Z", None),
            ("2027-03-28T01:16:00Z", Some("2027-03-28T01:15:00Z")),
            ("2026-10-24T02:15:00Z", None),
        ] {
            assert_eq!(due(entry, at(now)), expected.map(at), "{now}");
        }
    }
}
