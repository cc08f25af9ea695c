//! How far an import is, written in transactions of its own so that it is seen while the import's own is open.
use sqlx::PgPool;

use crate::Result;
use crate::db::{self, Scope};
use crate::ids::ImportId;
use crate::jobs::Claimed;

pub struct Progress<'a> {
    pool: &'a PgPool,
    job: &'a Claimed,
    import: ImportId,
    shown: i16,
}

impl<'a> Progress<'a> {
    pub fn new(pool: &'a PgPool, job: &'a Claimed, import: ImportId) -> Self {
        Self {
            pool,
            job,
            import,
            shown: 0,
        }
    }

    /// Shows the percentage when it rose. A failure here is no reason to stop the import.
    pub async fn show(&mut self, percent: i16, rows: Option<u32>) {
        if percent <= self.shown {
            return;
        }
        self.shown = percent;
        let rows = rows.and_then(|rows| i32::try_from(rows).ok());
        if let Err(error) = self.write(percent, rows).await {
            tracing::warn!(import.id = self.import.0, %error, "the progress of an import could not be written");
        }
    }

    async fn write(&self, percent: i16, rows: Option<i32>) -> Result<()> {
        let mut tx = db::begin(self.pool, Scope::Bureau(self.job.tenant_id)).await?;
        sqlx::query!(
            "update imports set percent = $2, rows_done = coalesce($3, rows_done)
             where id = $1 and exists (select from jobs where id = $4 and dispatch_no = $5 and state = 'running')",
            self.import.0,
            percent,
            rows,
            self.job.id.0,
            self.job.dispatch_no,
        )
        .execute(&mut *tx)
        .await?;
        Ok(tx.commit().await?)
    }

    /// `share` of 100 within the span of this phase.
    pub fn within(from: i16, to: i16, done: u64, all: u64) -> i16 {
        let span = u64::try_from(to - from).unwrap_or(0);
        let part = span.saturating_mul(done) / all.max(1);
        from + i16::try_from(part.min(span)).unwrap_or(0)
    }
}
