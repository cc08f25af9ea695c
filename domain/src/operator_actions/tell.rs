//! Whoever ordered an operator action is told how it ended.
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

use super::ItemState;
use crate::Result;
use crate::ids::{OperatorActionId, TenantId, UserId};
use crate::mail::{self, Notice, OperatorActionFacts};

/// What the end itself has read.
pub(super) struct Over {
    pub tenant: TenantId,
    pub kind: String,
    pub status: i16,
    pub created_by: UserId,
    pub total: i64,
    pub finished_at: DateTime<Utc>,
}

/// In the transaction of the end; `outcome` is the list of states, reasons and counts.
pub(super) async fn ended(
    conn: &mut PgConnection,
    id: OperatorActionId,
    over: Over,
    outcome: &Value,
) -> Result<()> {
    let name = sqlx::query_scalar!("select name from users where id = $1", over.created_by.0)
        .fetch_one(&mut *conn)
        .await?;
    let count = |state: ItemState| -> i64 {
        let parts = outcome.as_array().into_iter().flatten();
        parts
            .filter(|part| part["state"] == state.as_str())
            .filter_map(|part| part["count"].as_i64())
            .sum()
    };
    let facts = OperatorActionFacts {
        id: id.0,
        kind: over.kind,
        status: over.status,
        ordered_by: name,
        total: over.total,
        done: count(ItemState::Done),
        failed: count(ItemState::Failed),
        skipped: count(ItemState::Skipped),
        finished_at: over.finished_at,
    };
    let notice = Notice {
        kind: mail::Kind::OperatorAction,
        object: ("OperatorAction", id.0),
        run: 1,
        tenant: over.tenant,
        facts: mail::value(&facts),
    };
    mail::notify(conn, &notice, &[over.created_by]).await
}
