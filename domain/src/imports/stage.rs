//! The staging table of one import: temporary, filled by COPY, gone with the transaction.
//! It does not exist when the crate is compiled, so its statements are not `query!` macros; tests run each.
use std::fmt::{Display, Write};

use sqlx::PgConnection;
use sqlx::postgres::PgCopyIn;

use super::row::{Party, Row};
use crate::Result;

/// A buffer of this size goes to PostgreSQL at once.
pub const PIECE_BYTES: usize = 64 * 1024;

/// Makes the empty table; COPY FROM does not work on tables with row security, so rows come here first.
pub async fn create(conn: &mut PgConnection) -> Result<()> {
    sqlx::raw_sql(
        "create temporary table import_rows (
           row integer not null, prefix smallint, year smallint, index integer, statement text, opened date, status smallint,
           closed date, close_basis bigint, stopped date, stop_basis bigint,
           claimant_type smallint, claimant_name text, claimant_code text, claimant_born date, claimant_gender smallint,
           debtor_type smallint, debtor_name text, debtor_code text, debtor_born date, debtor_gender smallint,
           iban text, bank bigint, address text, claim_type bigint, periodic bigint,
           start_fee bigint, costs bigint, claim bigint, interest bigint, issuer_fee bigint,
           start_fee_left bigint, costs_left bigint, claim_left bigint, interest_left bigint, issuer_fee_left bigint,
           received bigint, reference text, decision_number text, decision_date date, resolver text, delivery date,
           voluntary date, digest bytea
         ) on commit drop",
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Opens the COPY; the connection is busy until it is finished.
pub async fn copy(conn: &mut PgConnection) -> Result<PgCopyIn<&mut PgConnection>> {
    Ok(conn.copy_in_raw("copy import_rows from stdin").await?)
}

/// Appends the row as one line of COPY's text format.
pub fn write(out: &mut String, row: &Row) {
    let mut line = Line {
        out,
        is_first: true,
    };
    let number = row.number;
    line.put(Some(row.row));
    line.put(number.map(|n| n.prefix));
    line.put(number.map(|n| n.year));
    line.put(number.map(|n| n.index));
    line.text(&row.statement);
    line.put(row.opened);
    line.put(row.status.map(|s| s.number()));
    line.put(row.closed);
    line.put(row.close_basis);
    line.put(row.stopped);
    line.put(row.stop_basis);
    line.party(&row.claimant);
    line.party(&row.debtor);
    line.text(&row.iban);
    line.put(row.bank);
    line.text(&row.address);
    line.put(row.claim_type);
    line.put(row.periodic.map(|c| c.0));
    for owed in [&row.full, &row.remaining] {
        for cents in [
            owed.start_fee,
            owed.costs,
            owed.claims,
            owed.interest,
            owed.issuer_fee,
        ] {
            line.put(Some(cents.0));
        }
    }
    line.put(Some(row.received.0));
    line.text(&row.reference);
    line.text(&row.decision_number);
    line.put(row.decision_date);
    line.text(&row.resolver);
    line.put(row.delivery);
    line.put(row.voluntary);
    line.bytes(&row.digest);
    line.out.push('\n');
}

struct Line<'a> {
    out: &'a mut String,
    is_first: bool,
}

impl Line<'_> {
    fn next(&mut self) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push('\t');
        }
    }

    /// A value whose text needs no escaping.
    fn put(&mut self, value: Option<impl Display>) {
        self.next();
        // Writing to a String cannot fail.
        let _ = match value {
            Some(value) => write!(self.out, "{value}"),
            None => self.out.write_str("\\N"),
        };
    }

    fn text(&mut self, value: &Option<String>) {
        let Some(value) = value else {
            return self.put(None::<&str>);
        };
        self.next();
        for c in value.chars() {
            match c {
                '\\' => self.out.push_str("\\\\"),
                '\t' => self.out.push_str("\\t"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                c => self.out.push(c),
            }
        }
    }

    fn bytes(&mut self, value: &[u8]) {
        self.next();
        self.out.push_str("\\\\x");
        for byte in value {
            let _ = write!(self.out, "{byte:02x}");
        }
    }

    fn party(&mut self, party: &Party) {
        self.put(party.kind);
        self.text(&party.name);
        self.text(&party.code);
        self.put(party.born);
        self.put(party.gender);
    }
}
