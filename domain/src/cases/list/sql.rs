//! The statements of the case list. Every piece of text comes from the allow-list of `columns` and `filters`; values are bound.
use sqlx::{PgConnection, Postgres, QueryBuilder};

use super::columns::{Column, Join};
use super::conditions::{push_narrowed, push_where};
use super::filters::{Filters, View};
use super::narrow::Narrow;
use super::{Direction, Sort, Wanted};
use crate::Result;
use crate::page::Page;

/// How many index entries a walk over all bureaus may look at before a scan with a sort is surely quicker.
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

/// One page: the ids first, by the given way, then their rows.
pub(super) fn page(
    wanted: &Wanted,
    narrow: &Narrow,
    page: Page,
    how: How,
) -> QueryBuilder<Postgres> {
    let Wanted {
        columns,
        sort,
        filters,
        view,
    } = wanted;
    let (sort, view, relation) = (*sort, *view, view.relation());
    let mut query = QueryBuilder::new("");
    if let Way::Walk { most } = how.way {
        push_walk(&mut query, wanted, narrow, page, how.backwards, most);
    }
    push_values(&mut query, columns);
    query.push(" from (");
    match how.way {
        Way::Walk { .. } => {
            // Each bureau gave what the page may need, or has no more; otherwise nothing at all is known.
            query
                .push("select l.case_id from walked o, unnest(o.ids) found (id) join ")
                .push(relation)
                .push(" l on l.case_id = found.id where (select bool_and(complete) from walked)");
        }
        // Behind `offset 0` the planner can't hope to meet the matches soon along the index of one bureau; elsewhere no index
        // gives the order, and the fence would keep a sort from going parallel.
        Way::Gather if sort.column.indexed && !view.over_bureaus() => {
            query
                .push("select l.case_id from (select * from ")
                .push(relation)
                .push(" l");
            push_narrowed(&mut query, filters, view, narrow);
            query.push(" offset 0) l");
        }
        Way::Index | Way::Gather => {
            query
                .push("select l.case_id from ")
                .push(relation)
                .push(" l");
            push_joins(&mut query, [sort.column]);
            push_narrowed(&mut query, filters, view, narrow);
        }
    }
    push_order(&mut query, sort, how.backwards);
    query
        .push(" limit ")
        .push_bind(page.limit)
        .push(" offset ")
        .push_bind(page.offset);
    query
        .push(") p join ")
        .push(relation)
        .push(" l on l.case_id = p.case_id");
    push_joins(&mut query, columns.iter().copied().chain([sort.column]));
    push_order(&mut query, sort, false);
    query
}

/// `with walked as (…)`: of each bureau, the first matches among the first `most` entries of the sort's index.
fn push_walk(
    query: &mut QueryBuilder<Postgres>,
    wanted: &Wanted,
    narrow: &Narrow,
    page: Page,
    backwards: bool,
    most: i64,
) {
    let (sort, view) = (wanted.sort, wanted.view);
    let upto = page.offset + page.limit;
    let push_entries = |query: &mut QueryBuilder<Postgres>| {
        query
            .push(view.relation())
            .push(" l where l.tenant_id = o.id");
        push_order(query, sort, backwards);
    };
    query.push(
        "with walked as materialized (
           select a.ids, cardinality(a.ids) >= ",
    );
    query.push_bind(upto);
    query.push(" or not exists (select from ");
    push_entries(query);
    query.push(" offset ").push_bind(most);
    query.push(" limit 1) as complete from bureaus o, lateral (select array(select l.case_id from (select l.* from ");
    push_entries(query);
    query.push(" limit ").push_bind(most).push(") l");
    push_narrowed(query, &wanted.filters, view, narrow);
    push_order(query, sort, backwards);
    query.push(" limit ").push_bind(upto);
    // The fence keeps the planner from walking twice, once for each use of the ids.
    query.push(") as ids offset 0) a");
    if !view.over_bureaus() {
        query.push(" where o.id = app_tenant()");
    }
    query.push(") ");
}

/// How one page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct How {
    pub way: Way,
    /// From the last row on.
    pub backwards: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In the order of one bureau's index; every entry counts.
    Index,
    /// Bureau by bureau along the index, `most` entries of each at most; no rows when that was not enough.
    Walk { most: i64 },
    /// All matches, then sorted.
    Gather,
}

/// Whether a list over all bureaus is best walked: when the filters let enough rows through, by the planner's own estimate.
pub(super) async fn is_worth_a_walk(
    conn: &mut PgConnection,
    filters: &Filters,
    view: View,
    narrow: &Narrow,
    upto: i64,
) -> Result<bool> {
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
