//! Handlers of what is done by the clock and belongs to no other noun.
use domain::db::{self, Scope};
use domain::jobs::{Claimed, Ending, Outcome, finish, sweep};
use domain::{Result, Tx, alerts, clock, crons, mail, sessions};

use crate::context::Context;

/// Deletes what is left of sessions that are over.
pub async fn expire_sessions(ctx: &Context, job: &Claimed) -> Result<()> {
    let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
    let gone = sessions::prune(&mut tx).await?;
    let output = format!("Lõppenud seansside lubasid kustutatud: {gone}.");
    end(ctx, job, tx, output).await
}

/// Moves old tasks to the archive, in steps of a transaction each, until none is left.
pub async fn archive_tasks(ctx: &Context, job: &Claimed) -> Result<()> {
    let mut moved = 0;
    loop {
        let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
        let step = sweep::archive(&mut tx).await?;
        moved += step;
        if step > 0 && !ctx.spent.is_cancelled() {
            tx.commit().await?;
            continue;
        }
        let output = format!("Arhiivi viidud või kustutatud vanu töid: {moved}.");
        return end(ctx, job, tx, output).await;
    }
}

/// Compares the rules of alerts with the figures of the last minutes, and tells whoever wants to know.
pub async fn evaluate_alerts(ctx: &Context, job: &Claimed) -> Result<()> {
    let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
    let came = alerts::evaluate(&mut tx, clock::now()).await?;
    let output = format!(
        "Reegleid {}, rakendus {}, möödus {}, hindamata {}.",
        came.rules, came.fired, came.recovered, came.failed
    );
    end(ctx, job, tx, output).await
}

/// Tells of the day before the due time, by the clocks of Estonia, whoever wants it: also where the run comes days later.
pub async fn send_daily_digests(ctx: &Context, job: &Claimed) -> Result<()> {
    let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
    let due = crons::due_time(&mut tx, job.id).await?;
    let readers = mail::send_daily_digests(&mut tx, due.unwrap_or_else(clock::now)).await?;
    let output = format!("Päeva kokkuvõtte soovijaid: {readers}.");
    end(ctx, job, tx, output).await
}

/// Ends the job well with what its transaction has done; whoever was overtaken leaves nothing.
async fn end(ctx: &Context, job: &Claimed, mut tx: Tx, output: String) -> Result<()> {
    let mine = finish(&mut tx, &[Outcome::new(job, Ending::Ok, output)]).await?;
    if !mine.contains(&job.id) {
        return Ok(tx.rollback().await?);
    }
    tx.commit().await?;
    ctx.minutes.add(job, &Ending::Ok);
    Ok(())
}
