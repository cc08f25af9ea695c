//! Filters as they come over the wire (spec 2 §3.3). Nothing is ever ignored: what is not understood is a violation that names it.
use std::borrow::Cow;

use chrono::{Datelike, Days, NaiveDate};
use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::columns::shorten;
use super::filters::{BLANKABLE, Blankable, Filters, LONGEST_TEXT, Party, PersonType, Range};
use crate::cases::CaseStatus;
use crate::money::LIMIT_CENTS;
use crate::{Error, Result, Violation};

const UNKNOWN: &str = "Tundmatu filter.";
const OPERATOR: &str = "Tundmatu võrdlus.";

const FILTERS: [&str; 15] = [
    "status",
    "number",
    "claimant.type",
    "debtor.type",
    "claimant.name",
    "debtor.name",
    "claimant.regCode",
    "debtor.regCode",
    "mainClaimType",
    "balance.cents",
    "dateOpened",
    "globalSearchTerm",
    "includeAllBailiffs",
    "exists",
    "caseSelection",
];

impl Filters {
    /// Reads `{filter: value}`; null, blank texts and empty lists mean no filter. Errors name `path.filter`.
    pub fn from_json(value: &Value, path: &str) -> Result<Self> {
        let mut found = Self::default();
        let mut wrong = Wrong(Vec::new());
        match value {
            Value::Null => {}
            Value::Object(map) => {
                for (key, value) in map {
                    let at = format!("{path}.{}", shorten(key));
                    if !value.is_null() {
                        found.take(key, value, &at, &mut wrong);
                    } else if !FILTERS.contains(&key.as_str()) {
                        wrong.say(&at, UNKNOWN);
                    }
                }
            }
            _ => wrong.say(path, "Filtrid peavad olema objekt."),
        }
        wrong.or(found)
    }

    fn take(&mut self, key: &str, value: &Value, at: &str, wrong: &mut Wrong) {
        match key {
            "status" => self.status = wrong.list(at, value, status),
            "number" => {
                self.number = wrong.text(at, value).and_then(|text| {
                    wrong.get(
                        at,
                        text.parse()
                            .map_err(|_| "Toimiku number algab kujul 101/2024/7."),
                    )
                })
            }
            "claimant.type" => self.claimant.person_type = wrong.person_type(at, value),
            "debtor.type" => self.debtor.person_type = wrong.person_type(at, value),
            "claimant.name" => self.claimant.name = wrong.text(at, value),
            "debtor.name" => self.debtor.name = wrong.text(at, value),
            "claimant.regCode" => wrong.code(at, value, &mut self.claimant),
            "debtor.regCode" => wrong.code(at, value, &mut self.debtor),
            "mainClaimType" => self.main_claim_type = wrong.list(at, value, claim_type),
            "balance.cents" => self.balance_cents = wrong.cents(at, value),
            "dateOpened" => self.date_opened = wrong.days(at, value),
            "globalSearchTerm" => self.search = wrong.text(at, value),
            "includeAllBailiffs" => self.every_bureau = wrong.flag(at, value).unwrap_or_default(),
            "caseSelection" => {
                self.selection = wrong.get(
                    at,
                    value
                        .as_i64()
                        .filter(|id| *id > 0)
                        .ok_or("Valim antakse id-ga."),
                );
            }
            "exists" => self.exists = wrong.exists(at, value),
            _ => wrong.say(at, UNKNOWN),
        }
    }
}

fn status(value: &Value) -> Result<CaseStatus, &'static str> {
    value
        .as_str()
        .and_then(CaseStatus::from_name)
        .ok_or("Tundmatu staatus.")
}

/// An id, as a number or as an IRI.
fn claim_type(value: &Value) -> Result<i64, &'static str> {
    let id = match value {
        Value::String(text) => text
            .strip_prefix("/v2/claim_types/")
            .filter(|id| id.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|id| id.parse().ok()),
        other => other.as_i64(),
    };
    id.filter(|id| *id > 0)
        .ok_or("Nõude liik antakse id või IRI-ga.")
}

/// Collects what is wrong while the rest is read on.
struct Wrong(Vec<Violation>);

impl Wrong {
    fn say(&mut self, path: &str, message: impl Into<String>) {
        self.0.push(Violation {
            path: path.into(),
            message: message.into(),
            code: Some(Cow::Borrowed("invalid_filter")),
        });
    }

    fn or(self, filters: Filters) -> Result<Filters> {
        if self.0.is_empty() {
            Ok(filters)
        } else {
            Err(Error::Invalid(self.0))
        }
    }

    fn get<T>(&mut self, path: &str, value: Result<T, &'static str>) -> Option<T> {
        value.map_err(|message| self.say(path, message)).ok()
    }

