//! Decides: what the law, the bureau and the queue allow. Knows PostgreSQL, and nothing of HTTP, SOAP, Redis or apalis.
pub mod actor;
pub mod audit;
pub mod cases;
pub mod claims;
pub mod clock;
pub mod codes;
pub mod config;
pub mod db;
pub mod error;
pub mod files;
pub mod idempotency;
pub mod ids;
pub mod imports;
pub mod jobs;
pub mod money;
pub mod page;
pub mod sessions;
pub mod testing;
pub mod users;

pub use actor::{Actor, Role};
pub use db::{Scope, Tx};
pub use error::{Error, Result, Violation};
