//! The job of the daily digests: makes one notice a person who wants it.
use domain::jobs::{Claimed, Ending, Failure, Outcome, failure, finish};
use domain::{Scope, clock, db, mail};

use crate::context::Context;

/// Tells of yesterday, by the clocks of Estonia; a second run on the same day tells nobody.
pub async fn run(ctx: &Context, job: &Claimed) -> Result<(), Failure> {
    let ended = async {
        let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
        let readers = mail::send_daily_digests(&mut tx, clock::now()).await?;
        let output = format!("Päeva kokkuvõtte soovijaid: {readers}.");
        let mine = finish(&mut tx, &[Outcome::new(job, Ending::Ok, output)]).await?;
        if mine.contains(&job.id) {
            tx.commit().await?;
        }
        Ok::<_, domain::Error>(mine)
    };
    let mine = ended.await.map_err(|error| failure::of(&error))?;
    if mine.contains(&job.id) {
        ctx.minutes.add(job, &Ending::Ok);
    }
    Ok(())
}
