//! Loads fee tables, VAT rates and the sums of main claims.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::PgConnection;

use super::{Rates, Table};
use crate::Result;
use crate::cases::sums::FeeRow;
use crate::ids::CaseId;
use crate::money::Cents;

/// Figures change a few times a year; a changed row acts at most this much later.
const KEPT: Duration = Duration::from_secs(3);

/// A process's memory of the figures, so that a chunk of tasks does not read them again.
#[derive(Debug, Default)]
pub struct Memory(Mutex<Option<(Instant, Arc<Rates>)>>);

impl Memory {
    /// Fee tables and VAT rates as they were at most a few seconds ago.
    pub async fn rates(&self, conn: &mut PgConnection) -> Result<Arc<Rates>> {
        let known = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some((read_at, rates)) = known
            && read_at.elapsed() < KEPT
        {
            return Ok(rates);
        }
        let rates = Arc::new(rates(conn).await?);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((Instant::now(), Arc::clone(&rates)));
        Ok(rates)
    }
}

/// Every fee table and VAT rate.
pub async fn rates(conn: &mut PgConnection) -> Result<Rates> {
    let rows = sqlx::query!(
        "select t.valid_from, r.claim_up_to_cents, r.fee_cents
         from issuer_fee_tables t join issuer_fee_rows r on r.table_id = t.id
         order by t.valid_from, r.claim_up_to_cents nulls last"
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut tables: Vec<Table> = Vec::new();
    for row in rows {
        let bracket = FeeRow {
            up_to: row.claim_up_to_cents.map(Cents),
            fee: Cents(row.fee_cents),
        };
        match tables.last_mut() {
            Some(table) if table.valid_from == row.valid_from => table.brackets.push(bracket),
            _ => tables.push(Table {
                valid_from: row.valid_from,
                brackets: vec![bracket],
            }),
        }
    }
    let vat = sqlx::query!("select valid_from, permille from vat_rates order by valid_from")
        .fetch_all(conn)
        .await?;
    Ok(Rates {
        tables,
        vat_permille: vat
            .into_iter()
            .map(|row| (row.valid_from, row.permille))
            .collect(),
    })
}

/// The sum on which the base fee of each case is computed; a case without main claims in force is missing, one whose sum
/// overflows has none. The same definition as `cases::sums::fee_base`.
pub async fn bases(
    conn: &mut PgConnection,
    cases: &[CaseId],
) -> Result<HashMap<CaseId, Option<Cents>>> {
    let ids: Vec<i64> = cases.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"select m.case_id,
                  nullif(least(
                    coalesce(sum(m.sum_full_cents) filter (where m.type = 0 and not t.maintenance), 0)
                    + coalesce(nullif(sum(m.sum_periodical_cents) filter (where t.maintenance), 0),
                               sum(m.sum_full_cents) filter (where m.type = 0 and t.maintenance), 0),
                    9223372036854775807), 9223372036854775807)::bigint as base
           from claims m join claim_types t on t.id = m.claim_type_id
           where m.case_id = any($1) and m.main_claim and m.status in (0, 1)
           group by m.case_id"#,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (CaseId(row.case_id), row.base.map(Cents)))
        .collect())
}
