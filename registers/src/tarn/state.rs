//! The assumed read `TaitemenetluseOlek`: a proceeding's present state by its number.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::xml::{Element, Writer};

/// A proceeding as the register holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseState {
    /// The case number as written.
    pub number: String,
    pub statement_number: Option<String>,
    /// The case status of the specification.
    pub status: i16,
    pub opened_on: Option<NaiveDate>,
    pub stopped_on: Option<NaiveDate>,
    pub closed_on: Option<NaiveDate>,
    pub balance_cents: Option<i64>,
    /// The message that last changed the proceeding.
    pub last_message_id: Option<Uuid>,
}

/// The children of `<request>`.
pub(super) fn content(number: &str) -> String {
    let mut xml = Writer::default();
    xml.leaf("TaitemenetluseNr", number);
    xml.finish()
}

/// Reads `<response>` of the answer, or says what is missing in it.
pub(super) fn read(body: &Element) -> Result<CaseState, String> {
    let response = body.child("response").ok_or("no response element")?;
    let number = response
        .value("TaitemenetluseNr")
        .ok_or("no TaitemenetluseNr")?;
    let status = response
        .value("Olek")
        .and_then(|text| text.parse().ok())
        .ok_or("no usable Olek")?;
    Ok(CaseState {
        number: number.to_owned(),
        statement_number: response.value("Number").map(str::to_owned),
        status,
        opened_on: date(response, "TaitemenetluseKp")?,
        stopped_on: date(response, "PeatamiseKp")?,
        closed_on: date(response, "RakendamiseLoppKP")?,
        balance_cents: response.value("Saldo").map(cents).transpose()?,
        last_message_id: response
            .value("ViimaneSonum")
            .and_then(|text| Uuid::parse_str(text).ok()),
    })
}

/// A date, or the date part of a time.
fn date(response: &Element, name: &str) -> Result<Option<NaiveDate>, String> {
    let Some(text) = response.value(name) else {
        return Ok(None);
    };
    let day = text.get(..10).unwrap_or(text);
    NaiveDate::parse_from_str(day, "%Y-%m-%d")
        .map(Some)
        .map_err(|_| format!("{name} is not a date"))
}

/// The register's decimal as cents; more than two places are an error, not rounded.
fn cents(text: &str) -> Result<i64, String> {
    let bad = || "a sum that can't be read".to_owned();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || part.len() > 2 || !plain(whole) || !plain(part) {
        return Err(bad());
    }
    let amount: i64 = format!("{whole}{part:0<2}").parse().map_err(|_| bad())?;
    Ok(if negative { -amount } else { amount })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_to_the_cent_or_not_at_all() {
        for (text, expected) in [
            ("0", 0),
            ("12.5", 1250),
            ("-0.05", -5),
            ("1234.50", 123_450),
        ] {
            assert_eq!(cents(text), Ok(expected), "{text}");
        }
        for text in ["", "-", "1,5", "1.234", "1e3", "+1", "99999999999999999999"] {
            assert!(cents(text).is_err(), "{text}");
        }
    }
}
