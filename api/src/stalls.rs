//! Why something that waits does not move, on the wire.
use chrono::{DateTime, Utc};
use domain::jobs::Queue;
use domain::jobs::whole::{Stall, StallCode};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct StallAnswer {
    /// paused, action_paused, register_down, no_workers or retry.
    #[schema(value_type = String)]
    code: StallCode,
    #[schema(value_type = Option<String>)]
    queue: Option<Queue>,
    register: Option<String>,
    /// A pause's.
    reason: Option<String>,
    by: Option<String>,
    since: Option<DateTime<Utc>>,
    /// When it may go on: the end of a pause, the next probe of a register, the next try.
    until: Option<DateTime<Utc>>,
}

impl From<Stall> for StallAnswer {
    fn from(stall: Stall) -> Self {
        let Stall {
            code,
            queue,
            register,
            reason,
            by,
            since,
            until,
        } = stall;
        Self {
            code,
            queue,
            register,
            reason,
            by,
            since,
            until,
        }
    }
}
