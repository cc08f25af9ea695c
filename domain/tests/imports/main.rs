//! Imports against real PostgreSQL, with files of every spelling, faulty files, hostile files, and runs that are cut short.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
mod cut_short;
mod hostile;
mod rules;
mod spellings;
mod support;
