//! Jobs over all cases.
use domain::db::{self, Scope};
use domain::ids::TenantId;
use domain::jobs::{Claimed, Ending, Outcome, finish};
use domain::{Result, bureaus, cases};

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
    finish(&mut tx, &[Outcome::new(job, ending, output)]).await?;
    Ok(tx.commit().await?)
}
