//! The oracle: every case in memory, filters and sorts as plain closures. Only the alphabet comes from the database, as ranks.
use std::cmp::Ordering;

use chrono::NaiveDate;
use domain::cases::list::Direction;
use domain::cases::{CaseState, CaseStatus, Number};
use domain::{Actor, Role};
use serde_json::Value;
use sqlx::{PgConnection, Row};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::requests::Asked;

#[derive(Debug, Clone)]
pub struct Party {
    pub person_type: i16,
    pub name: String,
    pub folded: String,
    pub rank: i64,
    pub code: Option<String>,
    pub died: Option<NaiveDate>,
}

#[derive(Debug, Clone)]
pub struct Case {
    pub id: i64,
    pub tenant: i64,
    pub tenant_rank: i64,
    pub number: Number,
    pub status: CaseStatus,
    pub state: CaseState,
    pub statement: Option<String>,
    pub register_id: Option<String>,
    pub reference: Option<String>,
    pub claimant: Party,
    pub debtor: Party,
    pub account: Option<String>,
    pub claim_type: Option<i64>,
    pub claim_type_rank: Option<i64>,
    pub total: i64,
    pub balance: i64,
    pub start_fee: i64,
    pub issuer_fee: i64,
    pub table_fee: i64,
    pub opened: NaiveDate,
    pub closed: Option<NaiveDate>,
    pub delivered: Option<NaiveDate>,
    pub voluntary: Option<NaiveDate>,
    pub graph: Option<NaiveDate>,
    pub solution_rank: Option<i64>,
    pub resolver_rank: Option<i64>,
    pub error_rank: Option<i64>,
    pub problems: i64,
}

/// From the tables that cases consist of; the sums from the list row, which another test compares with the pure definition.
const LOAD: &str = r#"
    select c.*, b.name as bureau, s.resolver, l.main_claim_type_id, l.total_claims_cents, l.balance_cents, l.start_fee_cents as start_fee,
           l.issuer_fee_cents as issuer_fee, l.table_fee_cents, p.type as p_type, p.name as p_name, fold(p.name) as p_folded, p.code as p_code,
           p.date_death as p_died, d.type as d_type, d.name as d_name, fold(d.name) as d_folded, d.code as d_code, d.date_death as d_died,
           (select account_no from bank_accounts a where a.person_id = d.id and a.is_main) as account,
           (select count(*) from problems x where x.case_id = c.id and x.resolved_at is null) as problems,
           dense_rank() over (order by b.name collate "et-x-icu") as bureau_rank,
           dense_rank() over (order by p.name collate "et-x-icu") as p_rank,
           dense_rank() over (order by d.name collate "et-x-icu") as d_rank,
           case when t.name is not null then dense_rank() over (order by t.name collate "et-x-icu") end as t_rank,
           case when v.name is not null then dense_rank() over (order by v.name collate "et-x-icu") end as v_rank,
           case when s.resolver is not null then dense_rank() over (order by s.resolver collate "et-x-icu") end as s_rank,
           case when c.last_transition_error is not null
             then dense_rank() over (order by c.last_transition_error collate "et-x-icu") end as e_rank
    from cases c
    join bureaus b on b.id = c.tenant_id
    join people p on p.id = c.claimant_id
    join people d on d.id = c.debtor_id
    join case_list l on l.case_id = c.id
    left join claim_types t on t.id = l.main_claim_type_id
    left join case_solutions s on s.case_id = c.id
    left join classifier_values v on v.id = s.type_id"#;

