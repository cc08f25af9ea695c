//! What a person does to jobs: retry, cancel, run now. One at a time here; `operator_actions` does many with the same steps.
use std::collections::HashSet;

use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use super::find::{Job, find};
use super::kind::{Kind, Queue};
use super::{State, announce, rights};
use crate::actor::{Actor, Role};
use crate::audit::{self, By, Entry};
use crate::bulk_actions;
use crate::db::Scope;
use crate::ids::JobId;
use crate::{Error, Result, outward};

/// Under which role of the database an actor's acts on jobs run: an operator acts as the queue.
pub fn scope_to_act(actor: &Actor) -> Scope {
    bulk_actions::scope_to_act(actor)
}

/// The words for a job whose message may have taken effect.
pub(crate) const UNKNOWN_OUTCOME: (&str, &str) = ("unknown_outcome", "tulemus teadmata");

/// Runs an ended job again: the same job, a new run, its history kept. `payload` replaces the old one, for operators only.
pub async fn retry(
    conn: &mut PgConnection,
    actor: &Actor,
    job: &Job,
    payload: Option<&Map<String, Value>>,
) -> Result<()> {
    match payload {
        Some(_) => rights::check_edit(actor, job)?,
        None => rights::check_retry(actor, job)?,
    }
    if job.action.is_some() {
        return bulk_actions::retry_task(conn, actor, job.id).await;
    }
    let kind = Kind::parse(&job.kind).ok_or(Error::NotFound)?;
    if let Some(payload) = payload {
        kind.check_payload(payload)?;
    }
    let state = lock(conn, job.id).await?;
    rights::check_retry(
        actor,
        &Job {
            state,
            ..job.clone()
        },
    )?;
    if unknown(conn, &[job.id.0]).await?.contains(&job.id.0) {
        let (code, text) = UNKNOWN_OUTCOME;
        return Err(Error::refused(
            code,
            format!("Tööd ei saa korrata: {text}."),
        ));
    }
    if let Some(key) = job.unique_key.as_deref() {
        let live = sqlx::query_scalar!(
            r#"select exists (select from jobs where unique_key = $1 and state in ('queued', 'dispatched', 'running')) as "live!""#,
            key,
        )
        .fetch_one(&mut *conn)
        .await?;
        if live {
            return Err(Error::refused(
                "already_queued",
                "Sama töö on juba järjekorras.",
            ));
        }
    }
    let args = payload.map(|payload| Value::Object(payload.clone()));
    if let Some(args) = &args {
        sqlx::query!("update jobs set args = $2 where id = $1", job.id.0, args)
            .execute(&mut *conn)
            .await?;
    }
    let order = Order {
        by: actor.user_id.0,
        request_id: Some(&actor.request_id),
        priority: FIRST,
    };
    run_again(conn, &[job.id.0], &order).await?;
    let entry = Entry {
        before: Some(json!({"state": state, "payload": payload.and(job.args.as_ref())})),
        after: Some(json!({"state": "queued", "payload": args})),
        ..about(job, "retry")
    };
    audit::write(conn, &by(actor, job), entry).await
}

/// Ahead of its bureau's other work.
pub(crate) const FIRST: i16 = 1;

/// Who has jobs run again, by which request, and how soon.
pub(crate) struct Order<'a> {
    pub by: i64,
    /// What the jobs' new runs are traced to.
    pub request_id: Option<&'a str>,
    pub priority: i16,
}

/// Queues ended jobs anew, their history kept; what they sent out is ordered anew.
pub(crate) async fn run_again(
    conn: &mut PgConnection,
    ids: &[i64],
    order: &Order<'_>,
) -> Result<()> {
    let again = sqlx::query!(
        r#"update jobs
           set state = 'queued', run_at = clock_timestamp(), started_at = null, finished_at = null, lease_until = null,
               output = null, error_code = null, error_key = null, cancel_at = null, failures = 0, crashes = 0,
               suspect = false, priority = $3, retried_by = $2, request_id = coalesce($4, request_id)
           where id = any($1) returning id, queue as "queue: Queue""#,
        ids,
        order.by,
        order.priority,
        order.request_id,
    )
    .fetch_all(&mut *conn)
    .await?;
    let outward: Vec<i64> = again
        .iter()
        .filter(|job| job.queue != Queue::Bulk)
        .map(|job| job.id)
        .collect();
    outward::order_anew(conn, &outward).await?;
    let queues: HashSet<Queue> = again.iter().map(|job| job.queue).collect();
    for queue in queues {
        announce(conn, queue).await?;
    }
    Ok(())
}

