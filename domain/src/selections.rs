//! Case selections: a list of cases that a person picked, for a case list to be narrowed to.
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use crate::actor::{Actor, Role};
use crate::audit::{self, By, Entry};
use crate::cases::Number;
use crate::ids::SelectionId;
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    pub id: SelectionId,
    pub count: i64,
    pub created_at: DateTime<Utc>,
}

/// The most case numbers of one call.
pub const MOST_NUMBERS: usize = 5_000;
const MOST_CASES: i64 = 200_000;

/// A new selection of these cases. All must be found; the error names those that are not.
pub async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    numbers: &[String],
) -> Result<Selection> {
    if actor.role == Role::Dev {
        return Err(Error::Forbidden);
    }
    let id = sqlx::query_scalar!(
        "insert into case_selections (tenant_id, created_by) values ($1, $2) returning id",
        actor.tenant_id.0,
        actor.user_id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    let id = SelectionId(id);
    if !numbers.is_empty() {
        put(conn, actor, id, numbers).await?;
    }
    let made = find(conn, actor, id).await?;
    note(conn, actor, &made, "create").await?;
    Ok(made)
}

/// One selection of the actor's bureau.
pub async fn find(conn: &mut PgConnection, actor: &Actor, id: SelectionId) -> Result<Selection> {
    let row = sqlx::query!(
        r#"select s.created_at, (select count(*) from case_selection_cases c where c.selection_id = s.id) as "count!"
           from case_selections s where s.id = $1 and s.tenant_id = $2"#,
        id.0,
        actor.tenant_id.0,
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::NotFound)?;
    Ok(Selection {
        id,
        count: row.count,
        created_at: row.created_at,
    })
}

/// Adds cases; those that are in it already stay in it once.
pub async fn add(
    conn: &mut PgConnection,
    actor: &Actor,
    id: SelectionId,
    numbers: &[String],
) -> Result<Selection> {
    if actor.role == Role::Dev {
        return Err(Error::Forbidden);
    }
    find(conn, actor, id).await?;
    sqlx::query!(
        "select id from case_selections where id = $1 for update",
        id.0
    )
    .fetch_optional(&mut *conn)
    .await?;
    put(conn, actor, id, numbers).await?;
    let grown = find(conn, actor, id).await?;
    if grown.count > MOST_CASES {
        return Err(Error::invalid(
            "caseNumbers",
            "Valimis võib olla kuni 200 000 toimikut.",
        ));
    }
    note(conn, actor, &grown, "add_cases").await?;
    Ok(grown)
}

pub async fn delete(conn: &mut PgConnection, actor: &Actor, id: SelectionId) -> Result<()> {
    if actor.role == Role::Dev {
        return Err(Error::Forbidden);
    }
    let gone = find(conn, actor, id).await?;
    sqlx::query!("delete from case_selections where id = $1", id.0)
        .execute(&mut *conn)
        .await?;
    note(conn, actor, &gone, "delete").await
}

async fn put(
    conn: &mut PgConnection,
    actor: &Actor,
    id: SelectionId,
    numbers: &[String],
) -> Result<()> {
    if numbers.is_empty() || numbers.len() > MOST_NUMBERS {
        return Err(Error::invalid(
            "caseNumbers",
            "Toimiku numbreid on korraga 1 kuni 5000.",
        ));
    }
    let mut parsed = Vec::with_capacity(numbers.len());
    for (place, text) in numbers.iter().enumerate() {
        let number: Number = text.parse().map_err(|_| {
            Error::invalid(
                format!("caseNumbers[{place}]"),
                "Toimiku number on kujul 101/2024/7.",
            )
        })?;
        parsed.push(number);
    }
    let (prefixes, years, indexes): (Vec<i16>, Vec<i16>, Vec<i32>) =
        parsed.iter().fold(Default::default(), |mut all, number| {
            all.0.push(number.prefix);
            all.1.push(number.year);
            all.2.push(number.index);
            all
        });
    let missing = sqlx::query_scalar!(
        r#"with wanted as (
             select w.place, l.case_id from unnest($3::smallint[], $4::smallint[], $5::int[]) with ordinality as w (prefix, year, index, place)
             left join case_list l on l.prefix = w.prefix and l.year = w.year and l.index = w.index
           ), added as (
             insert into case_selection_cases (selection_id, case_id, tenant_id)
             select $1, case_id, $2 from wanted where case_id is not null on conflict do nothing
           )
           select place as "place!" from wanted where case_id is null order by place limit 1"#,
        id.0,
        actor.tenant_id.0,
        &prefixes,
        &years,
        &indexes,
    )
    .fetch_optional(conn)
    .await?;
    match missing {
        None => Ok(()),
        Some(place) => {
            let place = usize::try_from(place - 1).unwrap_or(0);
            let number = numbers.get(place).cloned().unwrap_or_default();
            Err(Error::invalid(
                format!("caseNumbers[{place}]"),
                format!("Toimikut {number} ei leitud."),
            ))
        }
    }
}

async fn note(
    conn: &mut PgConnection,
    actor: &Actor,
    selection: &Selection,
    act: &'static str,
) -> Result<()> {
    let entry = Entry {
        after: Some(json!({"cases": selection.count})),
        ..Entry::new(actor.tenant_id, act, "CaseSelection", selection.id.0)
    };
    audit::write(conn, &By::from(actor), entry).await
}
