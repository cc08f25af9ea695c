//! The table of crons, by the clock of Estonia. A due time is fired for an hour after it, then it is missed.
use chrono::{DateTime, Days, Duration, NaiveTime, TimeZone, Utc};
use chrono_tz::Europe::Tallinn;
use domain::jobs::Kind;

/// A job for every day at one time.
pub struct Daily {
    pub name: &'static str,
    pub hour: u32,
    pub minute: u32,
    pub kind: Kind,
}

/// Nothing stands between 03:00 and 04:00: that hour is missing or doubled when the clocks change.
pub const CRONS: [Daily; 1] = [Daily {
    name: "reconcile-case-list",
    hour: 4,
    minute: 15,
    kind: Kind::ReconcileCaseList,
}];

/// The last due time at or before `now`, when it is not yet an hour old.
pub fn due(cron: &Daily, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let time = NaiveTime::from_hms_opt(cron.hour, cron.minute, 0)?;
    let today = now.with_timezone(&Tallinn).date_naive();
    let last = [Some(today), today.checked_sub_days(Days::new(1))]
        .into_iter()
        .flatten()
        .filter_map(|day| Tallinn.from_local_datetime(&day.and_time(time)).earliest())
        .map(|at| at.with_timezone(&Utc))
        .find(|at| *at <= now)?;
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
        let [cron] = &CRONS;
        for (now, expected) in [
            ("2026-10-24T01:15:00Z", Some("2026-10-24T01:15:00Z")),
            ("2026-10-25T02:20:00Z", Some("2026-10-25T02:15:00Z")),
            ("2027-03-28T01:14:59Z", None),
            ("2027-03-28T01:16:00Z", Some("2027-03-28T01:15:00Z")),
            ("2026-10-24T02:15:00Z", None),
        ] {
            assert_eq!(due(cron, at(now)), expected.map(at), "{now}");
        }
    }
}
