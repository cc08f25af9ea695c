//! Reads tasks of an action in the order of case numbers, newest first, which is the order of their ids.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::counts::Counts;
use super::{NO_OUTPUT, Status};
use crate::actor::Person;
use crate::cases::Number;
use crate::ids::{BulkActionId, CaseId, JobId, TenantId};
use crate::jobs::{Kind, State, anywhere};
use crate::page::{Listed, Page};
use crate::{Error, Result};

/// One case of a bulk action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub id: JobId,
    pub action_id: BulkActionId,
    pub tenant_id: TenantId,
    pub state: State,
    pub kind: Option<Kind>,
    pub case_id: Option<CaseId>,
    /// None when the case was deleted since.
    pub case_number: Option<Number>,
    pub debtor_name: Option<String>,
    pub created_by: Option<Person>,
    pub retried_by: Option<Person>,
    pub output: String,
    pub created_at: DateTime<Utc>,
    /// When it is due, while it is queued.
    pub run_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub runs: i32,
    pub failures: i16,
}

/// Which tasks of an action are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Empty: all.
    pub statuses: Vec<Status>,
    /// Narrows further; empty: not.
    pub within: Vec<State>,
    /// A part of the output, without regard to case; at most 200 characters.
    pub output: Option<String>,
    /// By rising case number instead of falling.
    pub oldest_first: bool,
}

impl TaskFilter {
    fn states(&self) -> Vec<State> {
        let statuses = if self.statuses.is_empty() {
            &Status::ALL[..]
        } else {
            &self.statuses
        };
        let mut states: Vec<State> = statuses
            .iter()
            .flat_map(|status| status.states())
            .copied()
            .collect();
        states.sort_by_key(|state| state.as_str());
        states.dedup();
        states.retain(|state| self.within.is_empty() || self.within.contains(state));
        states
    }

    /// The pattern for `like` over folded output.
    fn pattern(&self) -> Result<Option<String>> {
        let Some(text) = self.output.as_deref().filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        if text.chars().count() > 200 {
            return Err(Error::invalid("output", "Otsing võib olla kuni 200 märki."));
        }
        if text.contains('\0') {
            return Err(Error::invalid("output", "Otsingus on lubamatu märk."));
        }
        Ok(Some(anywhere(text)))
    }
}

/// A page of an action's tasks. Without a search the total is that of `counts`.
pub async fn tasks(
    conn: &mut PgConnection,
    action: BulkActionId,
    filter: &TaskFilter,
    page: Page,
    counts: &Counts,
) -> Result<Listed<Task>> {
    let (states, pattern) = (filter.states(), filter.pattern()?);
    let total = match &pattern {
        None => states.iter().map(|state| counts.of(*state)).sum(),
        Some(pattern) => found(conn, action, &states, pattern).await?,
    };
    let ids = ids(conn, action, filter, JobId(0), page).await?;
    Ok(Listed {
        rows: read(conn, &ids).await?,
        total,
    })
}

async fn found(
    conn: &mut PgConnection,
    action: BulkActionId,
    states: &[State],
    pattern: &str,
) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from bulk_action_tasks
           where bulk_action_id = $1 and state = any($2)
             and coalesce(nullif(output, ''), case when state = 'failed' then $4 end) ilike $3"#,
        action.0,
        states as &[State],
        pattern,
        NO_OUTPUT,
    )
    .fetch_one(conn)
    .await?;
    Ok(total)
}

/// The next `limit` tasks after the id, newest case first: a stream reads them batch by batch.
pub async fn tasks_after(
    conn: &mut PgConnection,
    action: BulkActionId,
    filter: &TaskFilter,
    after: JobId,
    limit: i64,
) -> Result<Vec<Task>> {
    let ids = ids(conn, action, filter, after, Page { limit, offset: 0 }).await?;
    read(conn, &ids).await
}

/// The function narrows to what the role may see; see its migration for why it is one.
async fn ids(
    conn: &mut PgConnection,
    action: BulkActionId,
    filter: &TaskFilter,
    after: JobId,
    page: Page,
) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        r#"select bulk_action_task_ids($1, $2, $3, $4, $5, $6, $7, $8) as "id!""#,
        action.0,
        &filter.states() as &[State],
        filter.pattern()?,
        NO_OUTPUT,
        filter.oldest_first,
        after.0,
        page.limit,
        page.offset,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids)
}

/// One task; another bureau's, and a job that is no task, are not found.
pub async fn find_task(conn: &mut PgConnection, id: JobId) -> Result<Task> {
    read(conn, &[id.0]).await?.pop().ok_or(Error::NotFound)
}

/// One task that keeps the action from being a success: in progress, failed or cancelled.
pub async fn unfinished_task(
    conn: &mut PgConnection,
    action: BulkActionId,
) -> Result<Option<Task>> {
    let filter = TaskFilter {
        statuses: vec![Status::InProgress, Status::Failed, Status::Cancelled],
        ..TaskFilter::default()
    };
    Ok(tasks_after(conn, action, &filter, JobId(0), 1).await?.pop())
}

/// The tasks of these ids, in their order. Number and debtor come from the list columns, which follow a transferred case.
async fn read(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<Task>> {
    let rows = sqlx::query!(
        r#"select t.id as "id!", t.bulk_action_id as "action_id!", t.tenant_id as "tenant_id!", t.state as "state!: State",
                  t.kind as "kind!", t.case_id, l.prefix as "prefix?", l.year as "year?", l.index as "index?",
                  l.debtor_name as "debtor_name?",
                  c.id as "created_by?", c.name as "created_by_name?", r.id as "retried_by?", r.name as "retried_by_name?",
                  coalesce(t.output, '') as "output!", t.created_at as "created_at!", t.run_at as "run_at!", t.started_at,
                  t.finished_at, t.runs as "runs!", t.failures as "failures!"
           from unnest($1::bigint[]) with ordinality as wanted (id, place)
           join bulk_action_tasks t on t.id = wanted.id
           left join case_list_all l on l.case_id = t.case_id
           left join users c on c.id = t.created_by
           left join users r on r.id = t.retried_by
           order by wanted.place"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let tasks = rows.into_iter().map(|row| Task {
        id: JobId(row.id),
        action_id: BulkActionId(row.action_id),
        tenant_id: TenantId(row.tenant_id),
        state: row.state,
        kind: Kind::parse(&row.kind),
        case_id: row.case_id.map(CaseId),
        case_number: Number::joined(row.prefix, row.year, row.index),
        debtor_name: row.debtor_name,
        created_by: Person::joined(row.created_by, row.created_by_name),
        retried_by: Person::joined(row.retried_by, row.retried_by_name),
        output: if row.output.is_empty() && row.state == State::Failed {
            NO_OUTPUT.to_owned()
        } else {
            row.output
        },
        created_at: row.created_at,
        run_at: row.run_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
        runs: row.runs,
        failures: row.failures,
    });
    Ok(tasks.collect())
}
