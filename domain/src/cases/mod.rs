//! Enforcement cases: number, status, sums, and the list row that follows each change.
pub mod list;
pub mod number;
pub mod status;
pub mod sums;

mod refresh;

pub use number::Number;
pub use refresh::{drift, reconcile, refresh_list, touch};
pub use status::{CaseState, CaseStatus, Standing};
