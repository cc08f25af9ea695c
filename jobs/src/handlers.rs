//! Which handler works which kind, and how long it may take.
use std::sync::Arc;
use std::time::Duration;

use domain::jobs::{Claimed, Ending, Failure, Kind, Outcome, failure};

use crate::context::Context;
use crate::{bulk_actions, cases, crons, imports, mail, sync, webhook};

/// Runs the handler of a list of one kind. Chunked kinds take the list whole, in one transaction.
pub async fn run(ctx: &Arc<Context>, jobs: &[Claimed]) -> Result<(), Failure> {
    let Some(first) = jobs.first() else {
        return Ok(());
    };
    let done = match first.kind {
        Kind::Probe => return probe(ctx, first).await,
        Kind::SetStartFee | Kind::ComputeIssuerFee => return bulk_actions::fees(ctx, jobs).await,
        Kind::SyncToRegister => return sync::run(ctx, first).await,
        Kind::ImportCases => return imports::run(ctx, first).await,
        Kind::SendMail => return mail::run(ctx, first).await,
        Kind::SendWebhook => return webhook::run(ctx, first).await,
        Kind::TouchCase => cases::touch(ctx, jobs).await,
        Kind::ReconcileCaseList => cases::reconcile(ctx, first).await,
        Kind::ExpireSessions => crons::expire_sessions(ctx, first).await,
        Kind::ArchiveTasks => crons::archive_tasks(ctx, first).await,
        Kind::EvaluateAlerts => crons::evaluate_alerts(ctx, first).await,
        Kind::SendDailyDigests => crons::send_daily_digests(ctx, first).await,
    };
    done.map_err(|error| failure::of(&error))
}

/// The most that one run may take.
pub fn time_limit(kind: Kind) -> Duration {
    match kind {
        // The import itself stops after ten minutes and says so.
        Kind::ImportCases => Duration::from_secs(660),
        // The conversation ends itself after SMTP_TIMEOUT_S.
        Kind::SendMail | Kind::ReconcileCaseList | Kind::ArchiveTasks => Duration::from_secs(600),
        Kind::SendDailyDigests => Duration::from_secs(300),
        Kind::ExpireSessions | Kind::EvaluateAlerts => Duration::from_secs(60),
        Kind::SendWebhook => Duration::from_secs(30),
        Kind::SyncToRegister => Duration::from_secs(90),
        Kind::TouchCase | Kind::SetStartFee | Kind::ComputeIssuerFee => Duration::from_secs(60),
        Kind::Probe => Duration::from_secs(5),
    }
}

async fn probe(ctx: &Context, job: &Claimed) -> Result<(), Failure> {
    let outcome = Outcome::new(job, Ending::Ok, "");
    let finished = async {
        let mut conn = ctx.queue.acquire().await?;
        domain::jobs::finish(&mut conn, &[outcome]).await
    };
    let mine = finished.await.map_err(|error| failure::of(&error))?;
    if mine.contains(&job.id) {
        ctx.minutes.add(job, &Ending::Ok);
    }
    Ok(())
}
