//! Bulk actions against a real PostgreSQL, through the roles that the processes use.
mod acts;
mod closing;
mod counting;
mod launching;
mod ledger;
mod tenancy;
mod world;
