//! The case list: pages, counts and exports over `case_list`, narrowed by filters and sorted by any column.
pub mod columns;
pub mod export;
pub mod filters;
pub mod number_start;
pub mod row;

mod conditions;
mod narrow;
mod parse;
mod sql;

use sqlx::PgConnection;

pub use columns::{COLUMNS, Column, Kind};
pub use conditions::push_where;
pub use export::Export;
pub use filters::{Filters, View};
pub use row::{Cell, Row, Rows};
use sql::Way;

use crate::cases::CaseStatus;
use crate::page::Page;
use crate::{Error, Result};

/// The most rows of one page.
pub const MOST_ROWS: i64 = 1_000;
/// From here on a page is worth a count, so that it can be read from the nearer end.
const DEEP: i64 = 2_000;
/// A walk along an index is worth it for a page that ends within this many rows.
const NEAR: i64 = 2_500;
/// Entries of one bureau that such a walk looks at, at most: the matches may lie at the far end of the index.
const WALK: i64 = 5_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

impl Direction {
    /// `asc` or `desc` in any case; the error names `path`.
    pub fn named(name: &str, path: &str) -> Result<Self> {
        match name.to_ascii_lowercase().as_str() {
            "asc" => Ok(Self::Ascending),
            "desc" => Ok(Self::Descending),
            _ => Err(Error::invalid(path, "Sortimise suund on asc või desc.")),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    pub column: &'static Column,
    pub direction: Direction,
}

impl Default for Sort {
    /// By number, the newest first. Source: spec 2 §2.2.
    fn default() -> Self {
        Self {
            column: &COLUMNS[0],
            direction: Direction::Descending,
        }
    }
}

/// What a list shows.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub columns: Vec<&'static Column>,
    pub sort: Sort,
    pub filters: Filters,
    pub view: View,
}

/// One page; `total` is known when the page reaches the end.
#[derive(Debug)]
pub struct Found {
    pub rows: Rows,
    pub total: Option<i64>,
}

/// Reads one page under the view's scope.
pub async fn page(conn: &mut PgConnection, wanted: &Wanted, page: Page) -> Result<Found> {
    page_walking(conn, wanted, page, WALK).await
}

/// The same, with at most `walk` entries of each bureau's index looked at before all matches are gathered.
pub async fn page_walking(
    conn: &mut PgConnection,
    wanted: &Wanted,
    page: Page,
    walk: i64,
) -> Result<Found> {
    let Wanted {
        columns,
        sort,
        filters,
        view,
    } = wanted;
    let deep = page.offset >= DEEP;
    let total = if deep {
        Some(count(conn, filters, *view).await?)
    } else {
        None
    };
    let mut part = Page {
        limit: page.limit + 1,
        offset: page.offset,
    };
    let mut backwards = false;
    if let Some(total) = total {
        let left = (total - page.offset).clamp(0, page.limit);
        if left == 0 {
            return Ok(Found {
                rows: Rows {
                    columns: columns.clone(),
                    rows: Vec::new(),
                },
                total: Some(total),
            });
        }
        part.limit = left;
        if page.offset > total / 2 {
            backwards = true;
            part.offset = total - page.offset - left;
        }
    }
    let upto = part.offset + part.limit;
    let narrow = narrow::probe(conn, filters, *view, sort.column.indexed).await?;
    let way = if !sort.column.indexed || narrow.is_narrow() {
        Way::Gather
    } else if filters.is_empty() && !view.over_bureaus() {
        Way::Index
    } else if upto > NEAR {
        Way::Gather
    } else if filters.is_empty() {
        Way::Walk { most: upto }
    } else if !view.over_bureaus()
        || sql::is_worth_a_walk(conn, filters, *view, &narrow, upto).await?
    {
        Way::Walk { most: walk }
    } else {
        Way::Gather
    };
    let mut rows = Vec::new();
    for way in [way, Way::Gather] {
        let how = sql::How { way, backwards };
        rows = sql::page(wanted, &narrow, part, how)
            .build()
            .persistent(false)
            .fetch_all(&mut *conn)
            .await?;
        if !rows.is_empty() || !matches!(way, Way::Walk { .. }) {
            break;
        }
    }
    let total = match total {
        Some(total) if page.offset + page.limit >= total => Some(total),
        Some(_) => None,
        None => {
            let got = i64::try_from(rows.len()).unwrap_or(i64::MAX);
            rows.truncate(usize::try_from(page.limit).unwrap_or(usize::MAX));
            if got > page.limit {
                None
            } else if got > 0 || page.offset == 0 {
                Some(page.offset + got)
            } else {
                Some(count(conn, filters, *view).await?)
            }
        }
    };
    Ok(Found {
        rows: Rows {
            columns: columns.clone(),
            rows,
        },
        total,
    })
}

/// How many cases match.
pub async fn count(conn: &mut PgConnection, filters: &Filters, view: View) -> Result<i64> {
    let mut query = match filters.only_search() {
        Some(term) => sql::count_found(term, view),
        None => sql::count(filters, view),
    };
    Ok(query
        .build_query_scalar()
        .persistent(false)
        .fetch_one(conn)
        .await?)
}

/// How many cases match in each status that occurs.
pub async fn count_by_status(
    conn: &mut PgConnection,
    filters: &Filters,
    view: View,
) -> Result<Vec<(CaseStatus, i64)>> {
    Ok(sql::count_by_status(filters, view)
        .build_query_as()
        .persistent(false)
        .fetch_all(conn)
        .await?)
}
