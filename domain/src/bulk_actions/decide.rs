//! What types 1 and 3 do to one case; pure. Each is idempotent: decided again on its own result, nothing changes.
use chrono::NaiveDate;

use crate::fees::{Rates, Vat};
use crate::jobs::Ending;
use crate::money::Cents;

/// A fee as first set, and what is still owed of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fee {
    pub initial: Cents,
    pub owed: Cents,
}

impl Fee {
    /// What was received of it.
    pub fn received(self) -> Option<Cents> {
        self.initial.checked_sub(self.owed)
    }

    fn set_to(self, initial: Cents) -> Option<Self> {
        Some(Self {
            initial,
            owed: initial.checked_sub(self.received()?)?,
        })
    }
}

/// How the task ends, what it says, and the fee to write; none: the case stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub ending: Ending,
    pub output: String,
    pub fee: Option<Fee>,
}

impl Decision {
    /// A warning that leaves the case alone.
    pub fn warning(output: impl Into<String>) -> Self {
        Self {
            ending: Ending::Warning,
            output: output.into(),
            fee: None,
        }
    }
}

const TOO_LARGE: &str = "Summa on liiga suur.";

/// Type 1: the start fee becomes `new`. Refused when more was received than that.
pub fn start_fee(fee: Fee, new: Cents) -> Decision {
    let Some(received) = fee.received() else {
        return Decision::warning(TOO_LARGE);
    };
    if received > new {
        return Decision::warning(format!(
            "Alustamise tasu ei muudetud: laekunud on {received}, mis on rohkem kui uus tasu {new}."
        ));
    }
    change("Alustamise tasu", fee, new, None)
}

/// Type 3: the full base fee of the table in force on the opening date, with VAT where the bureau is liable.
/// `base` is the sum it is computed on; more received than the new fee is shown as a warning, and owed turns negative.
pub fn issuer_fee(
    fee: Fee,
    opened_on: NaiveDate,
    base: Option<Cents>,
    rates: &Rates,
    bureau: Vat,
) -> Decision {
    let Some(base) = base.filter(|base| *base > Cents::ZERO) else {
        return Decision::warning(
            "Põhitasu ei arvutatud: toimikul ei ole kehtivat rahalist põhinõuet.",
        );
    };
    let Some(computed) = rates.issuer_fee(opened_on, base, bureau) else {
        return Decision::warning(format!(
            "Põhitasu ei arvutatud: tasude tabelis ei ole nõudele {base} vastavat rida."
        ));
    };
    let Some(new) = computed.total() else {
        return Decision::warning(TOO_LARGE);
    };
    let parts = if computed.vat == Cents::ZERO {
        format!("Tasu {} nõudelt {base}", computed.base)
    } else {
        format!(
            "Tasu {} + käibemaks {} nõudelt {base}",
            computed.base, computed.vat
        )
    };
    let mut decision = change("Põhitasu", fee, new, Some(parts));
    if let Some(over) = fee
        .received()
        .and_then(|received| received.checked_sub(new))
        .filter(|over| *over > Cents::ZERO)
    {
        decision.ending = Ending::Warning;
        decision.output.push_str(&format!(
            "\nPõhitasust on laekunud {over} rohkem kui uus tasu."
        ));
    }
    decision
}

