//! The handler of imports: hands the job to the domain with this process's pool and file store.
use domain::imports::{self, Limits};
use domain::jobs::{Claimed, Failure, Queue, failure};

use crate::context::Context;

/// Runs the import to its end, good or bad. An error leaves the job to be put back.
pub async fn run(ctx: &Context, job: &Claimed) -> Result<(), Failure> {
    let ended = match imports::run(&ctx.pool, &*ctx.store, job, Limits::default()).await {
        Ok(ended) => ended,
        Err(error) => {
            let failed = failure::of(&error);
            // What ends the job ends the import with it, in one transaction.
            let (code, message) = match &failed {
                Failure::Permanent { code, message } => (code, message),
                Failure::Transient { code, message }
                    if failure::is_last(Queue::Import, job.failures) =>
                {
                    (code, message)
                }
                _ => return Err(failed),
            };
            imports::fail(&ctx.pool, job, code, message)
                .await
                .map_err(|error| failure::of(&error))?
        }
    };
    if let Some(ending) = ended {
        ctx.minutes.add(job, &ending);
    }
    Ok(())
}
