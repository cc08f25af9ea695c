//! Does the slow things: distributes jobs over Redis and works them. Any number of processes and hosts.
pub mod broker;
mod bulk_actions;
pub mod cases;
pub mod context;
mod crons;
pub mod dispatcher;
mod flow;
pub mod gate;
pub mod handlers;
mod imports;
mod outcomes;
pub mod pace;
pub mod process;
mod slots;
pub mod status;
pub mod sweeper;
mod sync;
pub mod worker;