    fn object<'v>(&mut self, path: &str, value: &'v Value) -> Option<&'v Map<String, Value>> {
        if value.as_object().is_none() {
            self.say(path, "Väärtus peab olema objekt.");
        }
        value.as_object()
    }

    /// One value or a list of them, without repeats.
    fn list<T: PartialEq>(
        &mut self,
        path: &str,
        value: &Value,
        read: fn(&Value) -> Result<T, &'static str>,
    ) -> Vec<T> {
        let single = std::slice::from_ref(value);
        let values = value.as_array().map_or(single, Vec::as_slice);
        let mut found = Vec::new();
        if values.len() > 1000 {
            self.say(path, "Liiga pikk loend.");
            return found;
        }
        for (position, value) in values.iter().enumerate() {
            match read(value) {
                Ok(item) if !found.contains(&item) => found.push(item),
                Ok(_) => {}
                Err(message) => self.say(&format!("{path}[{position}]"), message),
            }
        }
        found
    }

    /// A text in composed form, trimmed; blank is none.
    fn text(&mut self, path: &str, value: &Value) -> Option<String> {
        let Some(text) = value.as_str() else {
            self.say(path, "Väärtus peab olema tekst.");
            return None;
        };
        if text.chars().count() > LONGEST_TEXT {
            self.say(path, format!("Tekst on pikem kui {LONGEST_TEXT} märki."));
            return None;
        }
        if text.contains('\0') {
            self.say(path, "Tekstis on keelatud märk.");
            return None;
        }
        let text = text.trim();
        // Searched without accents: of accents alone nothing would be left, and nothing matches everything.
        let vanishes = |c: char| c.is_whitespace() || is_combining_mark(c);
        if !text.is_empty() && text.chars().all(vanishes) {
            self.say(path, "Tekstis ei ole ühtegi tähte ega numbrit.");
            return None;
        }
        (!text.is_empty()).then(|| text.nfc().collect())
    }

    fn code(&mut self, path: &str, value: &Value, party: &mut Party) {
        let Some(text) = self.text(path, value) else {
            return;
        };
        if text.len() <= 40 && text.bytes().all(|b| b.is_ascii_graphic()) {
            party.code = Some(text);
        } else {
            self.say(path, "Koodis võivad olla ainult numbrid ja ladina tähed.");
        }
    }

    /// Both types together are no filter.
    fn person_type(&mut self, path: &str, value: &Value) -> Option<PersonType> {
        let types = self.list(path, value, |value| match value.as_str() {
            Some("private") => Ok(PersonType::Private),
            Some("juridical") => Ok(PersonType::Juridical),
            _ => Err("Isiku liik on private või juridical."),
        });
        if types.len() == 1 {
            types.first().copied()
        } else {
            None
        }
    }

    fn flag(&mut self, path: &str, value: &Value) -> Option<bool> {
        let flag = value.as_bool();
        if flag.is_none() {
            self.say(path, "Väärtus peab olema true või false.");
        }
        flag
    }

    fn cents(&mut self, path: &str, value: &Value) -> Range<i64> {
        let mut range = Range::default();
        let Some(map) = self.object(path, value) else {
            return range;
        };
        for (operator, value) in map {
            let at = format!("{path}.{}", shorten(operator));
            if !matches!(operator.as_str(), "between" | "lt" | "lte" | "gt" | "gte") {
                self.say(&at, OPERATOR);
                continue;
            }
            if value.is_null() {
                continue;
            }
            if operator == "between" {
                match value.as_str().and_then(between) {
                    Some((from, until)) => {
                        range.not_below(from);
                        range.not_above(until);
                    }
                    None => self.say(&at, "Vahemik antakse kujul a..b sentides."),
                }
                continue;
            }
            let Some(cents) = self.get(
                &at,
                amount(value).ok_or("Summa peab olema täisarv sentides."),
            ) else {
                continue;
            };
            match operator.as_str() {
                "lt" => range.not_above(cents - 1),
                "lte" => range.not_above(cents),
                "gt" => range.not_below(cents + 1),
                _ => range.not_below(cents),
            }
        }
        range
    }

    fn days(&mut self, path: &str, value: &Value) -> Range<NaiveDate> {
        let mut range = Range::default();
        let Some(map) = self.object(path, value) else {
            return range;
        };
        for (operator, value) in map {
            let at = format!("{path}.{}", shorten(operator));
            if !matches!(
                operator.as_str(),
                "after" | "before" | "strictly_after" | "strictly_before"
            ) {
                self.say(&at, OPERATOR);
                continue;
            }
            if value.is_null() {
                continue;
            }
            let Some(day) = self.get(
                &at,
                value
                    .as_str()
                    .and_then(day)
                    .ok_or("Kuupäev antakse kujul 2024-12-31."),
            ) else {
                continue;
            };
            match operator.as_str() {
                "after" => range.not_below(day),
                "strictly_after" => range.not_below(day + Days::new(1)),
                "before" => range.not_above(day),
                _ => range.not_above(day - Days::new(1)),
            }
        }
        range
    }

    fn exists(&mut self, path: &str, value: &Value) -> Vec<(Blankable, bool)> {
        let mut found = Vec::new();
        let Some(map) = self.object(path, value) else {
            return found;
        };
        for (field, value) in map {
            let at = format!("{path}.{}", shorten(field));
            let known = BLANKABLE
                .iter()
                .find(|(filter, column, _)| filter == field || column == field);
            let Some((_, _, column)) = known else {
                self.say(&at, "Tundmatu väli.");
                continue;
            };
            if value.is_null() {
                continue;
            }
            if let Some(flag) = self.flag(&at, value) {
                found.push((Blankable { column }, flag));
            }
        }
        found
    }
}

fn amount(value: &Value) -> Option<i64> {
    value.as_i64().filter(is_amount)
}

/// `a..b`, exactly two whole numbers.
fn between(text: &str) -> Option<(i64, i64)> {
    let (from, until) = text.split_once("..")?;
    let read = |part: &str| {
        let plain = !part.starts_with('+');
        part.parse().ok().filter(|cents| plain && is_amount(cents))
    };
    Some((read(from)?, read(until)?))
}

fn is_amount(cents: &i64) -> bool {
    cents
        .checked_abs()
        .is_some_and(|cents| cents <= LIMIT_CENTS)
}

/// A day of the years that cases can have.
fn day(text: &str) -> Option<NaiveDate> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, b)| {
            if at == 4 || at == 7 {
                b == b'-'
            } else {
                b.is_ascii_digit()
            }
        });
    let day = shape
        .then(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok())
        .flatten()?;
    (1900..=2100).contains(&day.year()).then_some(day)
}