fn change(name: &str, fee: Fee, new: Cents, how: Option<String>) -> Decision {
    let Some(changed) = fee.set_to(new) else {
        return Decision::warning(TOO_LARGE);
    };
    let mut output = if changed == fee {
        format!("{name} ei muutunud: {new}")
    } else {
        format!("{name}: {} → {new}", fee.initial)
    };
    if let Some(how) = how {
        output.push('\n');
        output.push_str(&how);
    }
    Decision {
        ending: Ending::Ok,
        output,
        fee: (changed != fee).then_some(changed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::sums::FeeRow;
    use crate::fees::Table;

    fn fee(initial: i64, owed: i64) -> Fee {
        Fee {
            initial: Cents(initial),
            owed: Cents(owed),
        }
    }

    fn plain(text: &str) -> String {
        text.replace('\u{a0}', " ")
    }

    #[test]
    fn a_start_fee_keeps_what_was_received() {
        for (before, new, after, text) in [
            (
                fee(1_500, 1_500),
                2_000,
                Some(fee(2_000, 2_000)),
                "Alustamise tasu: 15,00 € → 20,00 €",
            ),
            (
                fee(1_500, 500),
                2_000,
                Some(fee(2_000, 1_000)),
                "Alustamise tasu: 15,00 € → 20,00 €",
            ),
            (
                fee(1_500, 500),
                1_000,
                Some(fee(1_000, 0)),
                "Alustamise tasu: 15,00 € → 10,00 €",
            ),
            (
                fee(2_000, 0),
                2_000,
                None,
                "Alustamise tasu ei muutunud: 20,00 €",
            ),
            (fee(0, 0), 0, None, "Alustamise tasu ei muutunud: 0,00 €"),
        ] {
            let decision = start_fee(before, Cents(new));
            assert_eq!(
                (decision.ending, decision.fee, plain(&decision.output)),
                (Ending::Ok, after, text.into())
            );
            if let Some(after) = after {
                assert_eq!(
                    start_fee(after, Cents(new)).fee,
                    None,
                    "twice changes nothing"
                );
            }
        }
    }

    #[test]
    fn a_start_fee_below_what_was_received_is_refused() {
        let decision = start_fee(fee(1_500, 0), Cents(1_000));
        assert_eq!((decision.ending, decision.fee), (Ending::Warning, None));
        assert_eq!(
            plain(&decision.output),
            "Alustamise tasu ei muudetud: laekunud on 15,00 €, mis on rohkem kui uus tasu 10,00 €."
        );
        assert_eq!(
            start_fee(fee(i64::MAX, -1), Cents(1)).ending,
            Ending::Warning
        );
        assert_eq!(
            start_fee(fee(0, i64::MIN), Cents(1)).ending,
            Ending::Warning
        );
    }

    fn rates() -> Rates {
        let day = |text: &str| text.parse().unwrap_or_default();
        let row = |up_to, fee| FeeRow {
            up_to: Some(Cents(up_to)),
            fee: Cents(fee),
        };
        Rates {
            tables: vec![Table {
                valid_from: day("1900-01-01"),
                brackets: vec![row(6_500, 2_500), row(100_000, 22_500)],
            }],
            vat_permille: vec![(day("2024-01-01"), 220)],
        }
    }

    #[test]
    fn an_issuer_fee_follows_the_table() {
        let opened = NaiveDate::from_ymd_opt(2024, 6, 1).unwrap_or_default();
        for (before, base, bureau, ending, after, text) in [
            (
                fee(0, 0),
                Some(50_000),
                Vat::Liable,
                Ending::Ok,
                Some(fee(27_450, 27_450)),
                "Põhitasu: 0,00 € → 274,50 €\nTasu 225,00 € + käibemaks 49,50 € nõudelt 500,00 €",
            ),
            (
                fee(22_500, 12_500),
                Some(50_000),
                Vat::NotLiable,
                Ending::Ok,
                None,
                "Põhitasu ei muutunud: 225,00 €\nTasu 225,00 € nõudelt 500,00 €",
            ),
            (
                fee(22_500, 12_500),
                Some(6_500),
                Vat::NotLiable,
                Ending::Warning,
                Some(fee(2_500, -7_500)),
                "Põhitasu: 225,00 € → 25,00 €\nTasu 25,00 € nõudelt 65,00 €\nPõhitasust on laekunud 75,00 € rohkem kui uus tasu.",
            ),
            (
                fee(1, 1),
                None,
                Vat::Liable,
                Ending::Warning,
                None,
                "Põhitasu ei arvutatud: toimikul ei ole kehtivat rahalist põhinõuet.",
            ),
            (
                fee(1, 1),
                Some(0),
                Vat::Liable,
                Ending::Warning,
                None,
                "Põhitasu ei arvutatud: toimikul ei ole kehtivat rahalist põhinõuet.",
            ),
            (
                fee(1, 1),
                Some(100_001),
                Vat::Liable,
                Ending::Warning,
                None,
                "Põhitasu ei arvutatud: tasude tabelis ei ole nõudele 1 000,01 € vastavat rida.",
            ),
        ] {
            let decision = issuer_fee(before, opened, base.map(Cents), &rates(), bureau);
            assert_eq!(
                (decision.ending, decision.fee, plain(&decision.output)),
                (ending, after, text.into())
            );
            if let Some(after) = after {
                assert_eq!(
                    issuer_fee(after, opened, base.map(Cents), &rates(), bureau).fee,
                    None,
                    "twice changes nothing"
                );
            }
        }
    }
}
