//! The job of an import: read, judge, apply in one transaction, and settle the job in it. A run that dies changes nothing.
use std::time::Duration;

use object_store::ObjectStore;
use object_store::path::Path;
use sqlx::PgPool;
use tokio::time::Instant;

use super::apply::{self, Order};
use super::file::{self, File, Task, too_long};
use super::header::Source;
use super::issues::Issues;
use super::judge::{self, Plan};
use super::progress::Progress;
use super::{sql, stage, tell};
use crate::cases::refresh_list;
use crate::db::{self, Scope, Tx};
use crate::ids::{ImportId, UserId};
use crate::jobs::{Claimed, Ending, Outcome, finish};
use crate::{Error, Result};

/// Cases whose list rows are refreshed by one statement.
const REFRESHED_AT_ONCE: usize = 5_000;

/// What an import may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub time: Duration,
}

impl Default for Limits {
    /// Ten minutes. Source: spec 2 §9.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(600),
        }
    }
}

/// How a reading of the file ended.
enum Verdict {
    /// All is written and committed; no ending when another run has the job.
    Done(Option<Ending>),
    /// The file has errors; nothing was changed.
    Refused { rows: u32, issues: Issues },
}

/// Runs the import of this job to its end; None when another run has the job by then. An error means that nothing was changed and the job is still running: the caller
/// classes it, and hands a lasting one to [`fail`].
pub async fn run(
    pool: &PgPool,
    store: &dyn ObjectStore,
    job: &Claimed,
    limits: Limits,
) -> Result<Option<Ending>> {
    let deadline = Instant::now() + limits.time;
    let import = import_id(job)?;
    let mut tx = db::begin(pool, Scope::Bureau(job.tenant_id)).await?;
    let begun = sql::begin(&mut tx, import, job).await?;
    tx.commit().await?;
    let Some(begun) = begun else {
        return fail(pool, job, "not_found", "Importi ei leitud.").await;
    };
    let mut progress = Progress::new(pool, job, import);
    let outcome = attempt(pool, store, job, import, &begun, deadline, &mut progress).await;
    match outcome {
        Ok(Verdict::Done(ending)) => Ok(ending),
        Ok(Verdict::Refused { rows, issues }) => refuse(pool, job, import, rows, issues).await,
        Err(error) => match lasting(&error, deadline) {
            Some((code, message)) => fail(pool, job, code, &message).await,
            None => Err(error),
        },
    }
}

/// Ends the job and its import as failed, with a sentence for the user.
pub async fn fail(
    pool: &PgPool,
    job: &Claimed,
    code: &str,
    message: &str,
) -> Result<Option<Ending>> {
    let import = import_id(job)?;
    let mut tx = db::begin(pool, Scope::Bureau(job.tenant_id)).await?;
    let ended = end(&mut tx, job, failed(code), message).await?;
    if ended.is_some() {
        sql::clear_issues(&mut tx, import).await?;
        sql::end_failed(&mut tx, import, None, 0, 0, Some(message)).await?;
        tell::ended(&mut tx, import, job).await?;
        tx.commit().await?;
    }
    Ok(ended)
}

fn import_id(job: &Claimed) -> Result<ImportId> {
    let id = job
        .args
        .as_ref()
        .and_then(|args| args.get("importId"))
        .and_then(serde_json::Value::as_i64);
    id.map(ImportId).ok_or(Error::NotFound)
}

/// Errors that no other run could get around.
fn lasting(error: &Error, deadline: Instant) -> Option<(&'static str, String)> {
    let is_stopped_by_us = |e: &sqlx::Error| {
        let code = e.as_database_error().and_then(|e| e.code());
        code.as_deref() == Some("57014") && Instant::now() >= deadline
    };
    match error {
        Error::Refused { code, message } => Some((*code, message.clone())),
        Error::Store(object_store::Error::NotFound { .. }) => Some((
            "file_missing",
            "Üleslaaditud faili ei leitud failihoidlast.".into(),
        )),
        Error::Database(e) if is_stopped_by_us(e) => lasting(&too_long(), deadline),
        _ => None,
    }
}

async fn attempt(
    pool: &PgPool,
    store: &dyn ObjectStore,
    job: &Claimed,
    import: ImportId,
    begun: &sql::Begun,
    deadline: Instant,
    progress: &mut Progress<'_>,
) -> Result<Verdict> {
    let source = Source::parse(&begun.source).ok_or(Error::NotFound)?;
    let file = File {
        store,
        path: Path::from(begun.file_key.as_str()),
        bytes: u64::try_from(begun.file_bytes).unwrap_or(0),
    };
    let encoding = file.encoding().await?;
    let mut tx = db::begin(pool, Scope::Bureau(job.tenant_id)).await?;
    let known = sql::known(&mut tx, job.tenant_id).await?;
    limit(&mut tx, deadline).await?;
    stage::create(&mut tx).await?;
    let task = Task {
        file,
        encoding,
        source,
        known: &known,
        deadline,
    };
    let mut issues = Issues::default();
    let rows = file::stage(&mut tx, &task, progress, &mut issues).await?;
    // One import of a bureau at a time from here on: two would race for the same people and numbers.
    sql::one_at_a_time(&mut tx, job.tenant_id).await?;
    limit(&mut tx, deadline).await?;
    let plan = judge::judge(&mut tx, job.tenant_id, source, &mut issues).await?;
    progress.show(45, Some(rows)).await;
    if issues.errors.count == 0 {
        let order = Order {
            import,
            tenant: job.tenant_id,
            source,
            country: known.country,
            job: job.id,
            user: job.created_by.unwrap_or(UserId(begun.created_by)),
            request_id: job.request_id.as_deref(),
        };
        write(&mut tx, &order, plan, deadline, progress, &mut issues).await?;
    }
    if issues.errors.count > 0 {
        tx.rollback().await?;
        return Ok(Verdict::Refused { rows, issues });
    }
    if rows == 0 {
        issues.warnings.add(super::issues::Issue {
            row: 1,
            case_number: None,
            column: None,
            message: "Failis ei ole ühtegi toimikut.".into(),
        });
    }
    limit(&mut tx, deadline).await?;
    let ended = settle(tx, job, import, rows, plan, issues).await?;
    Ok(Verdict::Done(ended))
}

