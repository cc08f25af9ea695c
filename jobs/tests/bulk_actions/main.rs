//! The handlers of bulk actions 1, 3 and 9 on real rows; the national register is the simulator over HTTP.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
mod fees;
mod sync;
#[allow(dead_code, reason = "shared with the tests of domain")]
#[path = "../../../domain/tests/bulk_actions/world.rs"]
mod world;

use std::sync::Arc;

use domain::ids::WorkerId;
use domain::jobs::{Claimed, Failure};
use jobs::context::Context;
use jobs::handlers;
use world::World;

/// What handlers are given, with the register at `url`.
pub fn context(world: &World, url: &str, state_service: bool) -> Arc<Context> {
    let mut config = registers::Config::new(url).unwrap();
    config.tarn_state_service = state_service;
    let tarn = registers::tarn::Client::new(&config).unwrap();
    let as_queue = world
        .jobs
        .connect_options()
        .as_ref()
        .clone()
        .options([("role", "toimik_queue")]);
    let store = Arc::new(object_store::memory::InMemory::new());
    let mailer = jobs::mail::Mailer::new(jobs::mail::Config::to_files(), store.clone()).unwrap();
    let webhooks = jobs::webhook::Webhooks::new(jobs::webhook::Config::default()).unwrap();
    Arc::new(Context::new(
        world.jobs.clone(),
        world.jobs.clone(),
        domain::db::pool(as_queue, 4),
        WorkerId(1),
        tarn,
        store,
        (mailer, webhooks),
    ))
}

/// Runs a handler and the closing rule, as a worker does.
pub async fn work(world: &World, ctx: &Arc<Context>, jobs: &[Claimed]) -> Result<(), Failure> {
    let outcome = handlers::run(ctx, jobs).await;
    world.close(jobs).await;
    outcome
}

/// A task's state and output, with plain spaces.
pub async fn told(world: &World, job: &Claimed) -> (String, String) {
    let (state, output): (String, String) =
        sqlx::query_as("select state::text, coalesce(output, '') from jobs where id = $1")
            .bind(job.id.0)
            .fetch_one(&world.admin)
            .await
            .unwrap();
    (state, output.replace('\u{a0}', " "))
}
