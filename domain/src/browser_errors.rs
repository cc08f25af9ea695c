//! Errors of the console in people's browsers: reported by it, read by whoever runs the system. Codes and accounts are hidden.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::actor::{Actor, Role};
use crate::jobs::payload::mask_text;
use crate::page::{Listed, Page};
use crate::{Error, Result};

/// A report; longer texts are cut.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    pub message: &'a str,
    pub stack: Option<&'a str>,
    pub path: Option<&'a str>,
    pub user_agent: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BrowserError {
    pub id: i64,
    pub created_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    pub count: i32,
    pub message: String,
    pub stack: Option<String>,
    pub path: Option<String>,
    pub user_agent: Option<String>,
    pub username: Option<String>,
    pub tenant_code: Option<String>,
}

/// Notes a report; the same message of a person within a day is counted on one row.
pub async fn note(conn: &mut PgConnection, actor: &Actor, report: Report<'_>) -> Result<()> {
    let cut = |text: &str, most: usize| {
        mask_text(
            &text
                .chars()
                .filter(|c| *c != '\0')
                .take(most)
                .collect::<String>(),
        )
    };
    let message = cut(report.message.trim(), 500);
    if message.is_empty() {
        return Err(Error::invalid("message", "Väli on kohustuslik."));
    }
    // The path alone: what stands after ? may be what a person searched for.
    let path = report
        .path
        .map(|path| cut(path.split(['?', '#']).next().unwrap_or_default(), 300));
    let known = sqlx::query!(
        "update browser_errors set count = count + 1, last_at = clock_timestamp()
         where id = (select id from browser_errors
                     where user_id = $1 and last_at > clock_timestamp() - interval '1 day' and message = $2 limit 1)",
        actor.user_id.0,
        message,
    )
    .execute(&mut *conn)
    .await?;
    if known.rows_affected() == 0 {
        sqlx::query!(
            "insert into browser_errors (tenant_id, user_id, message, stack, path, user_agent) values ($1, $2, $3, $4, $5, $6)",
            actor.tenant_id.0,
            actor.user_id.0,
            message,
            report.stack.map(|stack| cut(stack, 4_000)),
            path,
            report.user_agent.map(|agent| cut(agent, 300)),
        )
        .execute(conn)
        .await?;
    }
    Ok(())
}

/// Reports, the last seen first; more than 10,000 are not counted. Only for the chamber and operators.
pub async fn list(
    conn: &mut PgConnection,
    actor: &Actor,
    page: Page,
) -> Result<Listed<BrowserError>> {
    if actor.role == Role::Kt {
        return Err(Error::Forbidden);
    }
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from (select from browser_errors limit 10000) known"#
    )
    .fetch_one(&mut *conn)
    .await?;
    let rows = sqlx::query!(
        r#"select e.id, e.created_at, e.last_at, e.count, e.message, e.stack, e.path, e.user_agent,
                  u.username as "username?", b.code as "code?"
           from browser_errors e left join users u on u.id = e.user_id left join bureaus b on b.id = e.tenant_id
           order by e.last_at desc, e.id desc limit $1 offset $2"#,
        page.limit,
        page.offset,
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter().map(|row| BrowserError {
        id: row.id,
        created_at: row.created_at,
        last_at: row.last_at,
        count: row.count,
        message: row.message,
        stack: row.stack,
        path: row.path,
        user_agent: row.user_agent,
        username: row.username,
        tenant_code: row.code,
    });
    Ok(Listed {
        rows: rows.collect(),
        total,
    })
}
