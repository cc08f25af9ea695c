//! One row for each change and act, written in its transaction.
use serde_json::Value;
use sqlx::PgConnection;

use crate::Result;
use crate::actor::{Actor, Role};
use crate::ids::{CaseId, JobId, TenantId, UserId};

/// Who did it: a person, or the machine on behalf of whoever ordered the job.
#[derive(Debug, Clone, Default)]
pub struct By {
    pub user_id: Option<UserId>,
    pub username: Option<String>,
    pub role: Option<Role>,
    pub request_id: Option<String>,
    pub job_id: Option<JobId>,
}

impl From<&Actor> for By {
    fn from(actor: &Actor) -> Self {
        Self {
            user_id: Some(actor.user_id),
            username: Some(actor.username.clone()),
            role: Some(actor.role),
            request_id: Some(actor.request_id.clone()),
            job_id: None,
        }
    }
}

/// What was done to what. `action` and `object_class` are stable words, e.g. `cancel` on `BulkAction`.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    pub tenant_id: i64,
    pub action: &'static str,
    pub object_class: &'static str,
    pub object_id: Option<i64>,
    pub case_id: Option<CaseId>,
    pub version: Option<i32>,
    pub before: Option<Value>,
    pub after: Option<Value>,
    pub message: Option<String>,
    pub reason: Option<String>,
}

impl Entry {
    pub fn new(
        tenant: TenantId,
        action: &'static str,
        object_class: &'static str,
        object_id: i64,
    ) -> Self {
        Self {
            tenant_id: tenant.0,
            action,
            object_class,
            object_id: Some(object_id),
            ..Self::default()
        }
    }
}

/// Writes one row; `at` is the database's clock.
pub async fn write(conn: &mut PgConnection, by: &By, entry: Entry) -> Result<()> {
    sqlx::query!(
        "insert into audit (tenant_id, user_id, username, role, action, object_class, object_id, case_id, version,
                            before, after, message, reason, request_id, job_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        entry.tenant_id,
        by.user_id.map(|id| id.0),
        by.username,
        by.role as Option<Role>,
        entry.action,
        entry.object_class,
        entry.object_id,
        entry.case_id.map(|id| id.0),
        entry.version,
        entry.before,
        entry.after,
        entry.message,
        entry.reason,
        by.request_id,
        by.job_id.map(|id| id.0),
    )
    .execute(conn)
    .await?;
    Ok(())
}
