//! Reads operator actions and their items. Counts are counted from the items.
use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{ItemState, Kind, reason_text};
use crate::actor::{Actor, Allowed, Person, Role};
use crate::bulk_actions::Status;
use crate::bureaus::BureauName;
use crate::cases::Number;
use crate::ids::{JobId, OperatorActionId, TenantId, UserId};
use crate::jobs::find as jobs;
use crate::jobs::whole::{self, Stall};
use crate::jobs::{JobFilter, Queue};
use crate::page::{Listed, Page};
use crate::{Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct OperatorAction {
    pub id: OperatorActionId,
    pub kind: Kind,
    pub status: Status,
    pub filter: JobFilter,
    pub reason: Option<String>,
    pub bureau: BureauName,
    pub total: i64,
    /// Each state's items; they sum up to `total`.
    pub counts: Vec<(ItemState, i64)>,
    /// Why items were skipped: word, text, how many.
    pub skipped: Vec<(String, String, i64)>,
    pub per_second: Option<i32>,
    pub created_by: Person,
    pub created_by_role: Role,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub paused_at: Option<DateTime<Utc>>,
    /// When it was last let go on.
    pub moves_since: Option<DateTime<Utc>>,
    pub paused_by: Option<Person>,
    pub stopped_at: Option<DateTime<Utc>>,
    pub stopped_by: Option<Person>,
    pub parent: Option<OperatorActionId>,
    pub children: Vec<i64>,
    pub version: i32,
}

impl OperatorAction {
    pub fn count(&self, state: ItemState) -> i64 {
        self.counts
            .iter()
            .find(|(known, _)| *known == state)
            .map_or(0, |(_, count)| *count)
    }
}

const OTHERS: &str = "Koja tegevust saab juhtida ainult koda.";
const OVER: &str = "Tegevus on lõppenud.";
const STOPPED: &str = "Tegevus peatati lõplikult.";
const PAUSED: &str = "Tegevus on juba peatatud.";
const NOT_PAUSED: &str = "Tegevus ei ole peatatud.";
const NOTHING_FAILED: &str = "Ebaõnnestunud töid ei ole.";
const IN_PROGRESS: &str = "Tegevus on töös.";

/// The buttons of an action.
pub fn rights(actor: &Actor, action: &OperatorAction) -> Vec<Allowed> {
    let others = (!owns(actor, action)).then_some(OTHERS);
    let over = match () {
        () if action.status != Status::InProgress => Some(OVER),
        () if action.stopped_at.is_some() => Some(STOPPED),
        () => None,
    };
    let of = |name, reason: Option<&'static str>| Allowed {
        name,
        reason: others.or(reason),
    };
    vec![
        of(
            "pause",
            over.or(action.paused_at.is_some().then_some(PAUSED)),
        ),
        of(
            "resume",
            over.or(action.paused_at.is_none().then_some(NOT_PAUSED)),
        ),
        of("stop", over),
        of("pace", over),
        of(
            "child",
            match () {
                () if action.finished_at.is_none() => Some(IN_PROGRESS),
                () if action.count(ItemState::Failed) == 0 => Some(NOTHING_FAILED),
                () => None,
            },
        ),
    ]
}

fn owns(actor: &Actor, action: &OperatorAction) -> bool {
    actor.role != Role::Kt || actor.tenant_id == action.bureau.id
}

pub(super) fn check_owner(actor: &Actor, action: &OperatorAction) -> Result<()> {
    if owns(actor, action) {
        Ok(())
    } else {
        Err(Error::Forbidden)
    }
}

/// One action; another bureau's is not found.
pub async fn find(conn: &mut PgConnection, id: OperatorActionId) -> Result<OperatorAction> {
    read(conn, &[id.0]).await?.pop().ok_or(Error::NotFound)
}

/// Actions, newest first; more than 10,000 are not counted.
pub async fn list(conn: &mut PgConnection, page: Page) -> Result<Listed<OperatorAction>> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from (select from operator_actions limit 10000) known"#
    )
    .fetch_one(&mut *conn)
    .await?;
    let ids = sqlx::query_scalar!(
        "select id from operator_actions order by id desc limit $1 offset $2",
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    Ok(Listed {
        rows: read(conn, &ids).await?,
        total,
    })
}

