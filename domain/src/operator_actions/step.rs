//! Works an operator action off: some of its jobs a step, one transaction each, under the queue's role. A step that breaks off
//! leaves nothing half done, and whoever leads next goes on with what still waits.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::json;
use sqlx::PgConnection;

use super::reason;
use super::tell;
use super::{ItemState, Kind};
use crate::Result;
use crate::Role;
use crate::audit::{self, By, Entry};
use crate::ids::{OperatorActionId, TenantId, UserId};
use crate::jobs::acts::{Order, UNKNOWN_OUTCOME, run_again, stop as stop_jobs, unknown};
use crate::jobs::{self, State};
use crate::movement;

/// The most items of one step.
pub const CHUNK: i64 = 500;
/// The most jobs that are on their way at once: a pause soon takes effect.
const WINDOW: i64 = 2_000;

/// What a step did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    /// Items that were taken up.
    pub taken: i64,
}

/// Actions under way, with how many jobs a second they may take up.
pub async fn open(conn: &mut PgConnection) -> Result<Vec<(OperatorActionId, Option<i32>)>> {
    let rows =
        sqlx::query!("select id, per_second from operator_actions where status = 1 order by id")
            .fetch_all(conn)
            .await?;
    Ok(rows
        .into_iter()
        .map(|row| (OperatorActionId(row.id), row.per_second))
        .collect())
}

struct Found {
    state: State,
    kind: String,
    action: Option<i64>,
    action_cancelled: bool,
    /// The bulk action's bureau.
    action_tenant: Option<i64>,
    unique_key: Option<String>,
}

