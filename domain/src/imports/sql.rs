//! All SQL of imports that does not touch the staging table.
use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;

use super::New;
use super::issues::{Issues, Listing};
use super::judge::Plan;
use super::receipts;
use super::row::{Known, lower};
use crate::actor::Actor;
use crate::ids::{ImportId, JobId, TenantId};
use crate::jobs::Claimed;
use crate::{Error, Result};

/// What a run needs of its import.
pub struct Begun {
    pub source: String,
    pub file_key: String,
    pub file_bytes: i64,
    pub created_by: i64,
}

/// Marks the import as under way; None when there is no such import, or another run has the job.
pub async fn begin(
    conn: &mut PgConnection,
    import: ImportId,
    job: &Claimed,
) -> Result<Option<Begun>> {
    Ok(sqlx::query_as!(
        Begun,
        "update imports set status = 1, percent = 0, rows_done = 0, message = null, started_at = clock_timestamp(), finished_at = null
         where id = $1 and exists (select from jobs where id = $2 and dispatch_no = $3 and state = 'running')
         returning type as source, file_key, file_bytes, created_by",
        import.0,
        job.id.0,
        job.dispatch_no,
    )
    .fetch_optional(conn)
    .await?)
}

/// Reads what the rows of a file may refer to.
pub async fn known(conn: &mut PgConnection, tenant: TenantId) -> Result<Known> {
    let code = sqlx::query_scalar!("select code from bureaus where id = $1", tenant.0)
        .fetch_optional(&mut *conn)
        .await?
        .ok_or(Error::NotFound)?;
    let prefix = code.parse().map_err(|_| {
        Error::refused(
            "no_prefix",
            "Sellel bürool ei ole toimikunumbrite eesliidet.",
        )
    })?;
    let claim_types = sqlx::query!("select id, name, maintenance from claim_types")
        .fetch_all(&mut *conn)
        .await?;
    let values = sqlx::query!(
        "select v.id, v.name, c.tag from classifier_values v join classifiers c on c.id = v.classifier_id
         where c.tag in ('close_basis', 'stop_reason', 'country')"
    )
    .fetch_all(&mut *conn)
    .await?;
    let banks = sqlx::query!(
        r#"select id, code as "code!" from banks where code is not null order by active, id desc"#
    )
    .fetch_all(&mut *conn)
    .await?;
    let order = sqlx::query_scalar!(
        "select value from settings where type = 'import' and name = 'receipts_order' and (tenant_id = $1 or tenant_id is null)
         order by tenant_id nulls last limit 1",
        tenant.0
    )
    .fetch_optional(conn)
    .await?;
    let tagged = |tag: &str| -> HashMap<String, i64> {
        let of_tag = values.iter().filter(|v| v.tag == tag);
        of_tag.map(|v| (lower(&v.name), v.id)).collect()
    };
    Ok(Known {
        prefix,
        claim_types: claim_types
            .into_iter()
            .map(|t| (lower(&t.name), (t.id, t.maintenance)))
            .collect(),
        close_bases: tagged("close_basis"),
        stop_bases: tagged("stop_reason"),
        banks: banks.into_iter().map(|b| (b.code, b.id)).collect(),
        country: tagged("country").get("eesti").copied(),
        receipts_order: order.as_ref().and_then(receipts::order),
    })
}

