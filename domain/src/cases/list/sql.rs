//! The statements of the case list. Every piece of text comes from the allow-list of `columns` and `filters`; values are bound.
use sqlx::{PgConnection, Postgres, QueryBuilder};

use super::columns::{Column, Join};
use super::conditions::{push_narrowed, push_where};
use super::filters::{Filters, View};
use super::narrow::Narrow;
use super::{Direction, Sort};
use crate::Result;
use crate::page::Page;

/// How many index entries a merge over bureaus may walk before a scan with a sort is surely quicker.
const MERGE_WALK: i64 = 100_000;
/// Bureaus assumed by that reckoning.
const BUREAUS: i64 = 30;

/// `year desc, index desc, …` of a sort; backwards: the same rows from the other end.
fn push_order(query: &mut QueryBuilder<Postgres>, sort: Sort, backwards: bool) {
    query.push(" order by ");
    for (position, key) in sort.column.order.iter().enumerate() {
        let asked = (sort.direction == Direction::Descending) != key.against;
        let descending = asked != backwards;
        query
            .push(if position > 0 { ", " } else { "" })
            .push(key.expression);
        query.push(if descending { " desc" } else { " asc" });
        if key.nulls {
            // Blanks are last, whichever the direction; from the other end they come first.
            query.push(if backwards {
                " nulls first"
            } else {
                " nulls last"
            });
        }
    }
}

fn push_joins(
    query: &mut QueryBuilder<Postgres>,
    columns: impl IntoIterator<Item = &'static Column>,
) {
    let mut joined: Vec<Join> = Vec::new();
    for join in columns.into_iter().filter_map(|column| column.join) {
        if !joined.contains(&join) {
            joined.push(join);
            query.push(join.sql());
        }
    }
}

fn push_values(query: &mut QueryBuilder<Postgres>, columns: &[&'static Column]) {
    query.push("select l.case_id, l.tenant_id");
    for column in columns {
        query.push(", ").push(column.value);
    }
}

/// One page: the ids first, over an index where there is one, then their rows.
pub(super) fn page(
    columns: &[&'static Column],
    sort: Sort,
    filters: &Filters,
    view: View,
    narrow: &Narrow,
    page: Page,
    how: How,
) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new("");
    push_values(&mut query, columns);
    query.push(" from (");
    if how.merge {
        query
            .push("select l.case_id from bureaus o cross join lateral (select l.* from ")
            .push(view.relation());
        query.push(" l");
        push_narrowed(&mut query, filters, view, narrow);
        query.push(" and l.tenant_id = o.id");
        push_order(&mut query, sort, how.backwards);
        query
            .push(" limit ")
            .push_bind(page.offset + page.limit)
            .push(") l");
    } else {
        query
            .push("select l.case_id from ")
            .push(view.relation())
            .push(" l");
        push_joins(&mut query, [sort.column]);
        push_narrowed(&mut query, filters, view, narrow);
    }
    push_order(&mut query, sort, how.backwards);
    query
        .push(" limit ")
        .push_bind(page.limit)
        .push(" offset ")
        .push_bind(page.offset);
    query
        .push(") p join ")
        .push(view.relation())
        .push(" l on l.case_id = p.case_id");
    push_joins(&mut query, columns.iter().copied().chain([sort.column]));
    push_order(&mut query, sort, false);
    query
}

/// How one page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct How {
    /// Bureau by bureau over the index, then merged.
    pub merge: bool,
    /// From the last row on.
    pub backwards: bool,
}

/// Whether a list over all bureaus is best merged from each bureau's index: when the filters let enough rows through.
pub(super) async fn merges(
    conn: &mut PgConnection,
    sort: Sort,
    filters: &Filters,
    view: View,
    narrow: &Narrow,
    upto: i64,
) -> Result<bool> {
    if !view.over_bureaus() || !sort.column.indexed || narrow.is_narrow() {
        return Ok(false);
    }
    let mut query = QueryBuilder::new("explain (format json) select from ");
    query.push(view.relation()).push(" l");
    push_narrowed(&mut query, filters, view, narrow);
    let plan: serde_json::Value = query
        .build_query_scalar()
        .persistent(false)
        .fetch_one(&mut *conn)
        .await?;
    let expected = plan
        .pointer("/0/Plan/Plan Rows")
        .and_then(serde_json::Value::as_i64)
        .unwrap_or(0)
        .max(narrow.at_least());
    let all = sqlx::query_scalar!(
        r#"select reltuples::bigint as "rows!" from pg_class where oid = 'case_list'::regclass"#
    )
    .fetch_one(conn)
    .await?;
    // Each bureau's index is walked until it gave what the page needs.
    let walked = upto.saturating_mul(BUREAUS).saturating_mul(all.max(1)) / expected.max(1);
    Ok(walked <= MERGE_WALK)
}

/// What a search alone finds needs no look at the list rows: both tables hold the same cases.
pub(super) fn count_found(term: &str, view: View) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new("select count(*) from search_case_ids(");
    query.push_bind(term.to_owned()).push(", ");
    query.push_bind(view.over_bureaus()).push(")");
    query
}

/// Settings of an export's transaction under which its first rows come at once: along the index, nothing gathered before.
/// Not with a search, whose few rows are gathered soonest.
pub(super) fn along_the_index(sort: Sort, filters: &Filters) -> Option<&'static str> {
    (sort.column.indexed && filters.search.is_none()).then_some(
        "set local enable_sort = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
         set local enable_bitmapscan = off; set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0",
    )
}

pub(super) fn count(filters: &Filters, view: View) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new("select count(*) from ");
    query.push(view.relation()).push(" l");
    push_where(&mut query, filters, view);
    query
}

pub(super) fn count_by_status(filters: &Filters, view: View) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new("select l.status, count(*) from ");
    query.push(view.relation()).push(" l");
    push_where(&mut query, filters, view);
    query.push(" group by l.status order by l.status");
    query
}

/// A cursor over everything that matches; over bureaus and an index, one ordered branch a bureau, so that it starts at once.
pub(super) fn cursor(
    columns: &[&'static Column],
    sort: Sort,
    filters: &Filters,
    view: View,
    bureaus: &[i64],
) -> QueryBuilder<Postgres> {
    let mut query = QueryBuilder::new("declare export no scroll cursor for ");
    push_values(&mut query, columns);
    query.push(" from ");
    if view.over_bureaus() && sort.column.indexed && !bureaus.is_empty() {
        query.push("(");
        for (position, bureau) in bureaus.iter().enumerate() {
            query.push(if position > 0 { " union all " } else { "" });
            query
                .push("(select * from ")
                .push(view.relation())
                .push(" l");
            push_where(&mut query, filters, view);
            query.push(" and l.tenant_id = ").push(bureau);
            push_order(&mut query, sort, false);
            query.push(")");
        }
        query.push(") l");
        push_joins(&mut query, columns.iter().copied().chain([sort.column]));
    } else {
        query.push(view.relation()).push(" l");
        push_joins(&mut query, columns.iter().copied().chain([sort.column]));
        push_where(&mut query, filters, view);
    }
    push_order(&mut query, sort, false);
    query
}
