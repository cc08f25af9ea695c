//! Bulk actions against a real PostgreSQL, through the roles that the processes use.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
mod acts;
mod closing;
mod counting;
mod launching;
mod ledger;
mod tenancy;
mod world;
