//! The only place that asks what time it is; everything else takes `now` as an argument.
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Europe::Tallinn;

/// The present instant; called at the edges of a process only.
#[allow(clippy::disallowed_methods, reason = "the one place that may")]
pub fn now() -> DateTime<Utc> {
    Utc::now()
}

/// The legal day in Estonia at that instant.
pub fn day_in_estonia(at: DateTime<Utc>) -> NaiveDate {
    at.with_timezone(&Tallinn).date_naive()
}

/// What clocks in Estonia show at that instant.
pub fn time_in_estonia(at: DateTime<Utc>) -> chrono::NaiveDateTime {
    at.with_timezone(&Tallinn).naive_local()
}

/// The instant at which that legal day begins in Estonia.
pub fn start_of_day_in_estonia(day: NaiveDate) -> DateTime<Utc> {
    use chrono::TimeZone;
    // Clocks change at 03:00 and 04:00 there, so midnight always exists once.
    let midnight = day.and_time(chrono::NaiveTime::MIN);
    Tallinn
        .from_local_datetime(&midnight)
        .earliest()
        .map_or_else(|| midnight.and_utc(), |at| at.with_timezone(&Utc))
}

/// The full minute that the instant lies in.
pub fn start_of_minute(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp(at.timestamp().div_euclid(60) * 60, 0).unwrap_or(at)
}
