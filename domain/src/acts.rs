//! The record of what people did: acts on queues, jobs, actions and settings, newest first. Changes of cases are the cases' own.
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

use crate::actor::Role;
use crate::bureaus::BureauName;
use crate::ids::TenantId;
use crate::jobs::Range;
use crate::jobs::find::too_broad;
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    pub id: i64,
    pub at: DateTime<Utc>,
    pub user_id: Option<i64>,
    pub username: Option<String>,
    pub name: Option<String>,
    pub role: Option<Role>,
    pub bureau: BureauName,
    pub action: String,
    pub object_class: String,
    pub object_id: Option<i64>,
    pub before: Option<Value>,
    pub after: Option<Value>,
    pub message: Option<String>,
    pub reason: Option<String>,
    pub request_id: Option<String>,
    pub job_id: Option<i64>,
}

/// Which acts are asked for; all that is set must hold.
#[derive(Debug, Clone, Default)]
pub struct ActFilter {
    /// The beginning of a username.
    pub user: Option<String>,
    pub role: Option<Role>,
    /// A bureau's code.
    pub bureau: Option<String>,
    pub action: Option<String>,
    pub object_class: Option<String>,
    pub object_id: Option<i64>,
    pub job_id: Option<i64>,
    pub at: Range,
}

/// Acts by falling id, from below `before`.
pub async fn list(
    conn: &mut PgConnection,
    filter: &ActFilter,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<Act>> {
    for (path, text) in [
        ("user", &filter.user),
        ("bureau", &filter.bureau),
        ("action", &filter.action),
        ("objectClass", &filter.object_class),
    ] {
        if text
            .as_deref()
            .is_some_and(|text| text.chars().count() > 100 || text.contains('\0'))
        {
            return Err(Error::invalid(
                path,
                "Väärtus on liiga pikk või sisaldab lubamatut märki.",
            ));
        }
    }
    let (from, until) = filter.at.read("at")?;
    // Each filter is planned by itself.
    sqlx::raw_sql(
        "set local statement_timeout = '3s'; set local plan_cache_mode = force_custom_plan",
    )
    .execute(&mut *conn)
    .await?;
    let rows = sqlx::query!(
        r#"select a.id, a.at, a.user_id, a.username, u.name as "name?", a.role as "role: Role", a.tenant_id, b.code, b.name as bureau_name,
                  a.action, a.object_class, a.object_id, a.before, a.after, a.message, a.reason, a.request_id, a.job_id
           from audit a join bureaus b on b.id = a.tenant_id left join users u on u.id = a.user_id
           where a.case_id is null and a.id < $1
             and ($2::text is null or starts_with(a.username, $2)) and ($3::role_code is null or a.role = $3)
             and ($4::text is null or b.code = $4) and ($5::text is null or a.action = $5)
             and ($6::text is null or a.object_class = $6) and ($7::bigint is null or a.object_id = $7)
             and ($8::bigint is null or a.job_id = $8)
             and ($9::timestamptz is null or a.at >= $9) and ($10::timestamptz is null or a.at < $10)
           order by a.id desc limit $11"#,
        before.unwrap_or(i64::MAX),
        filter.user,
        filter.role as Option<Role>,
        filter.bureau,
        filter.action,
        filter.object_class,
        filter.object_id,
        filter.job_id,
        from,
        until,
        limit,
    )
    .fetch_all(conn)
    .await
    .map_err(too_broad)?;
    let acts = rows.into_iter().map(|row| Act {
        id: row.id,
        at: row.at,
        user_id: row.user_id,
        username: row.username,
        name: row.name,
        role: row.role,
        bureau: BureauName {
            id: TenantId(row.tenant_id),
            code: row.code,
            name: row.bureau_name,
        },
        action: row.action,
        object_class: row.object_class,
        object_id: row.object_id,
        before: row.before,
        after: row.after,
        message: row.message,
        reason: row.reason,
        request_id: row.request_id,
        job_id: row.job_id,
    });
    Ok(acts.collect())
}
