//! Works one delivery: claim, hand to the kind's handler, settle what the handler could not.
use std::sync::Arc;
use std::time::Duration;

use domain::ids::BulkActionId;
use domain::jobs::run::{self, Back, Claimed, Ending, Outcome};
use domain::jobs::{Failure, Queue, failure};
use domain::telemetry::Trace;
use tracing::Instrument;

use crate::broker::Delivery;
use crate::context::Context;
use crate::{gate, handlers};

/// Works a delivery to its end. Nothing is returned: whatever goes wrong is on the rows.
pub async fn work(ctx: Arc<Context>, queue: Queue, delivery: Delivery) {
    // A suspect may take the process down: one at a time, so that only it is to blame.
    let _alone = if delivery.suspect {
        ctx.suspects.acquire().await.ok()
    } else {
        None
    };
    let Some(pass) = gate::admit(&ctx, &delivery).await else {
        return;
    };
    if ctx.stopping.is_cancelled() {
        let declined =
            async { run::decline(&mut *ctx.queue.acquire().await?, &delivery.pairs()).await };
        return report(
            declined.await,
            "a delivery was not declined, its lease runs out",
        );
    }
    let claimed = claim(&ctx, &delivery).await;
    let Some(first) = claimed.first() else { return };
    let action = first.bulk_action_id;
    fail::fail_point!("claimed", |_| std::process::abort());
    #[cfg(feature = "failpoints")]
    poison(&claimed);
    let trace = first.request_id.as_deref().map(Trace::of);
    // At this level, so that no filter hides whom a line belongs to.
    let span = tracing::error_span!(
        "work",
        otel.name = first.kind.as_str(),
        otel.kind = "consumer",
        queue.name = queue.as_str(),
        job.id = first.id.0,
        job.kind = first.kind.as_str(),
        job.count = claimed.len(),
        request.id = first.request_id.as_deref(),
        trace.id = trace.map(Trace::id)
    );
    if let Some(trace) = trace {
        trace.take(&span);
    }
    let held = ctx.running.hold(&claimed);
    async {
        if let Some(action) = action.filter(|action| ctx.is_first_of(*action)) {
            let noted = async { run::mark_started(&mut *ctx.queue.acquire().await?, action).await };
            report(noted.await, "an action's start was not noted");
        }
        if claimed.len() > 1 {
            match handle(&ctx, &claimed).await {
                Ok(()) => return,
                // Nothing is wrong with any of them: one by one each would wait for the same.
                Err(failure @ Failure::Released { .. }) => {
                    return settle(&ctx, &claimed, failure).await;
                }
                Err(_) => {}
            }
        }
        // One by one, so that one bad case takes none of its neighbours down.
        for job in &claimed {
            let alone = std::slice::from_ref(job);
            if let Err(failure) = handle(&ctx, alone).await {
                settle(&ctx, alone, pass.judge(failure)).await;
            }
        }
    }
    .instrument(span)
    .await;
    drop(held);
    if let Some(action) = action {
        close_soon(&ctx, action);
    }
}

/// How often an action is asked whether it is over.
const CLOSE: Duration = Duration::from_millis(100);

/// Looks in a moment whether the action is over; whatever ends until then needs no look of its own.
fn close_soon(ctx: &Arc<Context>, action: BulkActionId) {
    if !ctx.plan_close(action) {
        return;
    }
    let ctx = ctx.clone();
    tokio::spawn(async move {
        tokio::time::sleep(CLOSE).await;
        ctx.begin_close(action);
        let close = async {
            let mut tx = ctx.queue.begin().await?;
            let closed = domain::bulk_actions::close_finished(&mut tx, &[action]).await?;
            tx.commit().await?;
            Ok::<_, domain::Error>(closed)
        };
        report(close.await, "an action was not closed, the sweeper will");
    });
}

/// Takes the process down when a failpoint names the case of one of these jobs.
#[cfg(feature = "failpoints")]
fn poison(jobs: &[Claimed]) {
    for case in jobs.iter().filter_map(|job| job.case_id) {
        fail::fail_point!(&format!("case-{case}"), |_| std::process::abort());
    }
}

