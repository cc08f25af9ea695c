//! An export: everything that matches, read in parts by a cursor of one snapshot. Dropping it closes the cursor.
use sqlx::PgPool;
use sqlx::postgres::PgRow;

use super::{Rows, Wanted, count, sql};
use crate::db::{self, Tx};
use crate::{Actor, Result};

/// Rows read at once: some 300 kB.
const PART: &str = "fetch 2000 from export";

pub struct Export {
    tx: Tx,
    wanted: Wanted,
    /// How many rows there will be.
    pub total: i64,
}

impl Export {
    /// Opens the cursor in a transaction of its own.
    pub async fn begin(pool: &PgPool, actor: &Actor, wanted: Wanted) -> Result<Self> {
        let mut tx = db::begin(pool, wanted.view.scope(actor)).await?;
        // One snapshot for the count and the rows; a reader as slow as a minute a part is waited for.
        sqlx::raw_sql("set transaction isolation level repeatable read; set local idle_in_transaction_session_timeout = '60s'")
            .execute(&mut *tx)
            .await?;
        let total = count(&mut tx, &wanted.filters, wanted.view).await?;
        let bureaus =
            sqlx::query_scalar!("select id from bureaus where not is_chamber order by id")
                .fetch_all(&mut *tx)
                .await?;
        if let Some(settings) = sql::along_the_index(wanted.sort, &wanted.filters) {
            sqlx::raw_sql(settings).execute(&mut *tx).await?;
        }
        sql::cursor(
            &wanted.columns,
            wanted.sort,
            &wanted.filters,
            wanted.view,
            &bureaus,
        )
        .build()
        .persistent(false)
        .execute(&mut *tx)
        .await?;
        Ok(Self { tx, wanted, total })
    }

    /// The next rows; empty at the end.
    pub async fn next(&mut self) -> Result<Rows> {
        let rows: Vec<PgRow> = sqlx::query(PART).fetch_all(&mut *self.tx).await?;
        Ok(Rows {
            columns: self.wanted.columns.clone(),
            rows,
        })
    }

    /// Ends the transaction after the last part.
    pub async fn finish(self) -> Result<()> {
        self.tx.commit().await?;
        Ok(())
    }
}