/// Takes up to `most` waiting items, in a transaction of the caller. None where the action is held, stopped or over.
pub async fn step(conn: &mut PgConnection, id: OperatorActionId, most: i64) -> Result<Step> {
    let action = sqlx::query!(
        r#"select kind, tenant_id, created_by, request_id, created_by_role as "role: Role", paused_at is not null as "paused!",
                  stopped_at is not null as "stopped!", started_at is null as "fresh!"
           from operator_actions where id = $1 and status = 1 for update"#,
        id.0,
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(action) = action else {
        return Ok(Step::default());
    };
    if action.stopped {
        let back = take_back(conn, id).await?;
        let left = leave_rest(conn, id).await?;
        return Ok(Step {
            taken: back.taken + left.taken,
        });
    }
    if action.paused || most < 1 {
        return Ok(Step::default());
    }
    let sent = sqlx::query_scalar!(
        r#"select count(*) as "count!" from operator_action_items where action_id = $1 and state = 'sent'"#,
        id.0,
    )
    .fetch_one(&mut *conn)
    .await?;
    let most = most.min(CHUNK).min(WINDOW - sent);
    if most < 1 {
        return Ok(Step::default());
    }
    if action.fresh {
        sqlx::query!(
            "update operator_actions set started_at = clock_timestamp() where id = $1",
            id.0
        )
        .execute(&mut *conn)
        .await?;
    }
    let ids = sqlx::query_scalar!(
        "select job_id from operator_action_items where action_id = $1 and state = 'waiting' order by job_id limit $2",
        id.0,
        most,
    )
    .fetch_all(&mut *conn)
    .await?;
    if ids.is_empty() {
        return Ok(Step::default());
    }
    let found = lock(conn, &ids).await?;
    let bailiff = (action.role == Role::Kt).then_some(action.tenant_id);
    let kind = Kind::parse(&action.kind);
    let mut verdicts = judge(conn, kind, bailiff, &ids, &found).await?;
    let go: Vec<i64> = ids
        .iter()
        .copied()
        .filter(|id| !verdicts.contains_key(id))
        .collect();
    match kind {
        Kind::Retry => {
            remember(conn, id, &go).await?;
            let order = Order {
                by: action.created_by,
                request_id: action.request_id.as_deref(),
                priority: 0,
            };
            run_again(conn, &go, &order).await?;
        }
        Kind::Cancel => {
            stop_jobs(conn, &go).await?;
            // What ended at once is done; what runs ends before its next step.
            for job in &go {
                if found
                    .get(job)
                    .is_some_and(|found| found.state != State::Running)
                {
                    verdicts.insert(*job, (ItemState::Done, None));
                }
            }
        }
    }
    follow_actions(conn, kind, &go, &found, action.created_by).await?;
    write(conn, id, &ids, &verdicts).await?;
    let ended = verdicts.len().try_into().unwrap_or(i64::MAX);
    movement::add_now(conn, id, ended, 0).await?;
    Ok(Step {
        taken: i64::try_from(ids.len()).unwrap_or(i64::MAX),
    })
}

/// The jobs, their bulk actions locked before them, as a single retry does.
async fn lock(conn: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Found>> {
    sqlx::query!(
        "select id from bulk_actions where id in (select bulk_action_id from jobs where id = any($1)) order by id for update",
        ids,
    )
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query!(
        "select id from jobs where id = any($1) order by id for update",
        ids
    )
    .fetch_all(&mut *conn)
    .await?;
    look(conn, ids).await
}

async fn look(conn: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Found>> {
    let rows = sqlx::query!(
        r#"select j.id, j.state as "state: State", j.kind, j.bulk_action_id, j.unique_key,
                  a.cancelled_at is not null as "cancelled!", a.tenant_id as "action_tenant?"
           from jobs j left join bulk_actions a on a.id = j.bulk_action_id
           where j.id = any($1)"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let found = rows.into_iter().map(|row| {
        let found = Found {
            state: row.state,
            kind: row.kind,
            action: row.bulk_action_id,
            action_cancelled: row.cancelled,
            action_tenant: row.action_tenant,
            unique_key: row.unique_key,
        };
        (row.id, found)
    });
    Ok(found.collect())
}

/// How many of the jobs would be left alone if they were taken up now, by reason.
pub(super) async fn left_alone(
    conn: &mut PgConnection,
    kind: Kind,
    bailiff: Option<i64>,
    ids: &[i64],
) -> Result<BTreeMap<&'static str, i64>> {
    let found = look(conn, ids).await?;
    let mut counts = BTreeMap::new();
    for (_, word) in judge(conn, kind, bailiff, ids, &found).await?.into_values() {
        if let Some(word) = word {
            *counts.entry(word).or_default() += 1;
        }
    }
    Ok(counts)
}

type Verdicts = HashMap<i64, (ItemState, Option<&'static str>)>;

/// Which of the jobs are left alone, and why.
async fn judge(
    conn: &mut PgConnection,
    kind: Kind,
    bailiff: Option<i64>,
    ids: &[i64],
    found: &HashMap<i64, Found>,
) -> Result<Verdicts> {
    let unknown: HashSet<i64> = unknown(conn, ids).await?.into_iter().collect();
    let keys: Vec<String> = found
        .values()
        .filter_map(|found| found.unique_key.clone())
        .collect();
    let live = sqlx::query_scalar!(
        r#"select unique_key as "key!" from jobs where unique_key = any($1) and state in ('queued', 'dispatched', 'running')"#,
        &keys,
    )
    .fetch_all(conn)
    .await?;
    let mut taken: HashSet<String> = live.into_iter().collect();
    let mut verdicts = Verdicts::new();
    for id in ids {
        let skip = match found.get(id) {
            None => Some(reason::GONE),
            Some(job) => {
                let others = bailiff.is_some()
                    && job.action_tenant.is_some()
                    && job.action_tenant != bailiff;
                match (kind, job.state) {
                    (Kind::Cancel, State::Ok | State::Cancelled) => Some(reason::ENDED),
                    (Kind::Retry, State::Queued | State::Dispatched | State::Running) => {
                        Some(reason::LIVE)
                    }
                    (Kind::Retry, State::Ok) => Some(reason::OK),
                    _ if others => Some(reason::OTHERS),
                    (Kind::Cancel, State::Running) if !jobs::stops_between_steps(&job.kind) => {
                        Some(reason::RUNNING)
                    }
                    (Kind::Cancel, _) => None,
                    (Kind::Retry, _) if job.action_cancelled => Some(reason::ACTION_CANCELLED),
                    (Kind::Retry, _) if unknown.contains(id) => Some(UNKNOWN_OUTCOME.0),
                    // The first of several with one key; the others would be its double.
                    (Kind::Retry, _) => job.unique_key.as_ref().and_then(|key| {
                        (!taken.insert(key.clone())).then_some(reason::ALREADY_QUEUED)
                    }),
                }
            }
        };
        if let Some(word) = skip {
            verdicts.insert(*id, (ItemState::Skipped, Some(word)));
        }
    }
    Ok(verdicts)
}

/// The bulk actions of jobs that changed are open again; the closing rule then follows their rows.
async fn follow_actions(
    conn: &mut PgConnection,
    kind: Kind,
    ids: &[i64],
    found: &HashMap<i64, Found>,
    by: i64,
) -> Result<()> {
    let actions: BTreeSet<i64> = ids.iter().filter_map(|id| found.get(id)?.action).collect();
    if actions.is_empty() {
        return Ok(());
    }
    let actions: Vec<i64> = actions.into_iter().collect();
    sqlx::query!(
        "update bulk_actions set status = 1, finished_at = null, moves_since = clock_timestamp(), updated_by = $2, version = version + 1,
                retried_by = case when $3 then $2 else retried_by end
         where id = any($1)",
        &actions,
        by,
        kind == Kind::Retry,
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn write(
    conn: &mut PgConnection,
    id: OperatorActionId,
    ids: &[i64],
    verdicts: &Verdicts,
) -> Result<()> {
    let sent = (ItemState::Sent, None);
    let (states, reasons): (Vec<&str>, Vec<Option<&str>>) = ids
        .iter()
        .map(|id| {
            let (state, reason) = verdicts.get(id).unwrap_or(&sent);
            (state.as_str(), *reason)
        })
        .unzip();
    sqlx::query!(
        "update operator_action_items i
         set state = v.state, reason = v.reason, sent_at = clock_timestamp(),
             settled_at = case when v.state <> 'sent' then clock_timestamp() end
         from unnest($2::bigint[], $3::text[], $4::text[]) as v (job_id, state, reason)
         where i.action_id = $1 and i.job_id = v.job_id",
        id.0,
        ids,
        &states as &[&str],
        &reasons as &[Option<&str>],
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps how jobs had ended, for a stop.
async fn remember(conn: &mut PgConnection, id: OperatorActionId, jobs: &[i64]) -> Result<()> {
    sqlx::query!(
        "update operator_action_items i
         set was = jsonb_build_object('state', j.state, 'started_at', j.started_at, 'finished_at', j.finished_at, 'output', j.output,
                                      'error_code', j.error_code, 'failures', j.failures, 'retried_by', j.retried_by,
                                      'request_id', j.request_id)
         from jobs j where i.action_id = $1 and i.job_id = any($2) and j.id = i.job_id",
        id.0,
        jobs,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// After a stop: what was queued again and has not begun is as it was before, some at a time.
async fn take_back(conn: &mut PgConnection, id: OperatorActionId) -> Result<Step> {
    let back = sqlx::query!(
        "with idle as (
           select j.id, i.was from operator_action_items i join jobs j on j.id = i.job_id
           where i.action_id = $1 and i.state = 'sent' and i.was is not null and j.state in ('queued', 'dispatched')
           order by j.id limit $3 for update of j
         ), back as (
           update jobs j
           set state = (w.was ->> 'state')::job_state, started_at = (w.was ->> 'started_at')::timestamptz,
               finished_at = (w.was ->> 'finished_at')::timestamptz, output = w.was ->> 'output',
               error_code = w.was ->> 'error_code',
               error_key = case when w.was ->> 'state' = 'failed' then error_key(j.kind, w.was ->> 'error_code', w.was ->> 'output') end,
               failures = (w.was ->> 'failures')::smallint,
               retried_by = (w.was ->> 'retried_by')::bigint, request_id = coalesce(w.was ->> 'request_id', j.request_id), lease_until = null
           from idle w where j.id = w.id
           returning j.id
         )
         update operator_action_items i set state = 'skipped', reason = $2, settled_at = clock_timestamp(), was = null
         from back where i.action_id = $1 and i.job_id = back.id",
        id.0,
        reason::STOPPED,
        CHUNK * 4,
    )
    .execute(conn)
    .await?
    .rows_affected();
    Ok(Step {
        taken: i64::try_from(back).unwrap_or(i64::MAX),
    })
}

/// After a stop: what was not reached is skipped, some at a time.
async fn leave_rest(conn: &mut PgConnection, id: OperatorActionId) -> Result<Step> {
    let left = sqlx::query!(
        "update operator_action_items set state = 'skipped', reason = $2, settled_at = clock_timestamp()
         where action_id = $1 and job_id in (select job_id from operator_action_items
                                             where action_id = $1 and state = 'waiting' order by job_id limit $3)",
        id.0,
        reason::STOPPED,
        CHUNK * 10,
    )
    .execute(conn)
    .await?
    .rows_affected();
    Ok(Step {
        taken: i64::try_from(left).unwrap_or(i64::MAX),
    })
}

/// Writes down how the jobs that were sent have ended, some at a time, and ends the action when none is left. True while more
/// may be settled at once.
pub async fn settle(conn: &mut PgConnection, id: OperatorActionId) -> Result<bool> {
    let settled = sqlx::query_scalar!(
        r#"with ended as (
           select i.job_id, a.kind, j.state as job_state, j.error_code
           from operator_action_items i join operator_actions a on a.id = i.action_id
           left join jobs j on j.id = i.job_id
           where i.action_id = $1 and i.state = 'sent' and (j.id is null or j.state in ('ok', 'warning', 'failed', 'cancelled'))
           limit $2
         )
         update operator_action_items i
         set settled_at = clock_timestamp(), was = null,
             state = case when e.job_state is null then 'skipped'
                          when e.kind = 'cancel' then case e.job_state when 'cancelled' then 'done' else 'skipped' end
                          when e.job_state in ('ok', 'warning') then 'done'
                          when e.job_state = 'failed' then 'failed' else 'skipped' end,
             reason = case when e.job_state is null then 'gone'
                           when e.kind = 'cancel' then case e.job_state when 'cancelled' then null else 'ended' end
                           when e.job_state = 'failed' then coalesce(e.error_code, 'failed')
                           when e.job_state = 'cancelled' then 'cancelled' end
         from ended e where i.action_id = $1 and i.job_id = e.job_id
         returning i.state"#,
        id.0,
        CHUNK * 4,
    )
    .fetch_all(&mut *conn)
    .await?;
    let all = i64::try_from(settled.len()).unwrap_or(i64::MAX);
    let failed = settled.iter().filter(|state| *state == "failed").count();
    let failed = i64::try_from(failed).unwrap_or(i64::MAX);
    movement::add_now(conn, id, all - failed, failed).await?;
    let over = sqlx::query!(
        r#"update operator_actions a
           set finished_at = clock_timestamp(), paused_at = null, paused_by = null, version = version + 1,
               status = case when a.stopped_at is not null then 4
                             when exists (select from operator_action_items i where i.action_id = a.id and i.state = 'failed') then 3
                             when exists (select from operator_action_items i where i.action_id = a.id and i.state = 'skipped') then 5
                             else 2 end
           where id = $1 and status = 1
             and not exists (select from operator_action_items i where i.action_id = a.id and i.state = 'waiting')
             and not exists (select from operator_action_items i where i.action_id = a.id and i.state = 'sent')
           returning tenant_id, kind, status, version, created_by, total, finished_at as "finished_at!""#,
        id.0,
    )
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(over) = over {
        let outcome = sqlx::query_scalar!(
            r#"update operator_actions set outcome = (
                 select jsonb_agg(jsonb_build_object('state', state, 'reason', reason, 'count', count) order by count desc, state, reason)
                 from (select state, coalesce(reason, '') as reason, count(*) as count from operator_action_items
                       where action_id = $1 group by 1, 2) c)
               where id = $1 returning outcome as "outcome!""#,
            id.0,
        )
        .fetch_one(&mut *conn)
        .await?;
        let entry = Entry {
            after: Some(json!({"status": over.status, "jobs": outcome})),
            version: Some(over.version),
            ..Entry::new(TenantId(over.tenant_id), "finish", "OperatorAction", id.0)
        };
        audit::write(conn, &By::default(), entry).await?;
        let ended = tell::Over {
            tenant: TenantId(over.tenant_id),
            kind: over.kind,
            status: over.status,
            created_by: UserId(over.created_by),
            total: i64::from(over.total),
            finished_at: over.finished_at,
        };
        tell::ended(conn, id, ended, &outcome).await?;
    }
    Ok(all > 0)
}
