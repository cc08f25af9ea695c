//! One row of the file as values: every cell checked, what is wrong said in words.
mod cells;
mod codes;

use std::collections::HashMap;

use chrono::NaiveDate;
use sha2::{Digest, Sha256};

use super::csv::Record;
use super::header::{Field, Layout};
use super::issues::Issues;
use super::receipts::{Debt, Owed};
use super::values;
use crate::cases::{CaseStatus, Number};
use crate::codes::looks_like_exponent;
use crate::money::Cents;

/// What rows refer to, read once before the file.
#[derive(Default)]
pub struct Known {
    /// The bureau's own prefix.
    pub prefix: i16,
    /// By name in lower case: id, and whether it is maintenance.
    pub claim_types: HashMap<String, (i64, bool)>,
    pub close_bases: HashMap<String, i64>,
    pub stop_bases: HashMap<String, i64>,
    /// By the two digits in an account number.
    pub banks: HashMap<String, i64>,
    pub country: Option<i64>,
    pub receipts_order: Option<[Debt; 5]>,
}

/// The highest index that a file may bring: the bureau's next numbers follow it, and have nine digits at most.
const LAST_INDEX: i32 = 99_999_999;

/// A claimant or debtor as the row names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Party {
    pub kind: Option<i16>,
    pub name: Option<String>,
    pub code: Option<String>,
    pub born: Option<NaiveDate>,
    pub gender: Option<i16>,
}

/// Everything of a row; what was wrong is absent.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub row: u32,
    pub number: Option<Number>,
    pub statement: Option<String>,
    pub opened: Option<NaiveDate>,
    pub status: Option<CaseStatus>,
    pub closed: Option<NaiveDate>,
    pub close_basis: Option<i64>,
    pub stopped: Option<NaiveDate>,
    pub stop_basis: Option<i64>,
    pub claimant: Party,
    pub debtor: Party,
    pub iban: Option<String>,
    pub bank: Option<i64>,
    pub address: Option<String>,
    pub claim_type: Option<i64>,
    /// Set for maintenance only.
    pub periodic: Option<Cents>,
    pub full: Owed,
    pub remaining: Owed,
    pub received: Cents,
    pub reference: Option<String>,
    pub decision_number: Option<String>,
    pub decision_date: Option<NaiveDate>,
    pub resolver: Option<String>,
    pub delivery: Option<NaiveDate>,
    pub voluntary: Option<NaiveDate>,
    /// SHA-256 of the values, whatever their spelling: equal rows are equal here.
    pub digest: [u8; 32],
}

/// Reads the row; errors and warnings go to `issues`.
pub fn read(row: u32, record: &Record, layout: &Layout, known: &Known, issues: &mut Issues) -> Row {
    Reader {
        row,
        record,
        layout,
        known,
        issues,
        canon: String::with_capacity(512),
    }
    .read()
}

struct Reader<'a, 'r> {
    row: u32,
    record: &'a Record<'r>,
    layout: &'a Layout,
    known: &'a Known,
    issues: &'a mut Issues,
    canon: String,
}

impl Reader<'_, '_> {
    fn read(mut self) -> Row {
        let extra = self.record.cells().skip(self.layout.width);
        let has_extra = extra.into_iter().any(|cell| !cell.trim().is_empty());
        if self.record.width() < self.layout.width || has_extra {
            let message = format!(
                "Real on {} lahtrit, päises {}.",
                self.record.width(),
                self.layout.width
            );
            let issue = self.issue(None, message);
            self.issues.errors.add(issue);
            return Row {
                row: self.row,
                ..Row::default()
            };
        }
        let mut row = Row {
            row: self.row,
            number: self.number(),
            statement: self.code_text(Field::Statement, 50),
            opened: self.required(Field::Opened, Self::date),
            status: self.required(Field::Status, Self::status),
            closed: self.date(Field::Closed),
            close_basis: self.basis(Field::CloseBasis, "lõpetamise alus"),
            stopped: self.date(Field::Stopped),
            stop_basis: self.basis(Field::StopBasis, "peatamise alus"),
            claimant: self.party(
                Field::ClaimantType,
                Field::ClaimantName,
                Field::ClaimantCode,
            ),
            debtor: self.party(Field::DebtorType, Field::DebtorName, Field::DebtorCode),
            address: self.text(Field::DebtorAddress, 500),
            reference: self.reference(),
            decision_number: self.code_text(Field::DecisionNumber, 100),
            decision_date: self.date(Field::DecisionDate),
            resolver: self.text(Field::Resolver, 200),
            delivery: self.date(Field::Delivery),
            voluntary: self.date(Field::Voluntary),
            ..Row::default()
        };
        self.account(&mut row);
        self.money(&mut row);
        self.ended(&row);
        self.order_of_dates(&row);
        row.digest = Sha256::digest(self.canon.as_bytes()).into();
        row
    }

