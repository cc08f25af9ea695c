//! What is done to any cell of a row: read it, note it for the digest, or say what is wrong with it.
use chrono::NaiveDate;

use super::super::header::Field;
use super::super::issues::Issue;
use super::super::values;
use super::Reader;
use crate::codes::looks_like_exponent;
use crate::money::Cents;

impl Reader<'_, '_> {
    pub(super) fn cell(&self, field: Field) -> &str {
        self.layout.cell(self.record, field)
    }

    pub(super) fn issue(&self, field: Option<Field>, message: String) -> Issue {
        let number = values::shortened(self.cell(Field::Number));
        Issue {
            row: self.row,
            case_number: (!number.is_empty()).then_some(number),
            column: field.map(|f| f.title(self.layout.source).into()),
            message,
        }
    }

    pub(super) fn error(&mut self, field: Field, message: impl Into<String>) {
        let issue = self.issue(Some(field), message.into());
        self.issues.errors.add(issue);
    }

    pub(super) fn warn(&mut self, field: Field, message: impl Into<String>) {
        let issue = self.issue(Some(field), message.into());
        self.issues.warnings.add(issue);
    }

    /// Adds a value to what the digest is of.
    pub(super) fn note(&mut self, field: Field, value: impl std::fmt::Display) {
        use std::fmt::Write;
        // Writing to a String cannot fail.
        let _ = write!(self.canon, "{}\u{1f}{value}\u{1e}", field as u8);
    }

    /// Keeps the value, or says what is wrong with it.
    pub(super) fn keep<T>(&mut self, field: Field, read: Result<T, String>) -> Option<T> {
        read.map_err(|message| self.error(field, message)).ok()
    }

    pub(super) fn required<T>(
        &mut self,
        field: Field,
        read: impl Fn(&mut Self, Field) -> Option<T>,
    ) -> Option<T> {
        if self.cell(field).is_empty() {
            self.error(field, "Väärtus puudub.");
            return None;
        }
        read(self, field)
    }

    pub(super) fn text(&mut self, field: Field, most: usize) -> Option<String> {
        let text = self.tidy(field, most)?;
        self.note(field, &text);
        Some(text)
    }

    /// A text that only names something: the digest is of what it names.
    pub(super) fn tidy(&mut self, field: Field, most: usize) -> Option<String> {
        let read = values::text(self.cell(field), most);
        self.keep(field, read).filter(|text| !text.is_empty())
    }

    /// A text that must not have been taken for a number.
    pub(super) fn code_text(&mut self, field: Field, most: usize) -> Option<String> {
        let text = self.cell(field);
        if looks_like_exponent(text) {
            let message = values::exponent(text);
            self.error(field, message);
            return None;
        }
        self.text(field, most)
    }

    pub(super) fn date(&mut self, field: Field) -> Option<NaiveDate> {
        if self.cell(field).is_empty() {
            return None;
        }
        let read = values::date(self.cell(field));
        let date = self.keep(field, read)?;
        self.note(field, date);
        Some(date)
    }

    /// None when the cell is unreadable; zero when it is empty.
    pub(super) fn amount(&mut self, field: Field) -> Option<Cents> {
        if self.cell(field).is_empty() {
            return Some(Cents::ZERO);
        }
        let read = values::amount(self.cell(field));
        let amount = self.keep(field, read)?;
        // An empty cell says the same.
        if amount != Cents::ZERO {
            self.note(field, amount.0);
        }
        Some(amount)
    }
}
