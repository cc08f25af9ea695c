//! Jobs found, grouped and steered by the many, against real PostgreSQL, each caller under his own role.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
#[path = "../case_list/chance.rs"]
mod chance;
mod errors;
mod finding;
mod many_cases;
mod movement;
mod operator_actions;
mod queues;
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../bulk_actions/world.rs"]
mod world;
