//! The content of a change message of kind "sync": the case's data in the register's words.

use chrono::NaiveDate;

use crate::xml::Writer;

/// The kind of change. The register's own numbers are not public: assumed.
const LIIK_SYNC: &str = "9";

/// Cost kinds of the register's classifier. Its values are not public: assumed.
const KULU_START_FEE: &str = "1";
const KULU_ISSUER_FEE: &str = "2";
const KULU_ENFORCEMENT_FEE: &str = "3";

/// A claimant or debtor as the register is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Party {
    pub name: String,
    pub first_name: Option<String>,
    /// Personal or registry code.
    pub code: Option<String>,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub address: Option<String>,
}

/// A case as the register is told; sums in cents of a euro.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncCase {
    /// The case number as written, `101/2024/12`.
    pub number: String,
    /// The number of the application for enforcement, where there is one.
    pub statement_number: Option<String>,
    /// The case status of the specification: 0 open, 1 closed, 2 archived, 3 stopped …
    pub status: i16,
    pub opened_on: Option<NaiveDate>,
    /// When the notice of enforcement was served.
    pub delivered_on: Option<NaiveDate>,
    pub voluntary_until_on: Option<NaiveDate>,
    pub enforcement_on: Option<NaiveDate>,
    pub stopped_on: Option<NaiveDate>,
    pub stop_reason: Option<String>,
    pub closed_on: Option<NaiveDate>,
    /// The closing basis or its explanation, as text.
    pub close_reason: Option<String>,
    pub start_fee_cents: i64,
    pub issuer_fee_cents: i64,
    pub enforcement_fee_cents: i64,
    pub total_claims_cents: i64,
    pub received_cents: i64,
    pub paid_to_claimant_cents: i64,
    pub balance_cents: i64,
    pub claimant: Party,
    pub debtor: Party,
}

/// The children of `<request>`; the elements from `Olek` on are assumed, the others are the register's.
pub(crate) fn content(case: &SyncCase) -> String {
    let mut xml = Writer::default();
    xml.leaf("Liik", LIIK_SYNC);
    xml.leaf_opt("Number", case.statement_number.as_deref());
    xml.leaf("TaitemenetluseNr", &case.number);
    date(&mut xml, "TaitemenetluseKp", case.opened_on);
    date(&mut xml, "TaitmisteadeAlgusKp", case.delivered_on);
    date(&mut xml, "TaitmisteadeTahtaeg", case.voluntary_until_on);
    date(&mut xml, "LabiviimiseAlgusKp", case.enforcement_on);
    xml.open("Kulud");
    for (kind, cents) in [
        (KULU_START_FEE, case.start_fee_cents),
        (KULU_ISSUER_FEE, case.issuer_fee_cents),
        (KULU_ENFORCEMENT_FEE, case.enforcement_fee_cents),
    ] {
        xml.open("item")
            .leaf("LiikKL", kind)
            .leaf("Summa", &decimal(cents))
            .close("item");
    }
    xml.close("Kulud");
    date(&mut xml, "RakendamiseLoppKP", case.closed_on);
    xml.leaf_opt("LopetamisePohjendus", case.close_reason.as_deref());
    xml.leaf_opt("PeatamisePohjendus", case.stop_reason.as_deref());
    date(&mut xml, "PeatamiseKp", case.stopped_on);
    xml.leaf("Olek", &case.status.to_string());
    for (name, cents) in [
        ("NoudedKokku", case.total_claims_cents),
        ("Laekunud", case.received_cents),
        ("OtseTasutud", case.paid_to_claimant_cents),
        ("Saldo", case.balance_cents),
    ] {
        xml.leaf(name, &decimal(cents));
    }
    party(&mut xml, "Sissenoudja", &case.claimant);
    party(&mut xml, "Volgnik", &case.debtor);
    xml.finish()
}

fn party(xml: &mut Writer, name: &str, party: &Party) {
    xml.open(name);
    xml.leaf("Nimi", &party.name);
    xml.leaf_opt("Eesnimi", party.first_name.as_deref());
    xml.leaf_opt("Kood", party.code.as_deref());
    xml.leaf_opt("Telefon", party.phone.as_deref());
    xml.leaf_opt("Epost", party.email.as_deref());
    xml.leaf_opt("Aadress", party.address.as_deref());
    xml.close(name);
}

fn date(xml: &mut Writer, name: &str, date: Option<NaiveDate>) {
    xml.leaf_opt(name, date.map(|date| format!("{date}T00:00:00")).as_deref());
}

/// Cents as the register's decimal: `-1234.50`.
pub(super) fn decimal(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let whole = cents.unsigned_abs();
    format!("{sign}{}.{:02}", whole / 100, whole % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_decimals_of_two_places() {
        for (cents, text) in [
            (0, "0.00"),
            (5, "0.05"),
            (-5, "-0.05"),
            (123_450, "1234.50"),
            (i64::MIN, "-92233720368547758.08"),
        ] {
            assert_eq!(decimal(cents), text);
        }
    }

    #[test]
    fn texts_are_escaped_and_forbidden_characters_left_out() {
        let case = SyncCase {
            number: "101/2024/1".into(),
            debtor: Party {
                name: "A & B <OÜ>\u{b}\0".into(),
                ..Party::default()
            },
            ..SyncCase::default()
        };
        assert!(content(&case).contains("<Volgnik><Nimi>A &amp; B &lt;OÜ&gt;</Nimi></Volgnik>"));
    }
}
