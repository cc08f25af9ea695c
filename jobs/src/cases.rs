//! Jobs over all cases.
use domain::db::{self, Scope};
use domain::ids::TenantId;
use domain::jobs::{Claimed, Ending, Outcome, finish};
use domain::{Error, Result, bureaus, cases};

use crate::context::Context;

/// Compares the list rows of every bureau with its cases and mends what differs. Nothing should: a warning when it did.
pub async fn reconcile(ctx: &Context, job: &Claimed) -> Result<()> {
    let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
    let tenants: Vec<TenantId> = bureaus::ids(&mut tx).await?;
    tx.commit().await?;
    let mut mended = 0;
    for tenant in tenants {
        let mut tx = db::begin(&ctx.pool, Scope::Bureau(tenant)).await?;
        mended += cases::reconcile(&mut tx).await?;
        tx.commit().await?;
    }
    let (ending, output) = match mended {
        0 => (
            Ending::Ok,
            "Kõik loendi read vastavad toimikutele.".to_owned(),
        ),
        rows => (Ending::Warning, format!("Parandatud loendi ridu: {rows}.")),
    };
    let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
    let mine = finish(&mut tx, &[Outcome::new(job, ending.clone(), output)]).await?;
    tx.commit().await?;
    if mine.contains(&job.id) {
        ctx.minutes.add(job, &ending);
    }
    Ok(())
}

/// The bare pipeline that the benchmark measures: finish, one case UPDATE and its log row a task, one commit a list.
pub async fn touch(ctx: &Context, jobs: &[Claimed]) -> Result<()> {
    let tenant = jobs.first().ok_or(Error::NotFound)?.tenant_id;
    let outcomes: Vec<Outcome> = jobs
        .iter()
        .map(|job| Outcome::new(job, Ending::Ok, "Puudutatud."))
        .collect();
    let mut tx = db::begin(&ctx.pool, Scope::Bureau(tenant)).await?;
    let mine = finish(&mut tx, &outcomes).await?;
    let touched: Vec<_> = jobs
        .iter()
        .filter(|job| mine.contains(&job.id))
        .filter_map(|job| job.case_id)
        .collect();
    cases::touch(&mut tx, tenant, &touched).await?;
    tx.commit().await?;
    for job in jobs.iter().filter(|job| mine.contains(&job.id)) {
        ctx.minutes.add(job, &Ending::Ok);
    }
    Ok(())
}
