//! How an action moves, as it goes over the wire.
use chrono::{DateTime, Utc};
use domain::movement::Movement;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementAnswer {
    /// Jobs that ended a minute, over the last minute; none before three samples and after a minute without any.
    per_minute: Option<i64>,
    left_seconds: Option<LeftAnswer>,
    last_at: Option<DateTime<Utc>>,
    /// Since when it should move: the last that ended, its start, or when it was let go on.
    moves_since: DateTime<Utc>,
    /// What ended in each five seconds up to the last, oldest first, at most 24.
    bars: Vec<BarAnswer>,
}

/// Seconds until the end at the present pace.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeftAnswer {
    least: i64,
    most: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BarAnswer {
    done: i64,
    failed: i64,
}

impl MovementAnswer {
    /// With the times at which it was let go.
    pub fn new(
        movement: Movement,
        created_at: DateTime<Utc>,
        let_go: &[Option<DateTime<Utc>>],
    ) -> Self {
        let times = let_go.iter().copied().flatten().chain(movement.last_at);
        Self {
            per_minute: movement.per_minute,
            left_seconds: movement
                .left_seconds
                .map(|(least, most)| LeftAnswer { least, most }),
            last_at: movement.last_at,
            moves_since: times.fold(created_at, DateTime::max),
            bars: movement
                .bars
                .iter()
                .map(|bar| BarAnswer {
                    done: bar.done,
                    failed: bar.failed,
                })
                .collect(),
        }
    }
}