/// Runs the handler in a task of its own under the kind's time limit, and no longer than the process may drain.
async fn handle(ctx: &Arc<Context>, jobs: &[Claimed]) -> Result<(), Failure> {
    if ctx.spent.is_cancelled() {
        return Err(drained());
    }
    let (ctx, spent, jobs) = (ctx.clone(), ctx.spent.clone(), jobs.to_vec());
    let limit = jobs
        .first()
        .map_or(Duration::ZERO, |job| handlers::time_limit(job.kind));
    let mut body = tokio::spawn(async move { handlers::run(&ctx, &jobs).await }.in_current_span());
    let ended = tokio::select! {
        ended = tokio::time::timeout(limit, &mut body) => ended,
        () = spent.cancelled() => {
            body.abort();
            Ok((&mut body).await)
        }
    };
    match ended {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(broke)) if broke.is_cancelled() => Err(drained()),
        Ok(Err(_)) => {
            // Where, the panic itself has said; its words may hold values.
            tracing::error!("a handler panicked");
            end_if_exhausted();
            Err(Failure::Permanent {
                code: "panic".into(),
                message: "Sisemine viga.".into(),
            })
        }
        Err(_) => {
            body.abort();
            Err(Failure::Transient {
                code: "time_limit".into(),
                message: "Töö ei jõudnud ajapiiri jooksul valmis.".into(),
            })
        }
    }
}

/// A process that gets no thread any more is no worker: every later job would break here as well. It ends as one whose memory
/// is used up ends, what it held counts as crashed, and a fresh one takes its place.
fn end_if_exhausted() {
    if let Err(error) = std::thread::Builder::new().spawn(|| {}) {
        tracing::error!(error = %error, "no thread is to be had, so this process ends");
        std::process::abort();
    }
}

/// What the end of the process's drain makes of a run.
fn drained() -> Failure {
    Failure::Released {
        after: Duration::ZERO,
        reason: "drain".into(),
    }
}

/// Claims until the database answers; while it is away there is nothing else to do here.
async fn claim(ctx: &Context, delivery: &Delivery) -> Vec<Claimed> {
    let pairs = delivery.pairs();
    for wait in waits() {
        let claimed =
            async { run::claim(&mut *ctx.queue.acquire().await?, ctx.worker, &pairs).await };
        match claimed.await {
            Ok(claimed) => return claimed,
            Err(error) => tracing::warn!(error = %error, "a claim failed, trying again"),
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = ctx.spent.cancelled() => break,
        }
    }
    Vec::new()
}

/// Ends or puts back what its handler could not finish: one run, or a released chunk. Tries for as long as the lease can last.
async fn settle(ctx: &Context, jobs: &[Claimed], failure: Failure) {
    let [job, ..] = jobs else { return };
    let failure = match failure {
        Failure::Transient { code, message }
            if failure::is_last(job.kind.queue(), job.failures)
                || failure::is_too_old(job.kind.queue(), job.created_at, domain::clock::now()) =>
        {
            Failure::Permanent { code, message }
        }
        other => other,
    };
    for wait in waits() {
        match tokio::time::timeout(ANSWER, try_settle(ctx, jobs, &failure)).await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => {
                tracing::warn!(job.id = job.id.0, error = %error, "a run was not settled, trying again")
            }
            Err(_) => {
                tracing::warn!(
                    job.id = job.id.0,
                    "a run was not settled in time, trying again"
                )
            }
        }
        tokio::time::sleep(wait).await;
    }
}

async fn try_settle(ctx: &Context, jobs: &[Claimed], failure: &Failure) -> domain::Result<()> {
    let [job, ..] = jobs else { return Ok(()) };
    let mut conn = ctx.queue.acquire().await?;
    let pairs: Vec<_> = jobs.iter().map(|job| (job.id, job.dispatch_no)).collect();
    match failure {
        Failure::Permanent { code, message } => {
            let outcome = Outcome::new(job, Ending::Failed { code: code.clone() }, message.clone());
            if !run::finish(&mut conn, std::slice::from_ref(&outcome))
                .await?
                .is_empty()
            {
                ctx.minutes.add(job, &outcome.ending);
            }
        }
        Failure::Transient { code, message } => {
            let back = Back::Retry {
                code: code.clone(),
                error: message.clone(),
            };
            let after = failure::backoff(job.failures);
            if run::put_back(&mut conn, &pairs, &back, after).await? > 0 {
                ctx.minutes.count(job.kind.queue(), "retry");
            }
        }
        Failure::Released { after, reason } => {
            let back = if ctx.spent.is_cancelled() {
                Back::BrokenOff
            } else {
                Back::Released {
                    reason: reason.clone(),
                }
            };
            for _ in 0..run::put_back(&mut conn, &pairs, &back, *after).await? {
                ctx.minutes.count(job.kind.queue(), "released");
            }
        }
    }
    Ok(())
}

/// How long our own database may take for one statement; a connection that has silently died would take a quarter of an hour.
const ANSWER: Duration = Duration::from_secs(10);

/// Waits between tries at our own database, about a minute and a half in all.
pub(crate) fn waits() -> impl Iterator<Item = Duration> {
    (0..20).map(|n| Duration::from_millis(100).saturating_mul(1 << n.min(6)))
}

fn report(outcome: domain::Result<impl Sized>, what: &'static str) {
    if let Err(error) = outcome {
        tracing::warn!(error = %error, what);
    }
}
