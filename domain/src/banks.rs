//! Banks and other institutions that take seizures: national rows.
use sqlx::PgConnection;

use crate::page::{Listed, Page};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Bank {
    pub id: i64,
    pub name: String,
    pub swift: String,
    pub code: Option<String>,
    pub target: String,
    pub is_preselected: bool,
    pub active: bool,
    pub idx: i32,
    pub default_arrest_template_id: Option<i64>,
    pub default_first_arrest_template_id: Option<i64>,
    pub default_close_template_id: Option<i64>,
    pub default_expire_close_template_id: Option<i64>,
    pub version: i32,
}

/// Which banks; an absent part does not narrow, a list means one of.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub ids: Option<Vec<i64>>,
    pub names: Option<Vec<String>>,
    pub swifts: Option<Vec<String>>,
    pub targets: Option<Vec<String>>,
    pub active: Option<bool>,
}

/// The order of a list; ties by id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    IdxAscending,
    IdxDescending,
}

pub async fn list(
    conn: &mut PgConnection,
    filter: &Filter,
    order: Order,
    page: Page,
) -> Result<Listed<Bank>> {
    let down = order == Order::IdxDescending;
    let rows = sqlx::query_as!(
        Bank,
        "select id, name, swift, code, target, is_preselected, active, idx, default_arrest_template_id,
                default_first_arrest_template_id, default_close_template_id, default_expire_close_template_id, version
         from banks
         where ($1::bigint[] is null or id = any($1)) and ($2::text[] is null or name = any($2))
           and ($3::text[] is null or swift = any($3)) and ($4::text[] is null or target = any($4))
           and ($5::boolean is null or active = $5)
         order by case when $6 then -idx else idx end, id limit $7 offset $8",
        filter.ids.as_deref(),
        filter.names.as_deref(),
        filter.swifts.as_deref(),
        filter.targets.as_deref(),
        filter.active,
        down,
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from banks
           where ($1::bigint[] is null or id = any($1)) and ($2::text[] is null or name = any($2))
             and ($3::text[] is null or swift = any($3)) and ($4::text[] is null or target = any($4))
             and ($5::boolean is null or active = $5)"#,
        filter.ids.as_deref(),
        filter.names.as_deref(),
        filter.swifts.as_deref(),
        filter.targets.as_deref(),
        filter.active
    )
    .fetch_one(conn)
    .await?;
    Ok(Listed { rows, total })
}

pub async fn get(conn: &mut PgConnection, id: i64) -> Result<Bank> {
    let filter = Filter {
        ids: Some(vec![id]),
        ..Filter::default()
    };
    let found = list(
        conn,
        &filter,
        Order::default(),
        Page {
            limit: 1,
            offset: 0,
        },
    )
    .await?;
    found.rows.into_iter().next().ok_or(Error::NotFound)
}
