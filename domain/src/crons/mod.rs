//! Crons: what is due by the clock becomes one job, whoever fires it and however often. `table` names them, `schedule` knows
//! the clock, `fire` is the scheduler's step, `acts` and `view` are for people.
mod acts;
mod fire;
pub mod schedule;
mod table;
mod view;

pub use acts::{Open, disable, execute, open, rights};
pub use fire::{LATE, MOST_FAILURES, State, due_time, fire, settle, states};
pub use table::{CatchUp, Cron, Overlap, RIG, TABLE};
pub use view::{Outcome, Run, Seen, Shut, forget, late, list, look, runs};

use crate::{Error, Result};

/// The cron of this id.
pub fn by_id(id: i64) -> Result<&'static Cron> {
    TABLE
        .iter()
        .find(|cron| cron.id == id)
        .ok_or(Error::NotFound)
}

/// The cron of this name.
pub fn by_name(name: &str) -> Option<&'static Cron> {
    TABLE.iter().find(|cron| cron.name == name)
}
