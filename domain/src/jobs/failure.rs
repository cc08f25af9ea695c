//! Decides whether a failed run is tried again, and when.
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::Queue;
use crate::Error;

/// How a run failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// Trying again would not help: the job ends failed.
    Permanent { code: String, message: String },
    /// The other side may recover: tried again until the queue's limit.
    Transient { code: String, message: String },
    /// Our own side faltered (database, drain, pause): goes back and counts for nothing.
    Released { after: Duration, reason: String },
}

/// The one place that classes a domain error of a job.
pub fn of(error: &Error) -> Failure {
    match error {
        Error::NotFound => Failure::Permanent {
            code: "not_found".into(),
            message: "Ei leitud.".into(),
        },
        Error::Forbidden => Failure::Permanent {
            code: "forbidden".into(),
            message: "Puuduvad piisavad õigused.".into(),
        },
        Error::Refused { code, message } => Failure::Permanent {
            code: (*code).into(),
            message: message.clone(),
        },
        Error::Invalid(violations) => Failure::Permanent {
            code: "invalid".into(),
            message: violations
                .iter()
                .map(|v| v.message.as_str())
                .collect::<Vec<_>>()
                .join("\n"),
        },
        Error::Stale { .. } => Failure::Released {
            after: Duration::from_secs(1),
            reason: "stale".into(),
        },
        Error::Database(error) => of_database(error),
        Error::Store(error) => {
            // What a store says is for whoever runs it, not for a person's import.
            tracing::warn!(cause = %error, "the store of files refused or did not answer");
            Failure::Transient {
                code: "file_store".into(),
                message: "Failihoidla ei vasta. Proovige hiljem uuesti.".into(),
            }
        }
    }
}

fn of_database(error: &sqlx::Error) -> Failure {
    let Some(database) = error.as_database_error() else {
        // Pool time-out, lost connection, shutdown: nothing is wrong with the job.
        return match error {
            sqlx::Error::RowNotFound
            | sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::Decode(_)
            | sqlx::Error::Encode(_) => Failure::Permanent {
                code: "internal".into(),
                message: "Sisemine viga andmete lugemisel.".into(),
            },
            _ => Failure::Released {
                after: pause(),
                reason: "database".into(),
            },
        };
    };
    match database.code().as_deref() {
        // Lock time-out, serialisation, deadlock, cancelled, idle too long in a transaction; connection, resources, shutdown.
        Some(code)
            if ["55P03", "40001", "40P01", "57014", "25P03"].contains(&code)
                || ["08", "53", "57"].iter().any(|c| code.starts_with(c)) =>
        {
            Failure::Released {
                after: pause(),
                reason: format!("database {code}"),
            }
        }
        Some(code) => Failure::Permanent {
            code: format!("database_{code}"),
            message: "Andmebaas keeldus muudatusest.".into(),
        },
        None => Failure::Released {
            after: pause(),
            reason: "database".into(),
        },
    }
}

/// The wait before the next try: `min(1 s · 2ⁿ, 15 min) · random(0.5…1.5)` after the n-th failure.
pub fn backoff(failures: i16) -> Duration {
    let exponent = u32::try_from(failures).unwrap_or(0).min(10);
    let base = Duration::from_secs(1)
        .saturating_mul(1 << exponent)
        .min(Duration::from_secs(900));
    base.mul_f32(rand::random_range(0.5..1.5))
}

/// Whether a transient failure with this many before it ends the job.
pub fn is_last(queue: Queue, failures_before: i16) -> bool {
    failures_before.saturating_add(1) >= queue.failure_limit()
}

/// How long mail is tried.
pub const MAIL_AGE: TimeDelta = TimeDelta::hours(48);

/// Whether a job of that age is not tried again, however few its failures.
pub fn is_too_old(queue: Queue, created_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    queue == Queue::Mail && now - created_at >= MAIL_AGE
}

fn pause() -> Duration {
    Duration::from_millis(rand::random_range(1_000..5_000))
}

/// At most 2 kB of a text from outside.
pub fn excerpt(text: &str) -> String {
    let end = text
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .take_while(|end| *end <= 2048)
        .last()
        .unwrap_or(0);
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_quarter_of_an_hour() {
        for (failures, base) in [
            (0, 1),
            (1, 2),
            (5, 32),
            (9, 512),
            (10, 900),
            (i16::MAX, 900),
        ] {
            let wait = backoff(failures).as_secs_f32();
            let base = base as f32;
            assert!(
                wait >= base * 0.5 && wait < base * 1.5,
                "{failures}: {wait}"
            );
        }
    }

    #[test]
    fn mail_is_tried_for_two_days() {
        let now = crate::clock::now();
        for (queue, hours, over) in [
            (Queue::Mail, 47, false),
            (Queue::Mail, 48, true),
            (Queue::Register, 1_000, false),
        ] {
            assert_eq!(
                is_too_old(queue, now - TimeDelta::hours(hours), now),
                over,
                "{queue:?} {hours}"
            );
        }
    }

    #[test]
    fn a_lost_connection_counts_for_nothing() {
        assert!(matches!(
            of(&Error::Database(sqlx::Error::PoolTimedOut)),
            Failure::Released { .. }
        ));
        assert!(matches!(of(&Error::NotFound), Failure::Permanent { .. }));
    }

    #[test]
    fn excerpts_keep_whole_characters() {
        assert_eq!(excerpt(&"õ".repeat(2000)).len(), 2048);
        assert_eq!(excerpt("lühike"), "lühike");
    }
}
