//! Whoever started an import is told how it ended.
use sqlx::PgConnection;

use super::view::CRASHED;
use crate::Result;
use crate::ids::{ImportId, TenantId, UserId};
use crate::jobs::Claimed;
use crate::mail::{self, ImportFacts, Notice};

/// In the transaction that ends the import.
pub async fn ended(conn: &mut PgConnection, import: ImportId, job: &Claimed) -> Result<()> {
    tell(conn, import, job.run).await
}

/// Ends and tells of imports whose job has ended without them: it was given up by the sweep, broke off, or was cancelled.
/// Under the queue's scope; returns how many.
pub async fn given_up(conn: &mut PgConnection) -> Result<usize> {
    let open = sqlx::query!(
        r#"select id, job_id as "job_id!" from imports where finished_at is null and job_id is not null"#
    )
    .fetch_all(&mut *conn)
    .await?;
    if open.is_empty() {
        return Ok(0);
    }
    let jobs: Vec<i64> = open.iter().map(|import| import.job_id).collect();
    let over = sqlx::query!(
        r#"update imports i
           set status = case j.state when 'failed' then 3 else 4 end, finished_at = j.finished_at,
               message = case when j.error_code = 'worker_crashed' then $2 else coalesce(i.message, j.output) end
           from jobs j
           where j.id = any($1) and i.job_id = j.id and i.finished_at is null and j.state in ('failed', 'cancelled')
           returning i.id, j.runs"#,
        &jobs,
        CRASHED,
    )
    .fetch_all(&mut *conn)
    .await?;
    for import in &over {
        tell(conn, ImportId(import.id), import.runs).await?;
    }
    Ok(over.len())
}

/// A person's retry of its job is another run.
async fn tell(conn: &mut PgConnection, import: ImportId, run: i32) -> Result<()> {
    let row = sqlx::query!(
        r#"select i.tenant_id, i.created_by, i.status, i.file_name, i.rows, i.added, i.updated, i.unchanged,
                  i.error_count, i.warning_count, i.message, i.finished_at as "finished_at!"
           from imports i where i.id = $1 and i.finished_at is not null"#,
        import.0,
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(row) = row else { return Ok(()) };
    let facts = ImportFacts {
        id: import.0,
        status: row.status,
        file_name: row.file_name,
        rows: row.rows,
        added: row.added,
        updated: row.updated,
        unchanged: row.unchanged,
        errors: row.error_count,
        warnings: row.warning_count,
        message: row.message,
        finished_at: row.finished_at,
    };
    let notice = Notice {
        kind: mail::Kind::Import,
        object: ("Import", import.0),
        run,
        tenant: TenantId(row.tenant_id),
        facts: mail::value(&facts),
    };
    mail::notify(conn, &notice, &[UserId(row.created_by)]).await
}
