//! A bailiff's base fee: the table in force on the opening date, VAT of that date, rounding. Pure; `sql` loads the figures.
mod sql;
mod table;

pub use sql::{Memory, bases, rates};
pub use table::{IssuerFee, Rates, Table, Vat};
