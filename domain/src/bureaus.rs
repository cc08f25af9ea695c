//! Bureaus: a bailiff sees his own, the chamber and operators see all.
use sqlx::PgConnection;

use crate::ids::TenantId;
use crate::page::{Listed, Page};
use crate::{Actor, Error, Result, Role};

#[derive(Debug, Clone, PartialEq)]
pub struct Bureau {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub is_chamber: bool,
    pub bailiff_name: Option<String>,
    pub vat_liable: bool,
    pub email: Option<String>,
    pub address: Option<String>,
    pub primary_bank_account_id: Option<i64>,
    pub version: i32,
}

/// A bureau as other things name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BureauName {
    pub id: TenantId,
    pub code: String,
    pub name: String,
}

pub async fn list(conn: &mut PgConnection, actor: &Actor, page: Page) -> Result<Listed<Bureau>> {
    let own = match actor.role {
        Role::Kt => Some(actor.tenant_id.0),
        Role::Koda | Role::Dev => None,
    };
    select(conn, own, page).await
}

pub async fn get(conn: &mut PgConnection, actor: &Actor, id: TenantId) -> Result<Bureau> {
    if actor.role == Role::Kt && id != actor.tenant_id {
        return Err(Error::NotFound);
    }
    let found = select(
        conn,
        Some(id.0),
        Page {
            limit: 1,
            offset: 0,
        },
    )
    .await?;
    found.rows.into_iter().next().ok_or(Error::NotFound)
}

async fn select(conn: &mut PgConnection, id: Option<i64>, page: Page) -> Result<Listed<Bureau>> {
    let rows = sqlx::query_as!(
        Bureau,
        "select id, code, name, is_chamber, bailiff_name, vat_liable, email, address, primary_bank_account_id, version
         from bureaus where $1::bigint is null or id = $1
         order by is_chamber, code, id limit $2 offset $3",
        id,
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from bureaus where $1::bigint is null or id = $1"#,
        id
    )
    .fetch_one(conn)
    .await?;
    Ok(Listed { rows, total })
}

/// The chamber's row: what belongs to no bureau is kept there.
pub async fn chamber(conn: &mut PgConnection) -> Result<TenantId> {
    let id = sqlx::query_scalar!("select id from bureaus where is_chamber")
        .fetch_one(conn)
        .await?;
    Ok(TenantId(id))
}

/// Every bureau, for jobs that go over all of them.
pub async fn ids(conn: &mut PgConnection) -> Result<Vec<TenantId>> {
    let ids = sqlx::query_scalar!("select id from bureaus where not is_chamber order by id")
        .fetch_all(conn)
        .await?;
    Ok(ids.into_iter().map(TenantId).collect())
}