    fn number(&mut self) -> Option<Number> {
        let text = self.cell(Field::Number);
        if text.is_empty() {
            self.error(Field::Number, "Väärtus puudub.");
            return None;
        }
        if looks_like_exponent(text) {
            let message = values::exponent(text);
            self.error(Field::Number, message);
            return None;
        }
        let Ok(number) = text.parse::<Number>() else {
            self.error(Field::Number, "Toimiku number peab olema kujul 101/2024/1.");
            return None;
        };
        if number.prefix != self.known.prefix {
            let message = format!(
                "Toimik ei ole selle büroo oma: number peab algama eesliitega {:03}.",
                self.known.prefix
            );
            self.error(Field::Number, message);
            return None;
        }
        if number.index > LAST_INDEX {
            self.error(Field::Number, "Toimiku järjekorranumber on liiga suur.");
            return None;
        }
        self.note(Field::Number, number);
        Some(number)
    }

    fn status(&mut self, field: Field) -> Option<CaseStatus> {
        const TAKEN: [CaseStatus; 5] = [
            CaseStatus::Open,
            CaseStatus::PartiallyClosed,
            CaseStatus::Closed,
            CaseStatus::Stopped,
            CaseStatus::Archived,
        ];
        let wanted = lower(self.cell(field));
        let status = TAKEN.into_iter().find(|s| lower(s.label()) == wanted);
        match status {
            Some(status) => self.note(field, status.number()),
            None => {
                let message = format!(
                    "Tundmatu staatus \"{}\".",
                    values::shortened(self.cell(field))
                );
                self.error(field, message);
            }
        }
        status
    }

    fn basis(&mut self, field: Field, word: &str) -> Option<i64> {
        let name = self.tidy(field, 200)?;
        let known = match field {
            Field::CloseBasis => &self.known.close_bases,
            _ => &self.known.stop_bases,
        };
        let id = known.get(&lower(&name)).copied();
        match id {
            Some(id) => self.note(field, id),
            None => {
                let message = format!("Tundmatu {word} \"{}\".", values::shortened(&name));
                self.error(field, message);
            }
        }
        id
    }

    fn money(&mut self, row: &mut Row) {
        let kind = self.required(Field::ClaimType, |reader, field| {
            let name = reader.tidy(field, 200)?;
            let kind = reader.known.claim_types.get(&lower(&name)).copied();
            match kind {
                Some((id, _)) => reader.note(field, id),
                None => reader.error(
                    field,
                    format!("Tundmatu nõude liik \"{}\".", values::shortened(&name)),
                ),
            }
            kind
        });
        row.claim_type = kind.map(|(id, _)| id);
        let amounts = [
            self.amount(Field::StartFee),
            self.amount(Field::Costs),
            self.required(Field::Claim, Self::amount),
            self.amount(Field::Interest),
            self.amount(Field::IssuerFee),
            self.amount(Field::Received),
        ];
        let periodic = self.amount(Field::Periodic);
        let has_periodic = periodic.is_some_and(|sum| sum != Cents::ZERO);
        match kind {
            Some((_, true)) if has_periodic => row.periodic = periodic,
            Some((_, true)) if periodic.is_some() => {
                self.warn(
                    Field::Periodic,
                    "Elatisnõudel puudub perioodiline summa; imporditi ainult võlgnevus.",
                );
            }
            Some((_, false)) if has_periodic => {
                self.warn(
                    Field::Periodic,
                    "Perioodiline summa käib ainult elatisnõude juurde; seda ei imporditud.",
                );
            }
            _ => {}
        }
        let [
            Some(start_fee),
            Some(costs),
            Some(claims),
            Some(interest),
            Some(issuer_fee),
            Some(received),
        ] = amounts
        else {
            return;
        };
        row.full = Owed {
            start_fee,
            costs,
            claims,
            interest,
            issuer_fee,
        };
        row.received = received;
        let order = self.known.receipts_order.unwrap_or(Debt::ORDER);
        match row.full.less(received, &order) {
            Some(remaining) => row.remaining = remaining,
            None => self.error(
                Field::Received,
                "Laekunud on rohkem, kui nõue, viivis, tasud ja kulud kokku on.",
            ),
        }
    }

    /// What a closed or stopped case must have.
    fn ended(&mut self, row: &Row) {
        let Some(status) = row.status else { return };
        let needed = match status {
            CaseStatus::Closed | CaseStatus::Archived | CaseStatus::PartiallyClosed => {
                [Field::Closed, Field::CloseBasis]
            }
            CaseStatus::Stopped => [Field::Stopped, Field::StopBasis],
            _ => return,
        };
        for field in needed {
            if self.cell(field).is_empty() {
                self.error(
                    field,
                    format!("Väärtus puudub: staatus on \"{}\".", status.label()),
                );
            }
        }
    }

    fn order_of_dates(&mut self, row: &Row) {
        let pairs = [
            (
                row.decision_date,
                row.opened,
                Field::DecisionDate,
                "Lahendi kuupäev on pärast avamise kuupäeva.",
            ),
            (
                row.opened,
                row.closed,
                Field::Closed,
                "Lõpetamise kuupäev on enne avamise kuupäeva.",
            ),
            (
                row.opened,
                row.stopped,
                Field::Stopped,
                "Peatamise kuupäev on enne avamise kuupäeva.",
            ),
        ];
        for (earlier, later, field, message) in pairs {
            if earlier
                .zip(later)
                .is_some_and(|(earlier, later)| earlier > later)
            {
                self.warn(field, message);
            }
        }
    }
}

/// How names of classifier values are compared.
pub fn lower(text: &str) -> String {
    text.to_lowercase()
}

#[cfg(test)]
mod tests;
