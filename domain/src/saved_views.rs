//! Saved views: a page's address under a name, a person's own or shared with his bureau.
use serde_json::json;
use sqlx::PgConnection;

use crate::actor::{Actor, Allowed, Person};
use crate::audit::{self, By, Entry};
use crate::ids::{SavedViewId, UserId};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub id: SavedViewId,
    pub page: String,
    pub name: String,
    /// What stands after `?` in the address.
    pub query: String,
    pub shared: bool,
    pub created_by: Person,
    pub version: i32,
}

/// Pages that have views.
pub const PAGES: [&str; 6] = [
    "jobs",
    "audit",
    "errors",
    "queues",
    "operator_actions",
    "case_list",
];
const MOST: i64 = 200;

/// A view to be saved, or what is changed of one.
#[derive(Debug, Clone, Default)]
pub struct Change<'a> {
    pub name: Option<&'a str>,
    pub query: Option<&'a str>,
    pub shared: Option<bool>,
}

/// The person's own views and those shared with his bureau, by name; of one page where it is named.
pub async fn list(
    conn: &mut PgConnection,
    actor: &Actor,
    page: Option<&str>,
) -> Result<Vec<SavedView>> {
    read(conn, actor, page, None).await
}

pub async fn find(conn: &mut PgConnection, actor: &Actor, id: SavedViewId) -> Result<SavedView> {
    read(conn, actor, None, Some(id))
        .await?
        .pop()
        .ok_or(Error::NotFound)
}

async fn read(
    conn: &mut PgConnection,
    actor: &Actor,
    page: Option<&str>,
    id: Option<SavedViewId>,
) -> Result<Vec<SavedView>> {
    let rows = sqlx::query!(
        "select v.id, v.page, v.name, v.query, v.shared, v.version, u.id as user_id, u.name as user_name
         from saved_views v join users u on u.id = v.user_id
         where v.tenant_id = $1 and (v.user_id = $2 or v.shared) and ($3::text is null or v.page = $3)
           and ($4::bigint is null or v.id = $4)
         order by v.name, v.id limit $5",
        actor.tenant_id.0,
        actor.user_id.0,
        page,
        id.map(|id| id.0),
        MOST,
    )
    .fetch_all(conn)
    .await?;
    let views = rows.into_iter().map(|row| SavedView {
        id: SavedViewId(row.id),
        page: row.page,
        name: row.name,
        query: row.query,
        shared: row.shared,
        created_by: Person {
            id: UserId(row.user_id),
            name: row.user_name,
        },
        version: row.version,
    });
    Ok(views.collect())
}

pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    page: &str,
    new: &Change<'_>,
) -> Result<SavedView> {
    if !PAGES.contains(&page) {
        return Err(Error::invalid("page", "Sellel lehel ei ole vaateid."));
    }
    let (name, query) = (
        name(new.name.unwrap_or_default())?,
        query(new.query.unwrap_or_default())?,
    );
    let own = sqlx::query_scalar!(
        r#"select count(*) as "count!" from saved_views where tenant_id = $1 and user_id = $2"#,
        actor.tenant_id.0,
        actor.user_id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    if own >= MOST {
        return Err(Error::refused(
            "too_many",
            "Salvestatud vaateid võib olla kuni 200.",
        ));
    }
    let id = sqlx::query_scalar!(
        "insert into saved_views (tenant_id, user_id, page, name, query, shared) values ($1, $2, $3, $4, $5, $6)
         on conflict (tenant_id, user_id, page, name) do nothing returning id",
        actor.tenant_id.0,
        actor.user_id.0,
        page,
        name,
        query,
        new.shared.unwrap_or_default(),
    )
    .fetch_optional(&mut *conn)
    .await?
    .ok_or_else(|| Error::invalid("name", "Selle nimega vaade on juba olemas."))?;
    let view = find(conn, actor, SavedViewId(id)).await?;
    note(conn, actor, &view, "create").await?;
    Ok(view)
}

pub async fn update(
    conn: &mut PgConnection,
    actor: &Actor,
    id: SavedViewId,
    version: i32,
    new: &Change<'_>,
) -> Result<SavedView> {
    let view = own(conn, actor, id).await?;
    if view.version != version {
        return Err(Error::Stale {
            changed_by: Some(view.created_by.name),
            version: view.version,
        });
    }
    let (name, query) = (
        new.name.map(name).transpose()?,
        new.query.map(query).transpose()?,
    );
    let taken = sqlx::query_scalar!(
        r#"select exists (select from saved_views where tenant_id = $1 and user_id = $2 and page = $3 and name = $4 and id <> $5) as "taken!""#,
        actor.tenant_id.0,
        actor.user_id.0,
        view.page,
        name,
        id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    if taken {
        return Err(Error::invalid("name", "Selle nimega vaade on juba olemas."));
    }
    sqlx::query!(
        "update saved_views set name = coalesce($2, name), query = coalesce($3, query), shared = coalesce($4, shared),
                                version = version + 1 where id = $1",
        id.0,
        name,
        query,
        new.shared,
    )
    .execute(&mut *conn)
    .await?;
    let view = find(conn, actor, id).await?;
    note(conn, actor, &view, "update").await?;
    Ok(view)
}

pub async fn delete(conn: &mut PgConnection, actor: &Actor, id: SavedViewId) -> Result<()> {
    let view = own(conn, actor, id).await?;
    sqlx::query!("delete from saved_views where id = $1", id.0)
        .execute(&mut *conn)
        .await?;
    note(conn, actor, &view, "delete").await
}

/// The buttons of a view.
pub fn rights(actor: &Actor, view: &SavedView) -> Vec<Allowed> {
    let reason = (view.created_by.id != actor.user_id)
        .then_some("Muuta saab ainult enda salvestatud vaateid.");
    vec![
        Allowed {
            name: "edit",
            reason,
        },
        Allowed {
            name: "delete",
            reason,
        },
    ]
}

async fn own(conn: &mut PgConnection, actor: &Actor, id: SavedViewId) -> Result<SavedView> {
    let view = find(conn, actor, id).await?;
    if view.created_by.id != actor.user_id {
        return Err(Error::Forbidden);
    }
    sqlx::query!("select id from saved_views where id = $1 for update", id.0)
        .fetch_optional(&mut *conn)
        .await?
        .ok_or(Error::NotFound)?;
    find(conn, actor, id).await
}

fn name(text: &str) -> Result<&str> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 80 || text.chars().any(char::is_control) {
        return Err(Error::invalid("name", "Nimi on 1 kuni 80 märki."));
    }
    Ok(text)
}

fn query(text: &str) -> Result<&str> {
    let text = text.trim_start_matches('?');
    if text.chars().count() > 2_000 || text.chars().any(char::is_control) {
        return Err(Error::invalid(
            "query",
            "Aadress on liiga pikk või sisaldab lubamatut märki.",
        ));
    }
    Ok(text)
}

async fn note(
    conn: &mut PgConnection,
    actor: &Actor,
    view: &SavedView,
    act: &'static str,
) -> Result<()> {
    let entry = Entry {
        after: Some(
            json!({"page": view.page, "name": view.name, "query": view.query, "shared": view.shared}),
        ),
        ..Entry::new(actor.tenant_id, act, "SavedView", view.id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}