pub async fn load(conn: &mut PgConnection) -> Vec<Case> {
    let rows = sqlx::query(LOAD).fetch_all(conn).await.unwrap();
    let party = |row: &sqlx::postgres::PgRow, letter: &str| Party {
        person_type: row.get(format!("{letter}_type").as_str()),
        name: row.get(format!("{letter}_name").as_str()),
        folded: row.get(format!("{letter}_folded").as_str()),
        rank: row.get(format!("{letter}_rank").as_str()),
        code: row.get(format!("{letter}_code").as_str()),
        died: row.get(format!("{letter}_died").as_str()),
    };
    rows.iter()
        .map(|row| Case {
            id: row.get("id"),
            tenant: row.get("tenant_id"),
            tenant_rank: row.get("bureau_rank"),
            number: Number {
                prefix: row.get("prefix"),
                year: row.get("year"),
                index: row.get("index"),
            },
            status: row.get("status"),
            state: row.get("state"),
            statement: row.get("statement_number"),
            register_id: row.get("register_id"),
            reference: row.get("reference_no"),
            claimant: party(row, "p"),
            debtor: party(row, "d"),
            account: row.get("account"),
            claim_type: row.get("main_claim_type_id"),
            claim_type_rank: row.get("t_rank"),
            total: row.get("total_claims_cents"),
            balance: row.get("balance_cents"),
            start_fee: row.get("start_fee"),
            issuer_fee: row.get("issuer_fee"),
            table_fee: row.get("table_fee_cents"),
            opened: row.get("date_opened"),
            closed: row.get("date_closed"),
            delivered: row.get("delivery_date"),
            voluntary: row.get("voluntary_compliance_date"),
            graph: row.get("date_graph"),
            solution_rank: row.get("v_rank"),
            resolver_rank: row.get("s_rank"),
            error_rank: row.get("e_rank"),
            problems: row.get("problems"),
        })
        .collect()
}

/// Ids of everything that matches, in order.
pub fn answer(all: &[Case], who: &Actor, asked: &Asked) -> Vec<i64> {
    let every = who.role != Role::Kt || asked.filters["includeAllBailiffs"] == true;
    let mut found: Vec<&Case> = all
        .iter()
        .filter(|case| every || case.tenant == who.tenant_id.0)
        .filter(|case| {
            asked
                .filters
                .as_object()
                .unwrap()
                .iter()
                .all(|(key, value)| matches(case, key, value))
        })
        .collect();
    found.sort_by(|a, b| order(asked.column.field, asked.direction, a, b));
    found.iter().map(|case| case.id).collect()
}

fn words(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect()
}

/// Without case and marks.
fn plain(text: &str) -> String {
    let letters = text.nfd().filter(|c| !is_combining_mark(*c));
    let letters: String = letters.collect();
    letters.trim().to_lowercase()
}

fn matches(case: &Case, key: &str, value: &Value) -> bool {
    let kind = |party: &Party| {
        words(value).contains(&if party.person_type == 1 {
            "private"
        } else {
            "juridical"
        })
    };
    let text = || value.as_str().unwrap();
    let begins = |code: &Option<String>| code.as_ref().is_some_and(|code| code.starts_with(text()));
    match key {
        "status" => words(value).contains(&case.status.name()),
        "number" => case.number.to_string().starts_with(text()),
        "claimant.type" => kind(&case.claimant),
        "debtor.type" => kind(&case.debtor),
        "claimant.name" => case.claimant.folded.contains(&plain(text())),
        "debtor.name" => case.debtor.folded.contains(&plain(text())),
        "claimant.regCode" => begins(&case.claimant.code),
        "debtor.regCode" => begins(&case.debtor.code),
        "mainClaimType" => case
            .claim_type
            .is_some_and(|id| value.as_array().unwrap().contains(&Value::from(id))),
        "balance.cents" => value.as_object().unwrap().iter().all(|(operator, bound)| {
            let cents = || bound.as_i64().unwrap();
            match operator.as_str() {
                "lt" => case.balance < cents(),
                "lte" => case.balance <= cents(),
                "gt" => case.balance > cents(),
                "gte" => case.balance >= cents(),
                _ => {
                    let (from, until) = bound.as_str().unwrap().split_once("..").unwrap();
                    (from.parse().unwrap()..=until.parse::<i64>().unwrap()).contains(&case.balance)
                }
            }
        }),
        "dateOpened" => value.as_object().unwrap().iter().all(|(operator, bound)| {
            let day: NaiveDate = bound.as_str().unwrap().parse().unwrap();
            match operator.as_str() {
                "after" => case.opened >= day,
                "strictly_after" => case.opened > day,
                "before" => case.opened <= day,
                _ => case.opened < day,
            }
        }),
        "globalSearchTerm" => {
            let fields = [
                Some(case.number.to_string()),
                Some(case.claimant.folded.clone()),
                case.claimant.code.clone(),
                Some(case.debtor.folded.clone()),
                case.debtor.code.clone(),
                case.statement.as_ref().map(|s| s.to_lowercase()),
            ];
            fields
                .into_iter()
                .flatten()
                .any(|field| field.contains(&plain(text())))
        }
        "includeAllBailiffs" => true,
        "exists" => value
            .as_object()
            .unwrap()
            .iter()
            .all(|(field, filled)| exists(case, field) == filled.as_bool().unwrap()),
        other => panic!("the oracle knows no {other}"),
    }
}

