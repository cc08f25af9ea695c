//! What a person wants to be told of: by kind, each with its default.
use serde_json::json;
use sqlx::PgConnection;

use super::{Kind, Standing};
use crate::audit::{self, By, Entry};
use crate::ids::UserId;
use crate::{Actor, Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preference {
    pub kind: Kind,
    pub wanted: bool,
    /// What holds without a choice.
    pub default: bool,
}

/// The person's preferences of every kind, and the address that mails go to. Under the scope `auth`.
pub async fn preferences(
    conn: &mut PgConnection,
    user: UserId,
) -> Result<(Option<String>, Vec<Preference>)> {
    let person = sqlx::query!(
        "select email, exists (select from user_roles r where r.user_id = u.id and r.ended_at is null and r.role in ('koda', 'dev')) as oversees
         from users u where id = $1",
        user.0,
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or(Error::NotFound)?;
    let chosen = sqlx::query!(
        "select kind, wanted from mail_preferences where user_id = $1",
        user.0
    )
    .fetch_all(conn)
    .await?;
    let all = Kind::ALL.into_iter().map(|kind| {
        let default = kind.default_for(Standing::of(person.oversees));
        let choice = chosen.iter().find(|row| row.kind == kind.as_str());
        Preference {
            kind,
            wanted: choice.map_or(default, |row| row.wanted),
            default,
        }
    });
    let email = person.email.filter(|email| !email.trim().is_empty());
    Ok((email, all.collect()))
}

/// Saves the actor's own choices; a kind that is not named stays as it is. Under the scope `auth`.
pub async fn save_preferences(
    conn: &mut PgConnection,
    actor: &Actor,
    choices: &[(Kind, bool)],
) -> Result<()> {
    let (_, before) = preferences(conn, actor.user_id).await?;
    for (kind, wanted) in choices {
        if before
            .iter()
            .any(|old| old.kind == *kind && old.wanted == *wanted)
        {
            continue;
        }
        sqlx::query!(
            "insert into mail_preferences (user_id, kind, wanted) values ($1, $2, $3)
             on conflict (user_id, kind) do update set wanted = excluded.wanted",
            actor.user_id.0,
            kind.as_str(),
            wanted,
        )
        .execute(&mut *conn)
        .await?;
        let entry = Entry {
            before: Some(json!({"kind": kind, "wanted": !wanted})),
            after: Some(json!({"kind": kind, "wanted": wanted})),
            ..Entry::new(actor.tenant_id, "update", "MailPreference", actor.user_id.0)
        };
        audit::write(conn, &By::from(actor), entry).await?;
    }
    Ok(())
}
