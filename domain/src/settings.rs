//! Settings: global rows, and a bureau's own that take their place.
use serde_json::Value;
use sqlx::PgConnection;

use crate::ids::TenantId;
use crate::page::{Listed, Page};
use crate::{Actor, Error, Result, Role};

#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub id: i64,
    /// Null: global.
    pub tenant_id: Option<i64>,
    pub kind: String,
    pub name: String,
    /// A list that lives in a classifier or among the claim types comes filled in.
    pub value: Value,
    pub placeholder: bool,
    pub version: i32,
}

/// Whose settings are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Global,
    /// The bureau's own rows, and the global ones that it has none of its own for.
    InForceFor(TenantId),
}

impl Whose {
    /// The settings of the bureau asked for; another bureau's are not found.
    pub fn asked(actor: &Actor, tenant: Option<TenantId>) -> Result<Self> {
        match (actor.role, tenant) {
            (Role::Kt, Some(tenant)) if tenant != actor.tenant_id => Err(Error::NotFound),
            (Role::Kt, _) => Ok(Self::InForceFor(actor.tenant_id)),
            (Role::Koda | Role::Dev, Some(tenant)) => Ok(Self::InForceFor(tenant)),
            (Role::Koda | Role::Dev, None) => Ok(Self::Global),
        }
    }
}

pub async fn list(
    conn: &mut PgConnection,
    whose: Whose,
    kinds: Option<&[String]>,
    page: Page,
) -> Result<Listed<Setting>> {
    let tenant = match whose {
        Whose::Global => None,
        Whose::InForceFor(tenant) => Some(tenant.0),
    };
    if let Some(id) = tenant {
        let known = sqlx::query_scalar!(
            r#"select exists (select from bureaus where id = $1) as "known!""#,
            id
        )
        .fetch_one(&mut *conn)
        .await?;
        if !known {
            return Err(Error::NotFound);
        }
    }
    let rows = sqlx::query_as!(
        Setting,
        r#"select s.id, s.tenant_id, s.type as kind, s.name, s.placeholder, s.version,
                  coalesce(case
                    when s.value ? 'classifier' then (
                      select jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name, 'code', v.code, 'active', v.active) order by v.order_idx, v.id)
                      from classifier_values v join classifiers c on c.id = v.classifier_id where c.tag = s.value ->> 'classifier')
                    when s.value ? 'resource' then (
                      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'active', t.active) order by t.order_idx, t.id)
                      from claim_types t)
                  end, s.value) as "value!"
           from settings s
           where (s.tenant_id is null or s.tenant_id = $1) and ($2::text[] is null or s.type = any($2))
             and not (s.tenant_id is null and exists (
               select from settings o where o.tenant_id = $1 and o.type = s.type and o.name = s.name))
           order by s.type, s.name, s.id limit $3 offset $4"#,
        tenant,
        kinds,
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from settings s
           where (s.tenant_id is null or s.tenant_id = $1) and ($2::text[] is null or s.type = any($2))
             and not (s.tenant_id is null and exists (
               select from settings o where o.tenant_id = $1 and o.type = s.type and o.name = s.name))"#,
        tenant,
        kinds
    )
    .fetch_one(conn)
    .await?;
    Ok(Listed { rows, total })
}