fn exists(case: &Case, field: &str) -> bool {
    match field {
        "taitisNumber" => case.statement.is_some(),
        "register_id" => case.register_id.is_some(),
        "mainClaimType" => case.claim_type.is_some(),
        "claimant.regCode" => case.claimant.code.is_some(),
        "debtor_reg_code" => case.debtor.code.is_some(),
        "debtor.dateDeath" => case.debtor.died.is_some(),
        "debtorMainBankAccount" => case.account.is_some(),
        "dateClosed" => case.closed.is_some(),
        "delivery_date" => case.delivered.is_some(),
        "dateGraph" => case.graph.is_some(),
        "enforcementCaseSolution.resolver" => case.resolver_rank.is_some(),
        "lastTransitionError" => case.error_rank.is_some(),
        other => panic!("the oracle knows no field {other}"),
    }
}

/// Blanks last in both directions; ties by the rest of the key in the same direction.
fn order(field: &str, direction: Direction, a: &Case, b: &Case) -> Ordering {
    let turn = |ordering: Ordering| {
        if direction == Direction::Descending {
            ordering.reverse()
        } else {
            ordering
        }
    };
    let id = turn(a.id.cmp(&b.id));
    fn blank<T: Ord>(turn: impl Fn(Ordering) -> Ordering, a: Option<T>, b: Option<T>) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) => turn(a.cmp(&b)),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }
    let text = |a: &Option<String>, b: &Option<String>| blank(turn, a.clone(), b.clone());
    match field {
        "number" => turn(a.number.cmp(&b.number)),
        "status" => turn(
            a.status
                .number()
                .cmp(&b.status.number())
                .then(b.number.cmp(&a.number)),
        ),
        "state" => turn((a.state as i32).cmp(&(b.state as i32))).then(id),
        "tenant" => turn(a.tenant_rank.cmp(&b.tenant_rank)).then(id),
        "taitis_number" => text(&a.statement, &b.statement).then(id),
        "register_id" => text(&a.register_id, &b.register_id).then(id),
        "main_claim_type" => blank(turn, a.claim_type_rank, b.claim_type_rank).then(id),
        "claimant_name" => turn(a.claimant.rank.cmp(&b.claimant.rank)).then(id),
        "claimant_reg_code" => text(&a.claimant.code, &b.claimant.code).then(id),
        "debtor_name" => turn(a.debtor.rank.cmp(&b.debtor.rank)).then(id),
        "debtor_reg_code" => text(&a.debtor.code, &b.debtor.code).then(id),
        "total_claims" => turn(a.total.cmp(&b.total)).then(id),
        "balance" => turn(a.balance.cmp(&b.balance)).then(id),
        "start_fee" => turn(a.start_fee.cmp(&b.start_fee)).then(id),
        "issuer_fee" => turn(a.issuer_fee.cmp(&b.issuer_fee)).then(id),
        "table_fee" => turn(a.table_fee.cmp(&b.table_fee)).then(id),
        "date_opened" => turn(a.opened.cmp(&b.opened)).then(id),
        "date_closed" => blank(turn, a.closed, b.closed).then(id),
        "delivery_date" => blank(turn, a.delivered, b.delivered).then(id),
        "voluntary_compliance_date" => blank(turn, a.voluntary, b.voluntary).then(id),
        "date_graph" => blank(turn, a.graph, b.graph).then(id),
        "reference_no" => text(&a.reference, &b.reference).then(id),
        "debtor_main_bank_account" => text(&a.account, &b.account).then(id),
        "case_solution_type" => blank(turn, a.solution_rank, b.solution_rank).then(id),
        "case_solution_resolver" => blank(turn, a.resolver_rank, b.resolver_rank).then(id),
        "claimant_date_death" => blank(turn, a.claimant.died, b.claimant.died).then(id),
        "debtor_date_death" => blank(turn, a.debtor.died, b.debtor.died).then(id),
        "last_transition_error" => blank(turn, a.error_rank, b.error_rank).then(id),
        "in_transfer" => id,
        "problem_count" => turn(a.problems.cmp(&b.problems)).then(id),
        other => panic!("the oracle knows no column {other}"),
    }
}
