//! Idempotency keys: the answer of a call is kept 24 h per user, bureau, role and route, in the transaction of its work.
use serde_json::Value;
use sqlx::PgConnection;

use crate::{Actor, Error, Result, Role};

/// One call under a key that its caller made.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    pub actor: &'a Actor,
    pub route: &'a str,
    pub key: &'a str,
    pub body_hash: &'a [u8],
}

/// The answer of an earlier, same call; none when this is the first, which then holds the key until its transaction ends.
pub async fn answered(conn: &mut PgConnection, call: &Call<'_>) -> Result<Option<(i16, Value)>> {
    let Actor {
        user_id,
        tenant_id,
        role,
        ..
    } = call.actor;
    // The lock is the call under way; it goes with the transaction, so a crash leaves nothing behind.
    let name = format!("{user_id}/{tenant_id}/{role:?}/{}/{}", call.route, call.key);
    let free = sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock(hashtextextended($1, 7201003)) as "free!""#,
        name
    )
    .fetch_one(&mut *conn)
    .await?;
    if !free {
        return Err(Error::refused(
            "same_call_under_way",
            "Sama päring on juba töös.",
        ));
    }
    let kept = sqlx::query!(
        r#"select body_hash, status, response from idempotency_keys
           where user_id = $1 and tenant_id = $2 and role = $3 and route = $4 and key = $5
             and created_at > clock_timestamp() - interval '24 hours'"#,
        user_id.0,
        tenant_id.0,
        role as &Role,
        call.route,
        call.key
    )
    .fetch_optional(conn)
    .await?;
    let Some(kept) = kept else { return Ok(None) };
    if kept.body_hash != call.body_hash {
        return Err(Error::invalid(
            "Idempotency-Key",
            "Sama võtmega saadeti varem teistsugune päring.",
        ));
    }
    Ok(kept.status.zip(kept.response))
}

/// Keeps the answer; the last write before the commit.
pub async fn keep(
    conn: &mut PgConnection,
    call: &Call<'_>,
    status: i16,
    response: &Value,
) -> Result<()> {
    let Actor {
        user_id,
        tenant_id,
        role,
        ..
    } = call.actor;
    sqlx::query!(
        "insert into idempotency_keys (tenant_id, user_id, role, route, key, body_hash, status, response)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (user_id, tenant_id, role, route, key) do update
         set body_hash = excluded.body_hash, status = excluded.status, response = excluded.response,
             created_at = clock_timestamp()",
        tenant_id.0,
        user_id.0,
        role as &Role,
        call.route,
        call.key,
        call.body_hash,
        status,
        response
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets keys older than 24 h; runs under the `queue` role.
pub async fn expire(conn: &mut PgConnection) -> Result<u64> {
    let done =
        sqlx::query!("delete from idempotency_keys where created_at < now() - interval '24 hours'")
            .execute(conn)
            .await?;
    Ok(done.rows_affected())
}
