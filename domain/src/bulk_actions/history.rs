//! Reads bulk actions: one, those of a day, and the days. Row security decides which a bureau sees: its own, and the
//! chamber's that hold a task of it.
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::Value;
use sqlx::PgConnection;

use super::Status;
use super::kinds::Type;
use crate::actor::{Person, Role};
use crate::clock;
use crate::ids::{BulkActionId, TenantId, UserId};
use crate::page::{Listed, Page};
use crate::{Error, Result};

/// A bulk action without its counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    pub id: BulkActionId,
    pub tenant_id: TenantId,
    pub tenant_code: String,
    pub kind: Type,
    pub status: Status,
    pub args: Value,
    /// As frozen.
    pub filters: Option<Value>,
    pub include_cases_with_problems: bool,
    pub output: Option<String>,
    pub created_by: Person,
    pub created_by_role: Role,
    pub updated_by: Option<Person>,
    pub retried_by: Option<Person>,
    pub paused_by: Option<Person>,
    pub created_at: DateTime<Utc>,
    pub cases_frozen_at: Option<DateTime<Utc>>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub paused_at: Option<DateTime<Utc>>,
    /// When it was last let go on: by a resume or a retry.
    pub moves_since: Option<DateTime<Utc>>,
    pub per_second: Option<i32>,
    pub parallel: Option<i32>,
    /// The action whose unfinished tasks it took up.
    pub parent: Option<BulkActionId>,
    pub children: Vec<i64>,
    pub version: i32,
}

impl Action {
    /// The bureau of all its tasks; none for the chamber's action, whose tasks are of many.
    pub fn single_bureau(&self) -> Option<TenantId> {
        (self.created_by_role == Role::Kt).then_some(self.tenant_id)
    }
}

/// The actions of one legal day, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    pub date: NaiveDate,
    pub total: i64,
    pub actions: Vec<Action>,
}

/// One action; another bureau's is not found.
pub async fn find(conn: &mut PgConnection, id: BulkActionId) -> Result<Action> {
    read(conn, &[id.0]).await?.pop().ok_or(Error::NotFound)
}

/// Days that have actions, newest first, each with at most `per_day` of them; the total counts days.
pub async fn by_date(conn: &mut PgConnection, page: Page, per_day: i64) -> Result<Listed<Day>> {
    let rows = sqlx::query!(
        r#"with visible as materialized (
             select id, (created_at at time zone 'Europe/Tallinn')::date as day from bulk_actions
           ), days as (
             select day, count(*) as total, count(*) over () as days from visible group by day order by day desc
             limit $1 offset $2
           )
           select d.day as "day!", d.total as "total!", d.days as "days!", a.id as "id!"
           from days d cross join lateral (
             select id from visible v where v.day = d.day order by id desc limit $3) a
           order by d.day desc, a.id desc"#,
        page.limit,
        page.offset,
        per_day,
    )
    .fetch_all(&mut *conn)
    .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut actions = read(conn, &ids).await?.into_iter();
    let mut days: Vec<Day> = Vec::new();
    for row in &rows {
        if days.last().is_none_or(|day| day.date != row.day) {
            days.push(Day {
                date: row.day,
                total: row.total,
                actions: Vec::new(),
            });
        }
        if let (Some(day), Some(action)) = (days.last_mut(), actions.next()) {
            day.actions.push(action);
        }
    }
    let total = match rows.first() {
        Some(row) => row.days,
        None => {
            sqlx::query_scalar!(
                r#"select count(distinct (created_at at time zone 'Europe/Tallinn')::date) as "days!" from bulk_actions"#
            )
            .fetch_one(conn)
            .await?
        }
    };
    Ok(Listed { rows: days, total })
}

/// The actions of one legal day, newest first.
pub async fn of_date(
    conn: &mut PgConnection,
    date: NaiveDate,
    page: Page,
) -> Result<Listed<Action>> {
    let next = date
        .succ_opt()
        .ok_or_else(|| Error::invalid("date", "Kuupäev on vigane."))?;
    let (from, until) = (
        clock::start_of_day_in_estonia(date),
        clock::start_of_day_in_estonia(next),
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from bulk_actions where created_at >= $1 and created_at < $2"#,
        from,
        until,
    )
    .fetch_one(&mut *conn)
    .await?;
    let ids = sqlx::query_scalar!(
        "select id from bulk_actions where created_at >= $1 and created_at < $2 order by id desc limit $3 offset $4",
        from,
        until,
        page.limit,
        page.offset,
    )
    .fetch_all(&mut *conn)
    .await?;
    Ok(Listed {
        rows: read(conn, &ids).await?,
        total,
    })
}

/// The actions of these ids, in their order.
async fn read(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<Action>> {
    let rows = sqlx::query!(
        r#"select a.id, a.tenant_id, b.code as tenant_code, a.type as kind, a.status as "status: Status", a.args, a.filters,
                  a.include_cases_with_problems, a.output, a.created_by, c.name as created_by_name,
                  a.created_by_role as "created_by_role: Role",
                  u.id as "updated_by?", u.name as "updated_by_name?", r.id as "retried_by?", r.name as "retried_by_name?",
                  p.id as "paused_by?", p.name as "paused_by_name?",
                  a.created_at, a.cases_frozen_at, a.started_at, a.finished_at, a.cancelled_at, a.paused_at, a.moves_since,
                  a.pace_per_second, a.pace_parallel, a.version, a.parent_id,
                  array(select id from bulk_actions k where k.parent_id = a.id order by id) as "children!"
           from unnest($1::bigint[]) with ordinality as wanted (id, place)
           join bulk_actions a on a.id = wanted.id
           join bureaus b on b.id = a.tenant_id
           join users c on c.id = a.created_by
           left join users u on u.id = a.updated_by
           left join users r on r.id = a.retried_by
           left join users p on p.id = a.paused_by
           order by wanted.place"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let actions = rows.into_iter().map(|row| {
        Ok(Action {
            id: BulkActionId(row.id),
            tenant_id: TenantId(row.tenant_id),
            tenant_code: row.tenant_code,
            kind: Type::from_number(row.kind.into()).ok_or(Error::NotFound)?,
            status: row.status,
            args: row.args,
            filters: row.filters,
            include_cases_with_problems: row.include_cases_with_problems,
            output: row.output,
            created_by: Person {
                id: UserId(row.created_by),
                name: row.created_by_name,
            },
            created_by_role: row.created_by_role,
            updated_by: Person::joined(row.updated_by, row.updated_by_name),
            retried_by: Person::joined(row.retried_by, row.retried_by_name),
            paused_by: Person::joined(row.paused_by, row.paused_by_name),
            created_at: row.created_at,
            cases_frozen_at: row.cases_frozen_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            cancelled_at: row.cancelled_at,
            paused_at: row.paused_at,
            moves_since: row.moves_since,
            per_second: row.pace_per_second,
            parallel: row.pace_parallel,
            parent: row.parent_id.map(BulkActionId),
            children: row.children,
            version: row.version,
        })
    });
    actions.collect()
}
