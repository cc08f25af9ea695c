//! Sign-in sessions: a family per sign-in in one browser, bearer tokens that rotate, one cookie that only verify reads.
mod attempts;
mod secret;
mod sql;
mod state;

use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::audit::{self, By, Entry};
use crate::bureaus;
use crate::ids::{RoleId, TenantId, UserId};
use crate::{Actor, Error, Result, Role};
pub use attempts::{Attempt, forgive, forgive_user, refuse, reserve};
pub use secret::Secret;
pub use sql::prune;
use state::{Judged, judge};

/// Who a valid token belongs to.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub session_id: Uuid,
    pub user_id: UserId,
    pub username: String,
    /// Null until a role is chosen.
    pub role: Option<ChosenRole>,
}

#[derive(Debug, Clone)]
pub struct ChosenRole {
    pub role_id: RoleId,
    pub role: Role,
    pub tenant_id: TenantId,
    pub tenant_code: String,
}

impl SignedIn {
    /// The actor of this request; none before a role is chosen.
    pub fn actor(&self, request_id: &str) -> Option<Actor> {
        let chosen = self.role.as_ref()?;
        Some(Actor {
            user_id: self.user_id,
            username: self.username.clone(),
            role_id: chosen.role_id,
            role: chosen.role,
            tenant_id: chosen.tenant_id,
            tenant_code: chosen.tenant_code.clone(),
            request_id: request_id.to_owned(),
        })
    }

    fn by(&self, request_id: &str) -> By {
        By {
            user_id: Some(self.user_id),
            username: Some(self.username.clone()),
            role: self.role.as_ref().map(|chosen| chosen.role),
            request_id: Some(request_id.to_owned()),
            job_id: None,
        }
    }
}

/// What a bearer token is worth now.
#[derive(Debug)]
pub enum Checked {
    /// Valid; with the token that replaces it when it is past half its life.
    Valid(SignedIn, Option<Secret>),
    /// Unknown, expired, revoked, or used long after its rotation (which ends the whole session).
    Refused,
}

/// A new sign-in: its session, bearer token and cookie.
#[derive(Debug)]
pub struct Opened {
    pub token: Secret,
    pub cookie: Secret,
}

/// Opens a session for a user whose password or identity was just proven.
pub async fn open(
    conn: &mut PgConnection,
    user: UserId,
    username: &str,
    request_id: &str,
) -> Result<Opened> {
    let opened = Opened {
        token: Secret::new(),
        cookie: Secret::new(),
    };
    let session = Uuid::new_v4();
    sql::insert_session(conn, session, user, &opened.cookie.hash()).await?;
    sql::insert_token(conn, session, &opened.token.hash()).await?;
    let by = By {
        user_id: Some(user),
        username: Some(username.to_owned()),
        request_id: Some(request_id.to_owned()),
        ..By::default()
    };
    note(conn, &by, "sign_in", user, None).await?;
    Ok(opened)
}

/// Judges a bearer token, rotating it when it is due; a token reused long after its rotation ends its session.
/// One statement for most requests: `conn` is under the role `auth` already, a transaction is begun where something is written.
pub async fn check(conn: &mut PgConnection, token: &str, request_id: &str) -> Result<Checked> {
    if !secret::plausible(token) {
        return Ok(Checked::Refused);
    }
    let hash = secret::hash(token);
    let Some(row) = sql::find_token(conn, &hash).await? else {
        return Ok(Checked::Refused);
    };
    let signed = row.signed_in();
    match judge(&row) {
        Judged::Refused => Ok(Checked::Refused),
        Judged::Reused => {
            let mut tx = conn.begin().await?;
            end(&mut tx, &signed, "token_reused", request_id).await?;
            tx.commit().await?;
            Ok(Checked::Refused)
        }
        Judged::Valid { rotate, touch } => {
            let mut fresh = None;
            if rotate || touch {
                let mut tx = conn.begin().await?;
                // The session's row first: whoever voids its tokens waits, and then sees the new one too.
                sql::touch(&mut tx, signed.session_id).await?;
                if rotate {
                    fresh = replace(&mut tx, signed.session_id, &hash).await?;
                }
                tx.commit().await?;
            }
            Ok(Checked::Valid(signed, fresh))
        }
    }
}

