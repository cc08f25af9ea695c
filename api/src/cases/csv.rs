//! Case rows as CSV for an Estonian spreadsheet: semicolons, CRLF, decimal commas, dd.MM.yyyy; texts can't become formulas.
use std::io::Write;

use chrono::Datelike;
use domain::cases::list::{Cell, Column, Row};

/// Makes spreadsheets read the file as UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The titles.
pub fn header(out: &mut Vec<u8>, columns: &[&'static Column]) {
    for (position, column) in columns.iter().enumerate() {
        if position > 0 {
            out.push(b';');
        }
        text(out, column.title);
    }
    out.extend_from_slice(b"\r\n");
}

/// One row.
pub fn row(out: &mut Vec<u8>, row: Row<'_>) -> domain::Result<()> {
    for (position, found) in row.cells().enumerate() {
        if position > 0 {
            out.push(b';');
        }
        cell(out, found?.1);
    }
    out.extend_from_slice(b"\r\n");
    Ok(())
}

fn cell(out: &mut Vec<u8>, cell: Cell<'_>) {
    // Writing into memory does not fail.
    let written = match cell {
        Cell::Text(Some(value)) => {
            text(out, value);
            Ok(())
        }
        Cell::Text(None) | Cell::Date(None) => Ok(()),
        Cell::Number(number) => write!(out, "{number}"),
        Cell::Status(status) => {
            text(out, status.label());
            Ok(())
        }
        Cell::State(state) => {
            text(out, state.label());
            Ok(())
        }
        Cell::Money(cents) => {
            let sign = if cents.0 < 0 { "-" } else { "" };
            let value = cents.0.unsigned_abs();
            write!(out, "{sign}{},{:02}", value / 100, value % 100)
        }
        Cell::Date(Some(day)) => {
            write!(out, "{:02}.{:02}.{:04}", day.day(), day.month(), day.year())
        }
        Cell::Integer(value) => write!(out, "{value}"),
        Cell::Flag(value) => {
            text(out, if value { "jah" } else { "ei" });
            Ok(())
        }
    };
    debug_assert!(written.is_ok());
}

/// A text; what a spreadsheet would take for a formula gets an apostrophe. Source: OWASP, CSV injection.
fn text(out: &mut Vec<u8>, value: &str) {
    let formula = value.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let quoted = formula
        || value
            .bytes()
            .any(|b| matches!(b, b';' | b'"' | b'\r' | b'\n'));
    if !quoted {
        return out.extend_from_slice(value.as_bytes());
    }
    out.push(b'"');
    if formula {
        out.push(b'\'');
    }
    for byte in value.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::cases::{CaseStatus, Number};
    use domain::money::Cents;

    #[test]
    fn writes_cells_as_a_spreadsheet_reads_them() {
        for (value, expected) in [
            (Cell::Text(None), ""),
            (Cell::Text(Some("Õie Veod OÜ")), "Õie Veod OÜ"),
            (Cell::Text(Some("a;b")), "\"a;b\""),
            (
                Cell::Text(Some("Proovi \"Kodu\"")),
                "\"Proovi \"\"Kodu\"\"\"",
            ),
            (Cell::Text(Some("=1+1")), "\"'=1+1\""),
            (Cell::Text(Some("-5,00")), "\"'-5,00\""),
            (Cell::Text(Some("＠SUM(A1)")), "\"'＠SUM(A1)\""),
            (Cell::Text(Some("\tx")), "\"'\tx\""),
            (Cell::Text(Some("a\nb")), "\"a\nb\""),
            (Cell::Money(Cents(-500)), "-5,00"),
            (Cell::Money(Cents(123_456_789)), "1234567,89"),
            (Cell::Money(Cents(-7)), "-0,07"),
            (
                Cell::Date(chrono::NaiveDate::from_ymd_opt(2024, 2, 9)),
                "09.02.2024",
            ),
            (Cell::Status(CaseStatus::Open), "Menetluses"),
            (
                Cell::Number(Number {
                    prefix: 23,
                    year: 2024,
                    index: 7,
                }),
                "023/2024/7",
            ),
            (Cell::Flag(false), "ei"),
        ] {
            let mut out = Vec::new();
            cell(&mut out, value);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
