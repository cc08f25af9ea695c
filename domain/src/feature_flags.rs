//! Feature flags: on for everyone, for an environment, for an e-mail address, or for one bureau.
use sqlx::PgConnection;

use crate::page::{Listed, Page};
use crate::{Actor, Result, Role};

#[derive(Debug, Clone, PartialEq)]
pub struct FeatureFlag {
    pub id: i64,
    pub name: String,
    pub description: String,
    pub everyone: bool,
    pub environments: Vec<String>,
    pub emails: Vec<String>,
    pub tenant_id: Option<i64>,
    /// Whether it is on for the reader.
    pub enabled: bool,
    pub version: i32,
}

/// The flags with what each means for the actor; a bailiff sees neither other people's addresses nor other bureaus' flags.
pub async fn list(
    conn: &mut PgConnection,
    actor: &Actor,
    environment: &str,
    page: Page,
) -> Result<Listed<FeatureFlag>> {
    let own = (actor.role == Role::Kt).then_some(actor.tenant_id.0);
    let rows = sqlx::query!(
        r#"select f.id, f.name, f.description, f.everyone, f.environments, f.emails, f.tenant_id, f.version,
                  coalesce((f.everyone or $4 = any(f.environments) or u.email = any(f.emails) or f.tenant_id = $5)
                           and (f.tenant_id is null or f.tenant_id = $5), false) as "enabled!"
           from feature_flags f left join users u on u.id = $6
           where $1::bigint is null or f.tenant_id is null or f.tenant_id = $1
           order by f.name, f.id limit $2 offset $3"#,
        own,
        page.limit,
        page.offset,
        environment,
        actor.tenant_id.0,
        actor.user_id.0
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from feature_flags f where $1::bigint is null or f.tenant_id is null or f.tenant_id = $1"#,
        own
    )
    .fetch_one(conn)
    .await?;
    let rows = rows
        .into_iter()
        .map(|row| FeatureFlag {
            id: row.id,
            name: row.name,
            description: row.description,
            everyone: row.everyone,
            environments: row.environments,
            emails: if actor.role == Role::Kt {
                Vec::new()
            } else {
                row.emails
            },
            tenant_id: row.tenant_id,
            enabled: row.enabled,
            version: row.version,
        })
        .collect();
    Ok(Listed { rows, total })
}
