//! Types 1 and 3 on a chunk: one transaction, each task with its own outcome, every write over the set.
use std::collections::HashSet;

use domain::bulk_actions::{self, Args, Chunk, ChunkAction, Decision, FeeChange, Type};
use domain::fees::{self, Rates};
use domain::ids::{BulkActionId, CaseId, JobId, TenantId};
use domain::jobs::{Claimed, Ending, Failure, Outcome, failure, finish};
use domain::money::Cents;
use domain::{Error, Result, Scope, db};

use crate::context::Context;

/// Works a list of tasks of one action and bureau.
pub async fn fees(ctx: &Context, jobs: &[Claimed]) -> Result<(), Failure> {
    let done = run(ctx, jobs).await.map_err(|error| failure::of(&error))?;
    for (job, ending) in done {
        ctx.minutes.add(job, &ending);
    }
    Ok(())
}

/// Returns the jobs that were still ours, with their endings.
async fn run<'a>(ctx: &Context, jobs: &'a [Claimed]) -> Result<Vec<(&'a Claimed, Ending)>> {
    let (action, tenant) = of(jobs)?;
    let cases: Vec<CaseId> = jobs.iter().filter_map(|job| job.case_id).collect();
    let mut tx = db::begin(&ctx.pool, Scope::Bureau(tenant)).await?;
    let chunk = bulk_actions::load(&mut tx, action, &cases).await?;
    let decisions: Vec<(&Claimed, Decision)> = match chunk.action.kind {
        _ if chunk.action.cancelled => jobs.iter().map(|job| (job, cancelled())).collect(),
        Type::ComputeIssuerFee => {
            let rates = ctx.fees.rates(&mut tx).await?;
            let bases = fees::bases(&mut tx, &cases).await?;
            jobs.iter()
                .map(|job| {
                    (
                        job,
                        decide(
                            &chunk,
                            job,
                            &rates,
                            bases.get(&case(job)).copied().flatten(),
                        ),
                    )
                })
                .collect()
        }
        _ => jobs
            .iter()
            .map(|job| (job, decide(&chunk, job, &Rates::default(), None)))
            .collect(),
    };
    let outcomes: Vec<Outcome> = decisions
        .iter()
        .map(|(job, decision)| Outcome::new(job, decision.ending.clone(), decision.output.clone()))
        .collect();
    let mine = finish(&mut tx, &outcomes).await?;
    let changes = changes(&chunk, &decisions, &mine);
    let request_id = jobs.first().and_then(|job| job.request_id.as_deref());
    bulk_actions::write_fees(&mut tx, &chunk.action, request_id, &changes).await?;
    let changed: Vec<CaseId> = changes.iter().map(|change| change.case_id).collect();
    domain::cases::refresh_list(&mut tx, &changed).await?;
    tx.commit().await?;
    let ended = decisions
        .into_iter()
        .filter(|(job, _)| mine.contains(&job.id));
    Ok(ended
        .map(|(job, decision)| (job, decision.ending))
        .collect())
}

fn of(jobs: &[Claimed]) -> Result<(BulkActionId, TenantId)> {
    let first = jobs.first().ok_or(Error::NotFound)?;
    Ok((
        first.bulk_action_id.ok_or(Error::NotFound)?,
        first.tenant_id,
    ))
}

fn case(job: &Claimed) -> CaseId {
    job.case_id.unwrap_or(CaseId(0))
}

fn cancelled() -> Decision {
    Decision {
        ending: Ending::Cancelled,
        output: "Katkestatud.".into(),
        fee: None,
    }
}

fn decide(chunk: &Chunk, job: &Claimed, rates: &Rates, base: Option<Cents>) -> Decision {
    let Some(found) = chunk.cases.get(&case(job)) else {
        return Decision::warning(bulk_actions::GONE);
    };
    if let Some(skipped) = found.skipped(&chunk.action) {
        return skipped;
    }
    match chunk.action.args {
        Args::StartFee(new) => bulk_actions::start_fee(found.start_fee, new),
        Args::None => {
            bulk_actions::issuer_fee(found.issuer_fee, found.opened_on, base, rates, found.vat)
        }
    }
}

fn changes(
    chunk: &Chunk,
    decisions: &[(&Claimed, Decision)],
    mine: &HashSet<JobId>,
) -> Vec<FeeChange> {
    let ours = decisions.iter().filter(|(job, _)| mine.contains(&job.id));
    let change = |(job, decision): &(&Claimed, Decision)| {
        let found = chunk.cases.get(&case(job))?;
        Some(FeeChange {
            case_id: case(job),
            job_id: job.id,
            before: before(&chunk.action, found),
            after: decision.fee?,
        })
    };
    ours.filter_map(change).collect()
}

fn before(action: &ChunkAction, case: &bulk_actions::ChunkCase) -> bulk_actions::Fee {
    if action.kind == Type::SetStartFee {
        case.start_fee
    } else {
        case.issuer_fee
    }
}
