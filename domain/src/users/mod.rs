//! People who sign in: their own preferences, their roles, who may see whom.
mod name;
mod password;
mod sql;

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::audit::{self, By, Entry};
use crate::cases::list::COLUMNS;
use crate::ids::{RoleId, TenantId, UserId};
use crate::jobs::find::COLUMNS as JOB_COLUMNS;
use crate::page::{Listed, Page};
use crate::{Actor, Error, Result, Role, Violation};
pub use name::username_key;
pub use password::{LONGEST_BYTES, fits, hash_password};

/// One user as shown; roles are those that the reader may see.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    pub id: UserId,
    pub username: String,
    pub name: String,
    pub email: Option<String>,
    pub language: String,
    pub row_height: i16,
    pub case_table_column_fields: Option<Value>,
    pub job_table_column_fields: Option<Value>,
    pub disabled: bool,
    pub version: i32,
    pub roles: Vec<UserRole>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct UserRole {
    pub id: RoleId,
    pub tenant_id: TenantId,
    pub role: Role,
    pub tenant_code: String,
    pub tenant_name: String,
}

/// What proves a user: found under the `auth` role only.
#[derive(Debug)]
pub struct Credentials {
    pub id: UserId,
    pub username: String,
    pub password_hash: Option<String>,
}

/// What becomes of the chosen columns of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ColumnChoice {
    #[default]
    Keep,
    Standard,
    These(Vec<String>),
}

/// A person's own preferences; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preferences {
    pub language: Option<String>,
    pub row_height: Option<i16>,
    /// Of the case list.
    pub columns: ColumnChoice,
    /// Of the list of jobs.
    pub job_columns: ColumnChoice,
    pub version: Option<i32>,
}

/// The user who signs in under that name, unless disabled.
pub async fn credentials(conn: &mut PgConnection, username: &str) -> Result<Option<Credentials>> {
    sql::credentials(conn, &username_key(username)).await
}

/// The person himself, with all his live roles.
pub async fn get_self(conn: &mut PgConnection, id: UserId) -> Result<User> {
    let mut users = sql::by_ids(conn, &[id], None).await?;
    users.pop().ok_or(Error::NotFound)
}

/// A user as the actor may see him: a bailiff sees the people of his own bureau and their roles in it.
pub async fn get(conn: &mut PgConnection, actor: &Actor, id: UserId) -> Result<User> {
    if id == actor.user_id {
        return get_self(conn, id).await;
    }
    let bureau = bureau_of(actor);
    let user = sql::by_ids(conn, &[id], bureau)
        .await?
        .pop()
        .ok_or(Error::NotFound)?;
    if bureau.is_some() && user.roles.is_empty() {
        return Err(Error::NotFound);
    }
    Ok(user)
}

/// The users whom the actor may see, by name.
pub async fn list(conn: &mut PgConnection, actor: &Actor, page: Page) -> Result<Listed<User>> {
    let bureau = bureau_of(actor);
    let (ids, total) = sql::list_ids(conn, bureau, page).await?;
    let mut rows = sql::by_ids(conn, &ids, bureau).await?;
    rows.sort_by_key(|user| ids.iter().position(|id| *id == user.id));
    Ok(Listed { rows, total })
}

/// Saves a person's own preferences, of the version that he read; nothing is written where nothing changes. Nothing here
/// grants rights.
pub async fn save_preferences(
    conn: &mut PgConnection,
    by: &By,
    tenant: Option<TenantId>,
    id: UserId,
    new: &Preferences,
) -> Result<User> {
    let before = sql::lock_preferences(conn, id)
        .await?
        .ok_or(Error::NotFound)?;
    if new.version.is_some_and(|version| version != before.version) {
        return Err(Error::Stale {
            changed_by: Some(before.username),
            version: before.version,
        });
    }
    let wrong = violations(new);
    if !wrong.is_empty() {
        return Err(Error::Invalid(wrong));
    }
    if new.version.is_none() {
        return Err(Error::invalid("version", "Väärtus puudub."));
    }
    let mut wanted = before.values.clone();
    if let Some(language) = &new.language {
        wanted["language"] = json!(language);
    }
    if let Some(height) = new.row_height {
        wanted["row_height"] = json!(height);
    }
    for (field, choice) in [
        ("case_table_column_fields", &new.columns),
        ("job_table_column_fields", &new.job_columns),
    ] {
        match choice {
            ColumnChoice::Keep => {}
            ColumnChoice::Standard => wanted[field] = json!(null),
            ColumnChoice::These(columns) => wanted[field] = json!(columns),
        }
    }
    if wanted == before.values {
        return get_self(conn, id).await;
    }
    sql::save_preferences(conn, id, new).await?;
    let after = get_self(conn, id).await?;
    let tenant = match tenant {
        Some(tenant) => tenant,
        None => crate::bureaus::chamber(conn).await?,
    };
    let entry = Entry {
        version: Some(after.version),
        before: Some(before.values),
        after: Some(wanted),
        ..Entry::new(tenant, "save_preferences", "User", id.0)
    };
    audit::write(conn, by, entry).await?;
    Ok(after)
}

/// Writes that an actor was refused a right, in a transaction of its own.
pub async fn note_forbidden(pool: &sqlx::PgPool, actor: &Actor, route: &str) -> Result<()> {
    let mut tx = crate::db::begin(pool, crate::Scope::Auth).await?;
    let entry = Entry {
        message: Some(route.to_owned()),
        ..Entry::new(actor.tenant_id, "refused", "Route", 0)
    };
    audit::write(
        &mut tx,
        &By::from(actor),
        Entry {
            object_id: None,
            ..entry
        },
    )
    .await?;
    tx.commit().await?;
    Ok(())
}

fn bureau_of(actor: &Actor) -> Option<TenantId> {
    match actor.role {
        Role::Kt => Some(actor.tenant_id),
        Role::Koda | Role::Dev => None,
    }
}

fn violations(new: &Preferences) -> Vec<Violation> {
    let mut wrong = Vec::new();
    let mut say = |path: &str, message: &str| {
        wrong.push(Violation {
            path: path.into(),
            message: message.into(),
            code: None,
        });
    };
    if new
        .language
        .as_deref()
        .is_some_and(|language| !["et", "en"].contains(&language))
    {
        say("language", "Keel peab olema et või en.");
    }
    if new
        .row_height
        .is_some_and(|height| ![28, 32, 40].contains(&height))
    {
        say("row_height", "Rea kõrgus peab olema 28, 32 või 40.");
    }
    let cases: Vec<&str> = COLUMNS.iter().map(|column| column.field).collect();
    for (path, choice, known) in [
        ("case_table_column_fields", &new.columns, &cases[..]),
        (
            "job_table_column_fields",
            &new.job_columns,
            &JOB_COLUMNS[..],
        ),
    ] {
        let ColumnChoice::These(fields) = choice else {
            continue;
        };
        let mut sorted: Vec<&String> = fields.iter().collect();
        sorted.sort();
        sorted.dedup();
        if sorted.len() != fields.len()
            || fields.iter().any(|field| !known.contains(&field.as_str()))
        {
            say(path, "Veergude loetelu on vigane.");
        }
    }
    wrong
}
