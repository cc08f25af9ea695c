//! The api against a real PostgreSQL, one database a test.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]

mod bulk_actions;
mod cases;
mod gate;
mod imports;
mod input;
mod logs;
mod mail;
mod matrix;
mod metrics;
mod once;
mod operations;
mod reads;
mod sign_in;
mod site;
mod throttle;
mod tokens;
mod users;
mod wire;
