//! Kinds of claim: national rows.
use sqlx::PgConnection;

use crate::Result;
use crate::page::{Listed, Page};

#[derive(Debug, Clone, PartialEq)]
pub struct ClaimType {
    pub id: i64,
    pub name: String,
    /// Child maintenance: its own base fee and rules.
    pub maintenance: bool,
    pub active: bool,
    pub order_idx: i32,
    pub version: i32,
}

pub async fn list(
    conn: &mut PgConnection,
    active: Option<bool>,
    page: Page,
) -> Result<Listed<ClaimType>> {
    let rows = sqlx::query_as!(
        ClaimType,
        "select id, name, maintenance, active, order_idx, version from claim_types
         where $1::boolean is null or active = $1 order by order_idx, id limit $2 offset $3",
        active,
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from claim_types where $1::boolean is null or active = $1"#,
        active
    )
    .fetch_one(conn)
    .await?;
    Ok(Listed { rows, total })
}