/// Gives the statements that follow what is left of the time.
async fn limit(tx: &mut Tx, deadline: Instant) -> Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(too_long());
    }
    db::limit(tx, left).await
}

async fn write(
    tx: &mut Tx,
    order: &Order<'_>,
    plan: Plan,
    deadline: Instant,
    progress: &mut Progress<'_>,
    issues: &mut Issues,
) -> Result<()> {
    if plan.added == 0 && plan.updated == 0 {
        return Ok(());
    }
    limit(tx, deadline).await?;
    apply::people(tx, order).await?;
    progress.show(52, None).await;
    limit(tx, deadline).await?;
    apply::cases(tx, order, plan, issues).await?;
    if issues.errors.count > 0 {
        return Ok(());
    }
    progress.show(60, None).await;
    limit(tx, deadline).await?;
    apply::children(tx, order).await?;
    progress.show(70, None).await;
    let touched = apply::touched(tx).await?;
    let mut done = 0;
    for part in touched.chunks(REFRESHED_AT_ONCE) {
        limit(tx, deadline).await?;
        refresh_list(tx, part).await?;
        done += part.len();
        let share = |count: usize| u64::try_from(count).unwrap_or(0);
        progress
            .show(
                Progress::within(70, 99, share(done), share(touched.len())),
                None,
            )
            .await;
    }
    Ok(())
}

/// Ends the job in the import's own transaction. It comes last, not first: the job's row would stay locked for the whole
/// import and its lease could not be renewed; a run that lost its job still writes nothing, since all rolls back together.
async fn settle(
    mut tx: Tx,
    job: &Claimed,
    import: ImportId,
    rows: u32,
    plan: Plan,
    mut issues: Issues,
) -> Result<Option<Ending>> {
    issues.sort();
    let ending = if issues.warnings.count > 0 {
        Ending::Warning
    } else {
        Ending::Ok
    };
    let output = format!(
        "Ridu {rows}: lisatud {}, muudetud {}, muutmata {}. Hoiatusi {}.",
        plan.added, plan.updated, plan.unchanged, issues.warnings.count
    );
    let ended = end(&mut tx, job, ending, &output).await?;
    if ended.is_some() {
        sql::clear_issues(&mut tx, import).await?;
        sql::write_issues(&mut tx, import, job.tenant_id, &issues).await?;
        sql::end_done(&mut tx, import, rows, plan, issues.warnings.count).await?;
        tell::ended(&mut tx, import, job).await?;
        tx.commit().await?;
    }
    Ok(ended)
}

/// Keeps the lists of errors and warnings; nothing else was changed.
async fn refuse(
    pool: &PgPool,
    job: &Claimed,
    import: ImportId,
    rows: u32,
    mut issues: Issues,
) -> Result<Option<Ending>> {
    issues.sort();
    let output = format!(
        "Failis on vigu: {}. Midagi ei muudetud.",
        issues.errors.count
    );
    let mut tx = db::begin(pool, Scope::Bureau(job.tenant_id)).await?;
    let ended = end(&mut tx, job, failed("import_errors"), &output).await?;
    if ended.is_some() {
        sql::clear_issues(&mut tx, import).await?;
        sql::write_issues(&mut tx, import, job.tenant_id, &issues).await?;
        sql::end_failed(
            &mut tx,
            import,
            Some(rows),
            issues.errors.count,
            issues.warnings.count,
            None,
        )
        .await?;
        tell::ended(&mut tx, import, job).await?;
        tx.commit().await?;
    }
    Ok(ended)
}

fn failed(code: &str) -> Ending {
    Ending::Failed { code: code.into() }
}

/// The ending, if the run was still ours to end; if not, the caller drops its transaction.
async fn end(tx: &mut Tx, job: &Claimed, ending: Ending, output: &str) -> Result<Option<Ending>> {
    let ended = finish(tx, &[Outcome::new(job, ending.clone(), output)]).await?;
    if !ended.contains(&job.id) {
        tracing::warn!(
            job.id = job.id.0,
            "fenced: another run has this import, nothing was written"
        );
        return Ok(None);
    }
    Ok(Some(ending))
}
