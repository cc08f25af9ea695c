//! All SQL of users and their roles.
use std::collections::HashMap;

use serde_json::Value;
use sqlx::PgConnection;

use super::{ColumnChoice, Credentials, Preferences, User, UserRole};
use crate::ids::{RoleId, TenantId, UserId};
use crate::page::Page;
use crate::{Result, Role};

/// The preferences before a save.
pub struct Before {
    pub username: String,
    pub version: i32,
    pub values: Value,
}

pub async fn credentials(conn: &mut PgConnection, key: &str) -> Result<Option<Credentials>> {
    let row = sqlx::query!("select id, username, password_hash from users where username_key = $1 and disabled_at is null", key)
        .fetch_optional(conn)
        .await?;
    Ok(row.map(|row| Credentials {
        id: UserId(row.id),
        username: row.username,
        password_hash: row.password_hash,
    }))
}

/// Users by id, with their live roles: all, or those in one bureau.
pub async fn by_ids(
    conn: &mut PgConnection,
    ids: &[UserId],
    bureau: Option<TenantId>,
) -> Result<Vec<User>> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let mut roles: HashMap<i64, Vec<UserRole>> = HashMap::new();
    let rows = sqlx::query!(
        r#"select r.id, r.user_id, r.tenant_id, r.role as "role: Role", b.code, b.name
           from user_roles r join bureaus b on b.id = r.tenant_id
           where r.user_id = any($1) and r.ended_at is null and ($2::bigint is null or r.tenant_id = $2)
           order by b.is_chamber, b.code, r.role"#,
        &ids,
        bureau.map(|id| id.0)
    )
    .fetch_all(&mut *conn)
    .await?;
    for row in rows {
        roles.entry(row.user_id).or_default().push(UserRole {
            id: RoleId(row.id),
            tenant_id: TenantId(row.tenant_id),
            role: row.role,
            tenant_code: row.code,
            tenant_name: row.name,
        });
    }
    let users = sqlx::query!(
        r#"select id, username, name, email, language, row_height, case_table_column_fields, job_table_column_fields,
                  disabled_at is not null as "disabled!", version
           from users where id = any($1)"#,
        &ids
    )
    .fetch_all(conn)
    .await?;
    Ok(users
        .into_iter()
        .map(|row| User {
            id: UserId(row.id),
            username: row.username,
            name: row.name,
            email: row.email,
            language: row.language,
            row_height: row.row_height,
            case_table_column_fields: row.case_table_column_fields,
            job_table_column_fields: row.job_table_column_fields,
            disabled: row.disabled,
            version: row.version,
            roles: roles.remove(&row.id).unwrap_or_default(),
        })
        .collect())
}

pub async fn list_ids(
    conn: &mut PgConnection,
    bureau: Option<TenantId>,
    page: Page,
) -> Result<(Vec<UserId>, i64)> {
    let bureau = bureau.map(|id| id.0);
    let ids = sqlx::query_scalar!(
        r#"select id from users u
           where $1::bigint is null
              or exists (select from user_roles r where r.user_id = u.id and r.tenant_id = $1 and r.ended_at is null)
           order by name collate "et-x-icu", id limit $2 offset $3"#,
        bureau,
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from users u
           where $1::bigint is null
              or exists (select from user_roles r where r.user_id = u.id and r.tenant_id = $1 and r.ended_at is null)"#,
        bureau
    )
    .fetch_one(conn)
    .await?;
    Ok((ids.into_iter().map(UserId).collect(), total))
}

pub async fn lock_preferences(conn: &mut PgConnection, id: UserId) -> Result<Option<Before>> {
    let row = sqlx::query!(
        "select username, version, language, row_height, case_table_column_fields, job_table_column_fields from users
         where id = $1 and disabled_at is null for update",
        id.0
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Before {
        username: row.username,
        version: row.version,
        values: serde_json::json!({
            "language": row.language,
            "row_height": row.row_height,
            "case_table_column_fields": row.case_table_column_fields,
            "job_table_column_fields": row.job_table_column_fields,
        }),
    }))
}

pub async fn save_preferences(
    conn: &mut PgConnection,
    id: UserId,
    new: &Preferences,
) -> Result<()> {
    let chosen = |choice: &ColumnChoice| match choice {
        ColumnChoice::Keep => (false, None),
        ColumnChoice::Standard => (true, None),
        ColumnChoice::These(fields) => (true, Some(serde_json::json!(fields))),
    };
    let ((cases_changed, cases), (jobs_changed, jobs)) =
        (chosen(&new.columns), chosen(&new.job_columns));
    sqlx::query!(
        "update users set language = coalesce($2, language), row_height = coalesce($3, row_height),
                case_table_column_fields = case when $4 then $5 else case_table_column_fields end,
                job_table_column_fields = case when $6 then $7 else job_table_column_fields end, version = version + 1
         where id = $1",
        id.0,
        new.language,
        new.row_height,
        cases_changed,
        cases,
        jobs_changed,
        jobs,
    )
    .execute(conn)
    .await?;
    Ok(())
}