/// Waits for another import of the bureau to end, as long as a lock may take.
pub async fn one_at_a_time(conn: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended('import', $1))",
        tenant.0
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn clear_issues(conn: &mut PgConnection, import: ImportId) -> Result<()> {
    sqlx::query!("delete from import_issues where import_id = $1", import.0)
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn write_issues(
    conn: &mut PgConnection,
    import: ImportId,
    tenant: TenantId,
    issues: &Issues,
) -> Result<()> {
    write_listing(conn, import, tenant, false, &issues.errors).await?;
    write_listing(conn, import, tenant, true, &issues.warnings).await
}

async fn write_listing(
    conn: &mut PgConnection,
    import: ImportId,
    tenant: TenantId,
    warning: bool,
    listing: &Listing,
) -> Result<()> {
    let rows: Vec<i32> = listing
        .kept
        .iter()
        .map(|i| i32::try_from(i.row).unwrap_or(i32::MAX))
        .collect();
    let numbers: Vec<Option<String>> = listing.kept.iter().map(|i| i.case_number.clone()).collect();
    let columns: Vec<Option<String>> = listing
        .kept
        .iter()
        .map(|i| i.column.as_deref().map(str::to_owned))
        .collect();
    let messages: Vec<String> = listing.kept.iter().map(|i| i.message.clone()).collect();
    sqlx::query!(
        "insert into import_issues (import_id, tenant_id, warning, idx, row, case_number, column_name, message)
         select $1, $2, $3, u.idx, u.row, u.number, u.title, u.message
         from unnest($4::int[], $5::text[], $6::text[], $7::text[]) with ordinality as u (row, number, title, message, idx)",
        import.0,
        tenant.0,
        warning,
        &rows,
        &numbers as &[Option<String>],
        &columns as &[Option<String>],
        &messages,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes the counts of an import that was applied.
pub async fn end_done(
    conn: &mut PgConnection,
    import: ImportId,
    rows: u32,
    plan: Plan,
    warnings: i32,
) -> Result<()> {
    let rows = i32::try_from(rows).unwrap_or(i32::MAX);
    sqlx::query!(
        "update imports set status = case when $6 > 0 then 5 else 2 end, percent = 100, rows = $2, rows_done = $2, added = $3,
           updated = $4, unchanged = $5, error_count = 0, warning_count = $6, message = null, finished_at = clock_timestamp()
         where id = $1",
        import.0,
        rows,
        plan.added,
        plan.updated,
        plan.unchanged,
        warnings,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes the counts of an import that changed nothing.
pub async fn end_failed(
    conn: &mut PgConnection,
    import: ImportId,
    rows: Option<u32>,
    errors: i32,
    warnings: i32,
    message: Option<&str>,
) -> Result<()> {
    sqlx::query!(
        "update imports set status = 3, rows = $2, added = 0, updated = 0, unchanged = 0, error_count = $3, warning_count = $4,
           message = $5, finished_at = clock_timestamp()
         where id = $1",
        import.0,
        rows.map(|rows| i32::try_from(rows).unwrap_or(i32::MAX)),
        errors,
        warnings,
        message,
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn insert(
    conn: &mut PgConnection,
    actor: &Actor,
    new: &New,
    bytes: i64,
) -> Result<ImportId> {
    let id = sqlx::query_scalar!(
        "insert into imports (tenant_id, type, file_key, file_name, file_bytes, created_by) values ($1, $2, $3, $4, $5, $6)
         returning id",
        actor.tenant_id.0,
        new.source.as_str(),
        new.file_key,
        new.file_name,
        bytes,
        actor.user_id.0,
    )
    .fetch_one(conn)
    .await?;
    Ok(ImportId(id))
}

pub async fn set_job(conn: &mut PgConnection, import: ImportId, job: JobId) -> Result<()> {
    sqlx::query!(
        "update imports set job_id = $2 where id = $1",
        import.0,
        job.0
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn has_file(conn: &mut PgConnection, key: &str) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (select from imports where file_key = $1) as "found!""#,
        key
    )
    .fetch_one(conn)
    .await?;
    Ok(found)
}

/// Those of these files that an import names.
pub async fn named_files(conn: &mut PgConnection, keys: &[String]) -> Result<HashSet<String>> {
    let named = sqlx::query_scalar!(
        "select file_key from imports where file_key = any($1)",
        keys
    )
    .fetch_all(conn)
    .await?;
    Ok(named.into_iter().collect())
}
