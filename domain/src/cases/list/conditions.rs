//! The `where` of the case list: every piece of text comes from here, values are bound.
use sqlx::{Postgres, QueryBuilder};

use super::filters::{Filters, Party, View};
use super::narrow::Narrow;

/// Pushes ` where true and …` for `filters`, on the alias `l` of `view.relation()`; the caller may go on with ` and …`.
pub fn push_where(query: &mut QueryBuilder<Postgres>, filters: &Filters, view: View) {
    push_narrowed(query, filters, view, &Narrow::default());
}

/// The same, with what is known of the words looked for.
pub(super) fn push_narrowed(
    query: &mut QueryBuilder<Postgres>,
    filters: &Filters,
    view: View,
    narrow: &Narrow,
) {
    query.push(" where true");
    push_conditions(query, filters);
    for ids in &narrow.ids {
        query
            .push(" and l.case_id = any(")
            .push_bind(ids.clone())
            .push(")");
    }
    match &filters.search {
        None => {}
        Some(_) if narrow.search_is_narrow => {}
        // A common word is met soon along an index: looked up row by row there.
        Some(term) if narrow.search_is_common => {
            query.push(" and (select s.text from case_search s where s.case_id = l.case_id) like ");
            push_pattern(query, term);
        }
        Some(term) => {
            query
                .push(" and l.case_id in (select search_case_ids(")
                .push_bind(term.clone());
            query.push(", ").push_bind(view.over_bureaus()).push("))");
        }
    }
}

/// The folded term anywhere in a text; null, which matches nothing, where folding leaves nothing of it.
fn push_pattern(query: &mut QueryBuilder<Postgres>, term: &str) {
    query
        .push("'%' || replace(replace(replace(nullif(btrim(fold(")
        .push_bind(term.to_owned());
    query.push(")), ''), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'");
}

fn push_conditions(query: &mut QueryBuilder<Postgres>, filters: &Filters) {
    if !filters.status.is_empty() {
        let numbers: Vec<i16> = filters.status.iter().map(|s| s.number()).collect();
        query
            .push(" and l.status = any(")
            .push_bind(numbers)
            .push(")");
    }
    if let Some(number) = &filters.number {
        between(
            query,
            "l.prefix",
            *number.prefix.start(),
            *number.prefix.end(),
        );
        if let Some(year) = &number.year {
            between(query, "l.year", *year.start(), *year.end());
        }
        if !number.index.is_empty() {
            query.push(" and (false");
            for range in &number.index {
                query.push(" or l.index between ").push_bind(*range.start());
                query.push(" and ").push_bind(*range.end());
            }
            query.push(")");
        }
    }
    party(
        query,
        &filters.claimant,
        ["l.claimant_type", "l.claimant_key", "l.claimant_code"],
    );
    party(
        query,
        &filters.debtor,
        ["l.debtor_type", "l.debtor_key", "l.debtor_code"],
    );
    if !filters.main_claim_type.is_empty() {
        query
            .push(" and l.main_claim_type_id = any(")
            .push_bind(filters.main_claim_type.clone())
            .push(")");
    }
    for (operator, end) in [
        (" and l.balance_cents >= ", filters.balance_cents.from),
        (" and l.balance_cents <= ", filters.balance_cents.until),
    ] {
        if let Some(cents) = end {
            query.push(operator).push_bind(cents);
        }
    }
    for (operator, end) in [
        (" and l.date_opened >= ", filters.date_opened.from),
        (" and l.date_opened <= ", filters.date_opened.until),
    ] {
        if let Some(day) = end {
            query.push(operator).push_bind(day);
        }
    }
    if let Some(selection) = filters.selection {
        query
            .push(" and l.case_id in (select c.case_id from case_selection_cases c where c.selection_id = ")
            .push_bind(selection)
            .push(")");
    }
    for (field, filled) in &filters.exists {
        query.push(" and ").push(field.column).push(if *filled {
            " is not null"
        } else {
            " is null"
        });
    }
}

fn between(query: &mut QueryBuilder<Postgres>, column: &'static str, from: i16, until: i16) {
    query
        .push(" and ")
        .push(column)
        .push(" between ")
        .push_bind(from);
    query.push(" and ").push_bind(until);
}

fn party(
    query: &mut QueryBuilder<Postgres>,
    party: &Party,
    [of_type, key, code]: [&'static str; 3],
) {
    if let Some(person_type) = party.person_type {
        query
            .push(" and ")
            .push(of_type)
            .push(" = ")
            .push_bind(person_type.number());
    }
    if let Some(part) = &party.name {
        query.push(" and ").push(key).push(" like ");
        push_pattern(query, part);
    }
    if let Some(start) = &party.code {
        // Leakproof and served by text_pattern_ops, unlike `like`; U+10FFFF is above every continuation.
        query
            .push(" and ")
            .push(code)
            .push(" ~>=~ ")
            .push_bind(start.clone());
        query
            .push(" and ")
            .push(code)
            .push(" ~<~ ")
            .push_bind(format!("{start}\u{10ffff}"));
    }
}
