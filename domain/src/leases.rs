//! Leases: which process leads, by the database's clock. A new leader has a new term, and every write of a leader carries its own.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::{Error, Result};

/// What is led by one process at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    Dispatcher,
    Scheduler,
}

impl Name {
    fn as_str(self) -> &'static str {
        match self {
            Self::Dispatcher => "dispatcher",
            Self::Scheduler => "scheduler",
        }
    }
}

/// A time of leading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    pub name: Name,
    pub holder: String,
    pub number: i64,
}

/// What time it is for all leases.
pub async fn clock(conn: &mut PgConnection) -> Result<DateTime<Utc>> {
    let now = sqlx::query_scalar!(r#"select clock_timestamp() as "now!""#);
    Ok(now.fetch_one(conn).await?)
}

/// Takes the lease when it is free or over, for 5 s.
pub async fn take(conn: &mut PgConnection, name: Name, holder: &str) -> Result<Option<Term>> {
    let number = sqlx::query_scalar!(
        "insert into leases (name, holder, term, expires_at) values ($1, $2, 1, clock_timestamp() + interval '5 s')
         on conflict (name) do update
         set holder = excluded.holder, term = leases.term + 1, expires_at = excluded.expires_at
         where leases.expires_at < clock_timestamp()
         returning term",
        name.as_str(),
        holder,
    )
    .fetch_optional(conn)
    .await?;
    Ok(number.map(|number| Term {
        name,
        holder: holder.to_owned(),
        number,
    }))
}

/// Renews the lease; false when another leads.
pub async fn keep(conn: &mut PgConnection, term: &Term) -> Result<bool> {
    let done = sqlx::query!(
        "update leases set expires_at = clock_timestamp() + interval '5 s'
         where name = $1 and holder = $2 and term = $3 and expires_at > clock_timestamp()",
        term.name.as_str(),
        term.holder,
        term.number,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether this holder leads now.
pub async fn holds(conn: &mut PgConnection, name: Name, holder: &str) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select 1 as "one!" from leases where name = $1 and holder = $2 and expires_at > clock_timestamp()"#,
        name.as_str(),
        holder,
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.is_some())
}

/// Gives the lease up at once, so that the next leader need not wait.
pub async fn resign(conn: &mut PgConnection, term: &Term) -> Result<()> {
    sqlx::query!(
        "update leases set expires_at = clock_timestamp() where name = $1 and holder = $2 and term = $3",
        term.name.as_str(),
        term.holder,
        term.number,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Holds the lease row for this transaction; refused (`not_leader`) when the term is over.
pub async fn guard(conn: &mut PgConnection, term: &Term) -> Result<()> {
    let held = sqlx::query_scalar!(
        r#"select 1 as "one!" from leases
           where name = $1 and holder = $2 and term = $3 and expires_at > clock_timestamp() for share"#,
        term.name.as_str(),
        term.holder,
        term.number,
    )
    .fetch_optional(conn)
    .await?;
    held.map(drop)
        .ok_or_else(|| Error::refused("not_leader", "Juhtimine on läinud teisele protsessile."))
}
