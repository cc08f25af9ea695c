//! Firings: a due time becomes one job, whoever fires it and however often.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::ids::{JobId, TenantId};
use crate::jobs::{Kind, NewJob, enqueue};
use crate::{Error, Result};

/// Fires once for (cron, scheduled_at); refused (`already_fired`) when that time was fired before, and the caller rolls back.
/// System jobs carry the chamber's tenant.
pub async fn fire(
    conn: &mut PgConnection,
    cron: &str,
    scheduled_at: DateTime<Utc>,
    kind: Kind,
) -> Result<JobId> {
    let chamber = sqlx::query_scalar!("select id from bureaus where is_chamber")
        .fetch_one(&mut *conn)
        .await?;
    // Nobody clicked: the firing begins a trace of its own.
    let request_id = Uuid::now_v7().to_string();
    let job = NewJob {
        request_id: Some(&request_id),
        ..NewJob::new(kind, TenantId(chamber))
    };
    let job = enqueue(conn, &job).await?;
    let fired = sqlx::query!(
        "insert into cron_runs (cron, scheduled_at, job_id) values ($1, $2, $3) on conflict do nothing",
        cron,
        scheduled_at,
        job.0,
    )
    .execute(conn)
    .await?;
    if fired.rows_affected() == 0 {
        return Err(Error::refused(
            "already_fired",
            "Selle aja töö on juba loodud.",
        ));
    }
    Ok(job)
}
