//! Whoever started an import is told how it ended.
use sqlx::PgConnection;

use crate::Result;
use crate::ids::{ImportId, TenantId, UserId};
use crate::jobs::Claimed;
use crate::mail::{self, ImportFacts, Notice};

/// In the transaction that ends the import; a person's retry of its job is another run.
pub async fn ended(conn: &mut PgConnection, import: ImportId, job: &Claimed) -> Result<()> {
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
        run: job.run,
        tenant: TenantId(row.tenant_id),
        facts: mail::value(&facts),
    };
    mail::notify(conn, &notice, &[UserId(row.created_by)]).await
}
