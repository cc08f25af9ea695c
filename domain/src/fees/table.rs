//! Fee tables and VAT rates by date, and the full base fee that they give.
use chrono::NaiveDate;

use crate::cases::sums::FeeRow;
use crate::money::Cents;

/// One issue of the fee table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub valid_from: NaiveDate,
    /// By rising limit, the one without a limit last.
    pub brackets: Vec<FeeRow>,
}

/// Every fee table and VAT rate, each by rising date.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rates {
    pub tables: Vec<Table>,
    pub vat_permille: Vec<(NaiveDate, i32)>,
}

/// A base fee and the VAT on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssuerFee {
    pub base: Cents,
    pub vat: Cents,
}

impl IssuerFee {
    /// What the debtor owes: fee and VAT.
    pub fn total(self) -> Option<Cents> {
        self.base.checked_add(self.vat)
    }
}

impl Rates {
    /// The full base fee without VAT on `claims`; none where there is nothing to compute it on, or no table or bracket
    /// covers it. Source: KTS § 35.
    pub fn table_fee(&self, opened_on: NaiveDate, claims: Cents) -> Option<Cents> {
        if claims <= Cents::ZERO {
            return None;
        }
        let table = self
            .tables
            .iter()
            .rev()
            .find(|table| table.valid_from <= opened_on)?;
        let fits = |bracket: &&FeeRow| bracket.up_to.is_none_or(|limit| claims <= limit);
        table.brackets.iter().find(fits).map(|bracket| bracket.fee)
    }

    /// VAT of that day in thousandths; 0 before the first known rate.
    pub fn vat_permille(&self, on: NaiveDate) -> i32 {
        self.vat_permille
            .iter()
            .rev()
            .find(|(from, _)| *from <= on)
            .map_or(0, |(_, permille)| *permille)
    }

    /// The full base fee of a case opened that day, with VAT where the bureau is liable. Source: KTS § 32, § 35.
    pub fn issuer_fee(
        &self,
        opened_on: NaiveDate,
        claims: Cents,
        bureau: Vat,
    ) -> Option<IssuerFee> {
        let base = self.table_fee(opened_on, claims)?;
        let vat = match bureau {
            Vat::Liable => base.permille(self.vat_permille(opened_on))?,
            Vat::NotLiable => Cents::ZERO,
        };
        Some(IssuerFee { base, vat })
    }
}

/// Whether a bureau adds VAT to its fees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vat {
    Liable,
    NotLiable,
}

impl From<bool> for Vat {
    fn from(liable: bool) -> Self {
        if liable {
            Self::Liable
        } else {
            Self::NotLiable
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap_or_default()
    }

    fn bracket(up_to: i64, fee: i64) -> FeeRow {
        FeeRow {
            up_to: (up_to > 0).then_some(Cents(up_to)),
            fee: Cents(fee),
        }
    }

    fn rates() -> Rates {
        Rates {
            tables: vec![
                Table {
                    valid_from: day("1900-01-01"),
                    brackets: vec![
                        bracket(6_500, 2_500),
                        bracket(100_000, 22_500),
                        bracket(0, 120_000),
                    ],
                },
                Table {
                    valid_from: day("2025-07-01"),
                    brackets: vec![bracket(100_000, 23_001)],
                },
            ],
            vat_permille: vec![
                (day("1991-01-10"), 200),
                (day("2024-01-01"), 220),
                (day("2025-07-01"), 240),
            ],
        }
    }

    #[test]
    fn the_table_of_the_opening_day_gives_the_fee() {
        for (opened, claims, fee) in [
            ("2011-05-01", 0, None),
            ("2011-05-01", 1, Some(2_500)),
            ("2011-05-01", 6_500, Some(2_500)),
            ("2011-05-01", 6_501, Some(22_500)),
            ("2024-12-31", 100_000, Some(22_500)),
            ("2025-06-30", 100_001, Some(120_000)),
            ("2025-06-30", i64::MAX, Some(120_000)),
            ("2025-07-01", 100_000, Some(23_001)),
            ("2025-07-01", 100_001, None),
            ("1899-12-31", 1, None),
        ] {
            assert_eq!(
                rates().table_fee(day(opened), Cents(claims)),
                fee.map(Cents),
                "{opened} {claims}"
            );
        }
    }

    #[test]
    fn vat_is_of_the_opening_day_and_rounds_halves_up() {
        for (opened, claims, bureau, vat) in [
            ("1990-01-01", 100_000, Vat::Liable, 0),
            ("2023-12-31", 100_000, Vat::Liable, 4_500),
            ("2024-01-01", 100_000, Vat::Liable, 4_950),
            ("2024-01-01", 100_000, Vat::NotLiable, 0),
            ("2025-06-30", 6_500, Vat::Liable, 550),
            ("2025-07-01", 100_000, Vat::Liable, 5_520),
        ] {
            let fee = rates().issuer_fee(day(opened), Cents(claims), bureau);
            assert_eq!(fee.map(|fee| fee.vat), Some(Cents(vat)), "{opened}");
        }
        let odd = Rates {
            tables: vec![Table {
                valid_from: day("1900-01-01"),
                brackets: vec![bracket(0, 25)],
            }],
            ..rates()
        };
        assert_eq!(
            odd.issuer_fee(day("2024-05-05"), Cents(1), Vat::Liable)
                .map(|fee| fee.vat),
            Some(Cents(6))
        );
    }

    #[test]
    fn a_fee_that_overflows_is_no_fee() {
        let huge = Rates {
            tables: vec![Table {
                valid_from: day("1900-01-01"),
                brackets: vec![bracket(0, i64::MAX)],
            }],
            ..rates()
        };
        let fee = huge.issuer_fee(day("2026-01-01"), Cents(1), Vat::Liable);
        assert_eq!(fee.and_then(IssuerFee::total), None);
    }
}