/// Gives a new token to the session that the cookie names; none when it is over.
pub async fn resume(conn: &mut PgConnection, cookie: &str) -> Result<Option<(SignedIn, Secret)>> {
    if !secret::plausible(cookie) {
        return Ok(None);
    }
    let Some(row) = sql::find_session(conn, &secret::hash(cookie)).await? else {
        return Ok(None);
    };
    if !state::session_lives(&row.session) {
        return Ok(None);
    }
    let mut signed = row.signed_in();
    if row.session.role_ended {
        // A taken-away role ends its tokens; the person may still choose another role.
        sql::set_role(conn, signed.session_id, None).await?;
        sql::delete_tokens(conn, signed.session_id).await?;
        signed.role = None;
    }
    sql::touch(conn, signed.session_id).await?;
    sql::make_room(conn, signed.session_id).await?;
    let token = Secret::new();
    sql::insert_token(conn, signed.session_id, &token.hash()).await?;
    Ok(Some((signed, token)))
}

/// Chooses one of the person's own roles: a new token, and all others of the session are void.
pub async fn choose_role(
    conn: &mut PgConnection,
    signed: &SignedIn,
    role: RoleId,
    request_id: &str,
) -> Result<(ChosenRole, Secret)> {
    let chosen = sql::live_role(conn, signed.user_id, role)
        .await?
        .ok_or(Error::Forbidden)?;
    sql::set_role(conn, signed.session_id, Some(role)).await?;
    sql::delete_tokens(conn, signed.session_id).await?;
    let token = Secret::new();
    sql::insert_token(conn, signed.session_id, &token.hash()).await?;
    let mut by = signed.by(request_id);
    by.role = Some(chosen.role);
    note(
        conn,
        &by,
        "choose_role",
        signed.user_id,
        Some(chosen.tenant_id),
    )
    .await?;
    Ok((chosen, token))
}

/// Ends the whole session; `why` is a stable word.
pub async fn end(
    conn: &mut PgConnection,
    signed: &SignedIn,
    why: &'static str,
    request_id: &str,
) -> Result<()> {
    if sql::end(conn, signed.session_id, why).await? {
        let tenant = signed.role.as_ref().map(|chosen| chosen.tenant_id);
        note(conn, &signed.by(request_id), why, signed.user_id, tenant).await?;
    }
    Ok(())
}

/// Ends the session that the cookie names, if it lives: signing out works with an expired token too.
pub async fn end_by_cookie(conn: &mut PgConnection, cookie: &str, request_id: &str) -> Result<()> {
    if !secret::plausible(cookie) {
        return Ok(());
    }
    match sql::find_session(conn, &secret::hash(cookie)).await? {
        Some(row) => end(conn, &row.signed_in(), "sign_out", request_id).await,
        None => Ok(()),
    }
}

/// Writes that a sign-in was refused; `name` was typed by a stranger and is kept short.
pub async fn note_refused(
    conn: &mut PgConnection,
    action: &'static str,
    user: Option<UserId>,
    name: &str,
    request_id: &str,
) -> Result<()> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(64).collect();
    let by = By {
        user_id: user,
        username: user.map(|_| name),
        request_id: Some(request_id.to_owned()),
        ..By::default()
    };
    let tenant = bureaus::chamber(conn).await?.0;
    let entry = Entry {
        tenant_id: tenant,
        action,
        object_class: "User",
        object_id: user.map(|id| id.0),
        ..Entry::default()
    };
    audit::write(conn, &by, entry).await
}

async fn replace(conn: &mut PgConnection, session: Uuid, hash: &[u8]) -> Result<Option<Secret>> {
    // Of parallel requests one alone gets the new token.
    if !sql::mark_replaced(conn, hash).await? {
        return Ok(None);
    }
    let fresh = Secret::new();
    sql::insert_token(conn, session, &fresh.hash()).await?;
    Ok(Some(fresh))
}

async fn note(
    conn: &mut PgConnection,
    by: &By,
    action: &'static str,
    user: UserId,
    tenant: Option<TenantId>,
) -> Result<()> {
    let tenant = match tenant {
        Some(tenant) => tenant,
        None => bureaus::chamber(conn).await?,
    };
    audit::write(conn, by, Entry::new(tenant, action, "User", user.0)).await
}
