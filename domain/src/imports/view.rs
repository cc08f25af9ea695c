//! What is shown of imports: the bureau's list, and one with its errors and warnings.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::ids::{ImportId, JobId, TenantId};
use crate::jobs::State;
use crate::page::{Listed, Page};
use crate::{Error, Result};

/// An import as lists show it. `status` is 1–5 as of tasks and follows the job while there is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    pub id: ImportId,
    pub tenant_id: TenantId,
    pub source: String,
    pub status: i16,
    pub job_id: Option<JobId>,
    pub file_name: String,
    pub file_bytes: i64,
    pub percent: i16,
    /// None until the whole file has been read.
    pub rows: Option<i32>,
    pub rows_done: i32,
    pub added: i32,
    pub updated: i32,
    pub unchanged: i32,
    pub error_count: i32,
    pub warning_count: i32,
    /// Why it failed as a whole.
    pub message: Option<String>,
    pub created_by_name: Option<String>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
}

/// An error or warning row of an import; the header is row 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub warning: bool,
    pub row: i32,
    pub case_number: Option<String>,
    pub column: Option<String>,
    pub message: String,
}

struct Line {
    id: i64,
    tenant_id: i64,
    source: String,
    status: i16,
    job_id: Option<i64>,
    job_state: Option<State>,
    job_output: Option<String>,
    job_error: Option<String>,
    file_name: String,
    file_bytes: i64,
    percent: i16,
    rows: Option<i32>,
    rows_done: i32,
    added: i32,
    updated: i32,
    unchanged: i32,
    error_count: i32,
    warning_count: i32,
    message: Option<String>,
    created_by_name: Option<String>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
}

/// What a person reads whose file took its worker down again and again: what it left, and what can be done.
pub(super) const CRASHED: &str = "Töötleja katkes selle faili juures 3 korda ja rohkem ei proovita. Midagi ei muudetud. Tükeldage fail \
                       väiksemateks osadeks või andke sellest teada arendajale.";

impl From<Line> for Import {
    fn from(line: Line) -> Self {
        // The job decides: it may have been cancelled, given up, or sent round again without the import's own row knowing.
        // Where it is gone after its 90 days, what still says "under way" had been given up.
        let left = if line.status == 1 { 3 } else { line.status };
        let status = line.job_state.map_or(left, State::wire);
        let gave_up = status == 3 && line.error_count == 0;
        let message = match line.job_error.as_deref() {
            Some("worker_crashed") if gave_up => Some(CRASHED.into()),
            _ => line.message.or(line.job_output.filter(|_| gave_up)),
        };
        Self {
            id: ImportId(line.id),
            tenant_id: TenantId(line.tenant_id),
            source: line.source,
            status,
            job_id: line.job_id.map(JobId),
            file_name: line.file_name,
            file_bytes: line.file_bytes,
            percent: line.percent,
            rows: line.rows,
            rows_done: line.rows_done,
            added: line.added,
            updated: line.updated,
            unchanged: line.unchanged,
            error_count: line.error_count,
            warning_count: line.warning_count,
            message,
            created_by_name: line.created_by_name,
            created_at: line.created_at,
            started_at: line.started_at,
            finished_at: line.finished_at,
        }
    }
}

/// The imports that the transaction's scope may see, newest first.
pub async fn list(conn: &mut PgConnection, page: Page) -> Result<Listed<Import>> {
    let total = sqlx::query_scalar!(r#"select count(*) as "count!" from imports"#)
        .fetch_one(&mut *conn)
        .await?;
    let lines = sqlx::query_as!(
        Line,
        r#"select i.id, i.tenant_id, i.type as source, i.status, i.job_id, j.state as "job_state?: State", j.output as "job_output?", j.error_code as "job_error?",
                  i.file_name, i.file_bytes, i.percent, i.rows, i.rows_done, i.added, i.updated, i.unchanged, i.error_count,
                  i.warning_count, i.message, u.name as "created_by_name?", i.created_at, i.started_at,
                  coalesce(i.finished_at, j.finished_at) as "finished_at?"
           from imports i left join jobs j on j.id = i.job_id left join users u on u.id = i.created_by
           order by i.id desc limit $1 offset $2"#,
        page.limit,
        page.offset,
    )
    .fetch_all(conn)
    .await?;
    Ok(Listed {
        rows: lines.into_iter().map(Import::from).collect(),
        total,
    })
}

/// One import with the kept errors and warnings, in the order of the file. Not found outside the transaction's scope.
pub async fn get(conn: &mut PgConnection, id: ImportId) -> Result<(Import, Vec<Found>)> {
    let line = sqlx::query_as!(
        Line,
        r#"select i.id, i.tenant_id, i.type as source, i.status, i.job_id, j.state as "job_state?: State", j.output as "job_output?", j.error_code as "job_error?",
                  i.file_name, i.file_bytes, i.percent, i.rows, i.rows_done, i.added, i.updated, i.unchanged, i.error_count,
                  i.warning_count, i.message, u.name as "created_by_name?", i.created_at, i.started_at,
                  coalesce(i.finished_at, j.finished_at) as "finished_at?"
           from imports i left join jobs j on j.id = i.job_id left join users u on u.id = i.created_by
           where i.id = $1"#,
        id.0,
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::NotFound)?;
    let found = sqlx::query_as!(
        Found,
        "select warning, row, case_number, column_name as column, message from import_issues where import_id = $1
         order by warning, idx",
        id.0,
    )
    .fetch_all(conn)
    .await?;
    Ok((Import::from(line), found))
}