/// Cancels: at once what waits, before its next step what runs; a failed or warning one is acknowledged.
pub async fn cancel(
    conn: &mut PgConnection,
    actor: &Actor,
    job: &Job,
    reason: Option<&str>,
) -> Result<()> {
    rights::check_cancel(actor, job)?;
    let reason = checked_reason(reason)?;
    let action = match &job.action {
        Some(action) => Some(bulk_actions::lock_to_steer(conn, actor, action.id).await?),
        None => None,
    };
    let state = lock(conn, job.id).await?;
    rights::check_cancel(
        actor,
        &Job {
            state,
            ..job.clone()
        },
    )?;
    stop(conn, &[job.id.0]).await?;
    if let Some(action) = &action {
        bulk_actions::follow_rows(conn, actor, action).await?;
    }
    let after = if state == State::Running {
        "running"
    } else {
        "cancelled"
    };
    let entry = Entry {
        before: Some(json!({"state": state})),
        after: Some(json!({"state": after})),
        reason,
        ..about(
            job,
            if state.is_live() {
                "cancel"
            } else {
                "acknowledge"
            },
        )
    };
    audit::write(conn, &by(actor, job), entry).await
}

/// Ends what waits or has failed, and asks what runs to end before its next step.
pub(crate) async fn stop(conn: &mut PgConnection, ids: &[i64]) -> Result<()> {
    sqlx::query!(
        "update jobs set cancel_at = clock_timestamp() where id = any($1) and state = 'running'",
        ids
    )
    .execute(&mut *conn)
    .await?;
    let ended = sqlx::query_scalar!(
        "update jobs
         set state = 'cancelled', finished_at = clock_timestamp(), lease_until = null, cancel_at = null,
             output = case when state in ('failed', 'warning') then concat_ws(e'\\n', nullif(output, ''), 'Teadmiseks võetud.')
                           else 'Katkestatud.' end
         where id = any($1) and state in ('queued', 'dispatched', 'failed', 'warning')
         returning id",
        ids,
    )
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query!("select count_ended($1)", &ended)
        .execute(conn)
        .await?;
    Ok(())
}

/// A job that waits for its time is due now.
pub async fn run_now(conn: &mut PgConnection, actor: &Actor, job: &Job) -> Result<()> {
    let state = lock(conn, job.id).await?;
    rights::check_run_now(
        actor,
        &Job {
            state,
            ..job.clone()
        },
    )?;
    sqlx::query!(
        "update jobs set run_at = clock_timestamp() where id = $1 and state = 'queued'",
        job.id.0
    )
    .execute(&mut *conn)
    .await?;
    let entry = Entry {
        before: Some(json!({"runAt": job.run_at})),
        ..about(job, "run_now")
    };
    audit::write(conn, &by(actor, job), entry).await?;
    announce(conn, job.queue).await
}

/// A person's reason: trimmed, none when blank, at most 2,000 characters.
pub(crate) fn checked_reason(reason: Option<&str>) -> Result<Option<String>> {
    let Some(reason) = reason.map(str::trim).filter(|reason| !reason.is_empty()) else {
        return Ok(None);
    };
    if reason.chars().count() > 2_000 || reason.contains('\0') {
        return Err(Error::invalid(
            "reason",
            "Põhjus on liiga pikk või sisaldab lubamatut märki.",
        ));
    }
    Ok(Some(reason.to_owned()))
}

/// Of these jobs, those whose message may have taken effect and must not be sent twice.
pub(crate) async fn unknown(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        r#"select distinct job_id as "id!" from outward_calls where job_id = any($1) and class = 'once' and state = 'unknown'"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids)
}

async fn lock(conn: &mut PgConnection, id: JobId) -> Result<State> {
    sqlx::query_scalar!(
        r#"select state as "state: State" from jobs where id = $1 for update"#,
        id.0
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::NotFound)
}

fn about(job: &Job, act: &'static str) -> Entry {
    Entry::new(job.bureau.id, act, "Job", job.id.0)
}

fn by(actor: &Actor, job: &Job) -> By {
    By {
        job_id: Some(job.id),
        ..By::from(actor)
    }
}

/// The one job, as whoever acts on it sees it.
pub async fn find_to_act(conn: &mut PgConnection, actor: &Actor, id: JobId) -> Result<Job> {
    let job = find(conn, id).await?;
    if actor.role == Role::Kt && job.bureau.id != actor.tenant_id {
        return Err(Error::NotFound);
    }
    Ok(job)
}
