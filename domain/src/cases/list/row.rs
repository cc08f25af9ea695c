//! Rows of the case list as cells of known kinds, borrowed from what the database sent.
use chrono::NaiveDate;
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use super::columns::{Column, Kind};
use crate::Result;
use crate::cases::{CaseState, CaseStatus, Number};
use crate::ids::{CaseId, TenantId};
use crate::money::Cents;

/// Columns of a row before those asked for: the case and its bureau.
const BEFORE: usize = 2;

/// One value; a blank one is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'r> {
    Number(Number),
    Status(CaseStatus),
    State(CaseState),
    Text(Option<&'r str>),
    Money(Cents),
    Date(Option<NaiveDate>),
    Integer(i64),
    Flag(bool),
}

/// Rows of one answer or one part of an export.
#[derive(Debug)]
pub struct Rows {
    pub columns: Vec<&'static Column>,
    pub(super) rows: Vec<PgRow>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The row at `position`, which is below `len`.
    pub fn row(&self, position: usize) -> Option<Row<'_>> {
        self.rows.get(position).map(|row| Row {
            row,
            columns: &self.columns,
        })
    }

    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| Row {
            row,
            columns: &self.columns,
        })
    }
}

#[derive(Clone, Copy)]
pub struct Row<'r> {
    row: &'r PgRow,
    columns: &'r [&'static Column],
}

impl<'r> Row<'r> {
    pub fn id(&self) -> Result<CaseId> {
        Ok(CaseId(self.row.try_get(0)?))
    }

    pub fn tenant_id(&self) -> Result<TenantId> {
        Ok(TenantId(self.row.try_get(1)?))
    }

    /// The cells, in the order of the columns.
    pub fn cells(self) -> impl Iterator<Item = Result<(&'static Column, Cell<'r>)>> {
        self.columns
            .iter()
            .enumerate()
            .map(move |(position, column)| {
                Ok((*column, cell(self.row, position + BEFORE, column.kind)?))
            })
    }
}

fn cell(row: &PgRow, at: usize, kind: Kind) -> Result<Cell<'_>> {
    Ok(match kind {
        Kind::Number => Cell::Number(unpack(row.try_get(at)?)?),
        Kind::Status => Cell::Status(row.try_get(at)?),
        Kind::State => Cell::State(row.try_get(at)?),
        Kind::Text => Cell::Text(row.try_get(at)?),
        Kind::Money => Cell::Money(Cents(row.try_get(at)?)),
        Kind::Date => Cell::Date(row.try_get(at)?),
        Kind::Integer => Cell::Integer(row.try_get(at)?),
        Kind::Flag => Cell::Flag(row.try_get(at)?),
    })
}

/// The packed number of `columns`: index in the last nine digits, year in the four before.
fn unpack(packed: i64) -> Result<Number> {
    let wrong = |_| sqlx::Error::Decode("a packed case number is out of range".into());
    Ok(Number {
        prefix: i16::try_from(packed / 10_000_000_000_000).map_err(wrong)?,
        year: i16::try_from(packed / 1_000_000_000 % 10_000).map_err(wrong)?,
        index: i32::try_from(packed % 1_000_000_000).map_err(wrong)?,
    })
}