async fn read(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<OperatorAction>> {
    let rows = sqlx::query!(
        r#"select a.id, a.kind, a.status as "status: Status", a.filter, a.reason, a.tenant_id, b.code as bureau_code,
                  b.name as bureau_name, a.total, a.per_second, a.created_by, c.name as created_by_name,
                  a.created_by_role as "created_by_role: Role", a.created_at, a.started_at, a.finished_at, a.paused_at, a.moves_since,
                  p.id as "paused_by?", p.name as "paused_by_name?", a.stopped_at, s.id as "stopped_by?",
                  s.name as "stopped_by_name?", a.parent_id, a.version,
                  a.outcome, array(select id from operator_actions k where k.parent_id = a.id order by id) as "children!"
           from unnest($1::bigint[]) with ordinality as wanted (id, place)
           join operator_actions a on a.id = wanted.id
           join bureaus b on b.id = a.tenant_id
           join users c on c.id = a.created_by
           left join users p on p.id = a.paused_by
           left join users s on s.id = a.stopped_by
           order by wanted.place"#,
        ids,
    )
    .fetch_all(&mut *conn)
    .await?;
    // What is over was counted when it ended.
    let open: Vec<i64> = rows
        .iter()
        .filter(|row| row.outcome.is_none())
        .map(|row| row.id)
        .collect();
    let mut counted = count(conn, &open).await?;
    let actions = rows.into_iter().map(|row| {
        let mine: Vec<Counted> = match row.outcome {
            Some(outcome) => serde_json::from_value(outcome).unwrap_or_default(),
            None => counted.remove(&row.id).unwrap_or_default(),
        };
        let mine = || mine.iter();
        let counts = ItemState::ALL.map(|state| {
            let count = mine()
                .filter(|count| count.state == state.as_str())
                .map(|count| count.count)
                .sum();
            (state, count)
        });
        let skipped = mine().filter(|count| count.state == "skipped");
        OperatorAction {
            id: OperatorActionId(row.id),
            kind: Kind::parse(&row.kind),
            status: row.status,
            filter: serde_json::from_value(row.filter).unwrap_or_default(),
            reason: row.reason,
            bureau: BureauName {
                id: TenantId(row.tenant_id),
                code: row.bureau_code,
                name: row.bureau_name,
            },
            total: row.total.into(),
            counts: counts.to_vec(),
            skipped: skipped
                .map(|count| {
                    (
                        count.reason.clone(),
                        reason_text(&count.reason),
                        count.count,
                    )
                })
                .collect(),
            per_second: row.per_second,
            created_by: Person {
                id: UserId(row.created_by),
                name: row.created_by_name,
            },
            created_by_role: row.created_by_role,
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            paused_at: row.paused_at,
            moves_since: row.moves_since,
            paused_by: Person::joined(row.paused_by, row.paused_by_name),
            stopped_at: row.stopped_at,
            stopped_by: Person::joined(row.stopped_by, row.stopped_by_name),
            parent: row.parent_id.map(OperatorActionId),
            children: row.children,
            version: row.version,
        }
    });
    Ok(actions.collect())
}

/// Jobs of an action that stand alike.
#[derive(serde::Deserialize)]
struct Counted {
    state: String,
    reason: String,
    count: i64,
}

/// The jobs of open actions; reasons are read only where there are any, the rest is in an index.
async fn count(conn: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<Counted>>> {
    let rows = sqlx::query!(
        r#"select action_id as "action_id!", state as "state!", reason as "reason!", count as "count!" from (
             select action_id, state, '' as reason, count(*) as count from operator_action_items
             where action_id = any($1) and state in ('waiting', 'sent', 'done') group by 1, 2
             union all
             select action_id, state, coalesce(reason, ''), count(*) from operator_action_items
             where action_id = any($1) and state in ('failed', 'skipped') group by 1, 2, 3) c
           order by count desc"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let mut counted = HashMap::<i64, Vec<Counted>>::new();
    for row in rows {
        counted.entry(row.action_id).or_default().push(Counted {
            state: row.state,
            reason: row.reason,
            count: row.count,
        });
    }
    Ok(counted)
}

/// One job of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub job_id: JobId,
    pub state: ItemState,
    pub reason: Option<String>,
    /// What a job that failed again says, as long as it says so.
    pub output: Option<String>,
    pub queue: Option<Queue>,
    pub kind: Option<String>,
    pub bureau_code: String,
    pub case_number: Option<Number>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl Item {
    /// Why it was not done, in words: the job's own where it has any.
    pub fn text(&self) -> Option<String> {
        self.output
            .clone()
            .or_else(|| self.reason.as_deref().map(reason_text))
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// Empty: all.
    pub states: Vec<ItemState>,
    pub reason: Option<String>,
}

/// Items by rising job id, from above `after`. Why one failed is told as it was then, whatever became of the job.
pub async fn items(
    conn: &mut PgConnection,
    action: OperatorActionId,
    filter: &ItemFilter,
    after: JobId,
    limit: i64,
) -> Result<Vec<Item>> {
    let states: Vec<String> = filter
        .states
        .iter()
        .map(|state| state.as_str().to_owned())
        .collect();
    let rows = sqlx::query!(
        r#"select i.job_id, i.state, i.reason, i.settled_at, b.code,
                  case when i.state = 'failed'
                       then (select t.error from attempts t where t.job_id = i.job_id and t.finished_at <= i.settled_at
                             order by t.run desc limit 1) end as output,
                  j.queue as "queue?: Queue", j.kind as "kind?",
                  l.prefix as "prefix?", l.year as "year?", l.index as "index?"
           from operator_action_items i
           join operator_actions a on a.id = i.action_id
           join bureaus b on b.id = i.tenant_id
           left join jobs j on j.id = i.job_id
           left join case_list l on l.case_id = j.case_id
           where i.action_id = $1 and i.job_id > $2 and (cardinality($3::text[]) = 0 or i.state = any($3))
             and ($4::text is null or i.reason = $4)
           order by i.job_id limit $5"#,
        action.0,
        after.0,
        &states,
        filter.reason,
        limit,
    )
    .fetch_all(conn)
    .await?;
    let items = rows.into_iter().map(|row| Item {
        job_id: JobId(row.job_id),
        state: ItemState::parse(&row.state),
        reason: row.reason,
        output: row.output,
        queue: row.queue,
        kind: row.kind,
        bureau_code: row.code,
        case_number: Number::joined(row.prefix, row.year, row.index),
        settled_at: row.settled_at,
    });
    Ok(items.collect())
}

/// Why the first of the jobs that it sent still waits; none where nothing was sent, or that job runs.
pub async fn stall(conn: &mut PgConnection, action: &OperatorAction) -> Result<Option<Stall>> {
    if action.finished_at.is_some() || action.count(ItemState::Sent) == 0 {
        return Ok(None);
    }
    let first = sqlx::query_scalar!(
        "select job_id from operator_action_items where action_id = $1 and state = 'sent' order by job_id limit 1",
        action.id.0,
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(first) = first else { return Ok(None) };
    match jobs::find(conn, JobId(first)).await {
        Ok(job) => whole::stall(conn, &job).await,
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}
