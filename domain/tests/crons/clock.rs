//! Due times compared with an independent calendar: Python's zoneinfo.
use std::process::Command;

use chrono::{DateTime, Utc};
use domain::crons::schedule::Schedule;
use domain::crons::{RIG, TABLE};

fn by_python(from: DateTime<Utc>, until: DateTime<Utc>, patterns: &[&str]) -> Vec<Vec<i64>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crons/calendar.py");
    let output = Command::new("python3")
        .arg(script)
        .args([from.timestamp().to_string(), until.timestamp().to_string()])
        .args(patterns)
        .output()
        .expect("python3 runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).expect("numbers");
    text.lines()
        .map(|line| {
            let numbers = line.split_whitespace();
            numbers.map(|at| at.parse().expect("a number")).collect()
        })
        .collect()
}

#[test]
fn every_tick_is_that_of_an_independent_calendar() {
    let mut patterns: Vec<&str> = TABLE.iter().map(|cron| cron.schedule).collect();
    patterns.extend(
        RIG.iter()
            .map(|cron| cron.schedule)
            .filter(|one| one.split(' ').count() == 5),
    );
    patterns.extend([
        "* * * * *",
        "0 * * * *",
        "0 3 * * *",
        "59 3 * * *",
        "0,30 2,3,4 * * *",
        "0 0 * * *",
        "0 0 29 2 *",
        "30 3 29 2 *",
        "59 23 31 12 *",
        "0 0 1 1 *",
    ]);
    let mut ticks = 0;
    for (from, until) in [
        ("2026-10-24T00:00:00Z", "2026-10-26T23:59:59Z"),
        ("2027-03-27T00:00:00Z", "2027-03-29T23:59:59Z"),
        ("2028-02-28T00:00:00Z", "2028-03-01T23:59:59Z"),
        ("2026-12-30T20:00:00Z", "2027-01-01T20:00:00Z"),
        ("2100-02-27T00:00:00Z", "2100-03-02T00:00:00Z"),
    ] {
        let (from, until): (DateTime<Utc>, DateTime<Utc>) = (
            from.parse().expect("an instant"),
            until.parse().expect("an instant"),
        );
        let expected = by_python(from, until, &patterns);
        assert_eq!(expected.len(), patterns.len());
        for (pattern, expected) in patterns.iter().zip(expected) {
            let schedule = Schedule::parse(pattern).expect("a pattern");
            let found = schedule.between(from, until, usize::MAX);
            let found: Vec<i64> = found.iter().map(DateTime::timestamp).collect();
            assert_eq!(found, expected, "{pattern} from {from}");
            ticks += found.len();
        }
    }
    assert!(ticks > 10_000, "{ticks}");
}
