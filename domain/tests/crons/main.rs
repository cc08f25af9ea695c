//! Crons: the clock, and what a scheduler does with a database.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
mod clock;
mod firing;
