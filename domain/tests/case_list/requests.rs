//! Random requests whose values come from the cases themselves, so that most find something.
use domain::cases::CaseStatus;
use domain::cases::list::{COLUMNS, Column, Direction};
use serde_json::{Map, Value, json};

use crate::chance::Chance;
use crate::oracle::Case;

#[derive(Debug)]
pub struct Asked {
    pub filters: Value,
    pub column: &'static Column,
    pub direction: Direction,
    pub page: i64,
    pub limit: i64,
}

const EXISTS: &[&str] = &[
    "taitisNumber",
    "register_id",
    "mainClaimType",
    "claimant.regCode",
    "debtor_reg_code",
    "debtor.dateDeath",
    "debtorMainBankAccount",
    "dateClosed",
    "delivery_date",
    "dateGraph",
    "enforcementCaseSolution.resolver",
    "lastTransitionError",
];

const FILTERS: &[&str] = &[
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
];

pub fn random(all: &[Case], chance: &mut Chance) -> Asked {
    let mut filters = Map::new();
    for _ in 0..chance.below(4) {
        let key = *chance.one(FILTERS);
        filters.insert(key.into(), value(key, all, chance));
    }
    let limit = *chance.one(&[1, 7, 40, 40, 100, 1000]);
    let pages = i64::try_from(all.len()).unwrap() / limit + 2;
    let page = match chance.below(3) {
        0 => 1,
        1 => 1 + i64::try_from(chance.below(3)).unwrap(),
        _ => 1 + i64::try_from(chance.below(usize::try_from(pages).unwrap())).unwrap(),
    };
    Asked {
        filters: Value::Object(filters),
        column: chance.one(COLUMNS),
        direction: *chance.one(&[Direction::Ascending, Direction::Descending]),
        page,
        limit,
    }
}

fn value(key: &str, all: &[Case], chance: &mut Chance) -> Value {
    let case = chance.one(all).clone();
    match key {
        "status" => (0..=chance.below(4))
            .map(|_| chance.one(&CaseStatus::ALL).name())
            .collect(),
        "number" => {
            let number = case.number.to_string();
            Value::from(&number[..1 + chance.below(number.len())])
        }
        "claimant.type" | "debtor.type" => json!([chance.one(&["private", "juridical"])]),
        "claimant.name" => Value::from(part(&case.claimant.name, chance)),
        "debtor.name" => Value::from(part(&case.debtor.name, chance)),
        "claimant.regCode" => Value::from(beginning(case.claimant.code, chance)),
        "debtor.regCode" => Value::from(beginning(case.debtor.code, chance)),
        "mainClaimType" => (0..=chance.below(2))
            .filter_map(|_| chance.one(all).claim_type)
            .chain([999_999])
            .collect(),
        "balance.cents" => {
            let other = chance.one(all).balance;
            match chance.below(5) {
                0 => json!({"lt": other}),
                1 => json!({"lte": other}),
                2 => json!({"gt": other}),
                3 => json!({"gte": other, "lt": case.balance}),
                _ => {
                    json!({"between": format!("{}..{}", other.min(case.balance), other.max(case.balance))})
                }
            }
        }
        "dateOpened" => {
            let operator = *chance.one(&["after", "before", "strictly_after", "strictly_before"]);
            json!({operator: case.opened})
        }
        "globalSearchTerm" => match chance.below(4) {
            0 => Value::from(part(&case.debtor.name, chance)),
            1 => Value::from(part(&case.claimant.name, chance)),
            2 => Value::from(beginning(case.debtor.code, chance)),
            _ => Value::from(part(&case.number.to_string(), chance)),
        },
        "includeAllBailiffs" => Value::from(chance.once_in(2)),
        _ => (0..=chance.below(2))
            .map(|_| {
                (
                    (*chance.one(EXISTS)).to_owned(),
                    Value::from(chance.once_in(2)),
                )
            })
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// A piece of a text without blanks at its ends, sometimes in capitals or with marks.
fn part(text: &str, chance: &mut Chance) -> String {
    let letters: Vec<char> = text.chars().collect();
    let from = chance.below(letters.len());
    let until = (from + 1 + chance.below(6)).min(letters.len());
    let piece: String = letters[from..until].iter().collect();
    let piece = if piece.trim().is_empty() {
        text.to_owned()
    } else {
        piece.trim().to_owned()
    };
    match chance.below(6) {
        0 | 1 => piece.to_uppercase(),
        2 => format!("\u{20e0}{piece}\u{301}"),
        _ => piece,
    }
}

fn beginning(code: Option<String>, chance: &mut Chance) -> String {
    let code = code.unwrap_or_else(|| "3".into());
    code[..1 + chance.below(code.len())].to_owned()
}
