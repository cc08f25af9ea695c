//! All SQL of sessions and their tokens; runs under the `auth` role.
use sqlx::PgConnection;
use uuid::Uuid;

use super::ChosenRole;
use super::state::{Session, Token};
use crate::ids::{RoleId, TenantId, UserId};
use crate::{Result, Role};

/// The session in a row of either query; they name its columns alike.
macro_rules! session {
    ($row:ident) => {
        Session {
            now: $row.now,
            id: $row.id,
            user_id: $row.user_id,
            username: $row.username,
            user_disabled: $row.disabled,
            seen_at: $row.seen_at,
            expires_at: $row.expires_at,
            ended: $row.ended,
            role_id: $row.role_id,
            role: $row.role,
            role_ended: $row.role_ended,
            tenant_id: $row.tenant_id,
            tenant_code: $row.tenant_code,
        }
    };
}

/// A session found by its cookie.
pub struct Found {
    pub session: Session,
}

impl Found {
    pub fn signed_in(&self) -> super::SignedIn {
        self.session.signed_in()
    }
}

pub async fn insert_session(
    conn: &mut PgConnection,
    id: Uuid,
    user: UserId,
    cookie_hash: &[u8],
) -> Result<()> {
    sqlx::query!(
        "insert into sessions (id, user_id, cookie_hash, expires_at)
         values ($1, $2, $3, clock_timestamp() + interval '10 hours')",
        id,
        user.0,
        cookie_hash
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn insert_token(conn: &mut PgConnection, session: Uuid, hash: &[u8]) -> Result<()> {
    sqlx::query!(
        "insert into session_tokens (hash, session_id, expires_at)
         values ($1, $2, clock_timestamp() + interval '15 minutes')",
        hash,
        session
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn find_token(conn: &mut PgConnection, hash: &[u8]) -> Result<Option<Token>> {
    let row = sqlx::query!(
        r#"select clock_timestamp() as "now!", t.created_at, t.expires_at as token_expires_at, t.replaced_at,
                  s.id, s.user_id, u.username, u.disabled_at is not null as "disabled!", s.seen_at, s.expires_at,
                  s.ended_at is not null as "ended!", r.id as "role_id?", r.role as "role?: Role",
                  r.ended_at is not null as "role_ended!", r.tenant_id as "tenant_id?", b.code as "tenant_code?"
           from session_tokens t
           join sessions s on s.id = t.session_id
           join users u on u.id = s.user_id
           left join user_roles r on r.id = s.role_id
           left join bureaus b on b.id = r.tenant_id
           where t.hash = $1"#,
        hash
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Token {
        session: session!(row),
        created_at: row.created_at,
        expires_at: row.token_expires_at,
        replaced_at: row.replaced_at,
    }))
}

pub async fn find_session(conn: &mut PgConnection, cookie_hash: &[u8]) -> Result<Option<Found>> {
    let row = sqlx::query!(
        r#"select clock_timestamp() as "now!", s.id, s.user_id, u.username, u.disabled_at is not null as "disabled!",
                  s.seen_at, s.expires_at, s.ended_at is not null as "ended!", r.id as "role_id?",
                  r.role as "role?: Role", r.ended_at is not null as "role_ended!", r.tenant_id as "tenant_id?",
                  b.code as "tenant_code?"
           from sessions s
           join users u on u.id = s.user_id
           left join user_roles r on r.id = s.role_id
           left join bureaus b on b.id = r.tenant_id
           where s.cookie_hash = $1"#,
        cookie_hash
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Found {
        session: session!(row),
    }))
}

pub async fn touch(conn: &mut PgConnection, session: Uuid) -> Result<()> {
    sqlx::query!(
        "update sessions set seen_at = clock_timestamp() where id = $1",
        session
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Room for one more token of a session: what has expired goes, and the oldest beyond what any number of tabs needs.
pub async fn make_room(conn: &mut PgConnection, session: Uuid) -> Result<()> {
    sqlx::query!(
        "delete from session_tokens
         where session_id = $1 and (expires_at < clock_timestamp() or hash not in
           (select hash from session_tokens where session_id = $1 order by created_at desc limit 49))",
        session
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether this call was the one that replaced the token.
pub async fn mark_replaced(conn: &mut PgConnection, hash: &[u8]) -> Result<bool> {
    let done = sqlx::query!(
        "update session_tokens set replaced_at = clock_timestamp() where hash = $1 and replaced_at is null",
        hash
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn set_role(conn: &mut PgConnection, session: Uuid, role: Option<RoleId>) -> Result<()> {
    sqlx::query!(
        "update sessions set role_id = $2, seen_at = clock_timestamp() where id = $1",
        session,
        role.map(|id| id.0)
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn delete_tokens(conn: &mut PgConnection, session: Uuid) -> Result<()> {
    sqlx::query!("delete from session_tokens where session_id = $1", session)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether the session still lived; its tokens go with it.
pub async fn end(conn: &mut PgConnection, session: Uuid, why: &str) -> Result<bool> {
    let done = sqlx::query!(
        "update sessions set ended_at = clock_timestamp(), ended_why = $2 where id = $1 and ended_at is null",
        session,
        why
    )
    .execute(&mut *conn)
    .await?;
    delete_tokens(conn, session).await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes tokens of sessions that are over, sessions a month after, and old failures to sign in; returns how many tokens.
/// Under the scope `Queue`.
pub async fn prune(conn: &mut PgConnection) -> Result<i64> {
    let gone = sqlx::query_scalar!(r#"select prune_sessions() as "gone!""#)
        .fetch_one(conn)
        .await?;
    Ok(gone)
}

pub async fn live_role(
    conn: &mut PgConnection,
    user: UserId,
    role: RoleId,
) -> Result<Option<ChosenRole>> {
    let row = sqlx::query!(
        r#"select r.id, r.role as "role: Role", r.tenant_id, b.code
           from user_roles r join bureaus b on b.id = r.tenant_id
           where r.id = $1 and r.user_id = $2 and r.ended_at is null"#,
        role.0,
        user.0
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| ChosenRole {
        role_id: RoleId(row.id),
        role: row.role,
        tenant_id: TenantId(row.tenant_id),
        tenant_code: row.code,
    }))
}
