//! Who is told of an alert, and how.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::evaluate::Rule;
use crate::Result;
use crate::ids::AlertId;

pub(super) async fn fired(
    _conn: &mut PgConnection,
    _rule: &Rule,
    _alert: AlertId,
    _peak: i64,
    _at: DateTime<Utc>,
) -> Result<()> {
    Ok(())
}

pub(super) async fn recovered(
    _conn: &mut PgConnection,
    _rule: &Rule,
    _alert: AlertId,
    _peak: i64,
    _fired_at: DateTime<Utc>,
    _at: DateTime<Utc>,
) -> Result<()> {
    Ok(())
}
