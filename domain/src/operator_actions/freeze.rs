//! Orders an operator action: previews it, and freezes its set by one statement.
use std::collections::BTreeMap;

use serde_json::json;
use sqlx::PgConnection;

use super::Kind;
use super::step::left_alone;
use super::view::{OperatorAction, check_owner, find};
use super::{ItemState, reason, reason_text};
use crate::actor::{Actor, Role};
use crate::audit::{self, By, Entry};
use crate::bulk_actions::Skipped;
use crate::ids::OperatorActionId;
use crate::jobs::acts::checked_reason;
use crate::jobs::find::{self as jobs, Job, StateCounts};
use crate::jobs::{JobFilter, State};
use crate::queues::Count;
use crate::{Error, Result};

/// The most jobs of one action.
pub const MOST: i64 = 200_000;
/// From here on the number is typed before it is confirmed.
const TYPED: i64 = 1_000;
const SAMPLE: i64 = 10;
/// So many are judged one by one; what their state tells is counted of all.
const JUDGED: usize = 10_000;

/// What an order would do, before it does it.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// Counted as far as an action may go.
    pub count: Count,
    pub sample: Vec<Job>,
    pub skipped: Vec<Skipped>,
    /// The sum of them; at least so many where there are more jobs than are judged one by one.
    pub skipped_count: Count,
    /// The person types the number: it is large.
    pub typed: bool,
}

/// What is ordered.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    pub kind: Kind,
    pub filter: &'a JobFilter,
    pub reason: Option<&'a str>,
    pub expected_count: Option<i64>,
    pub per_second: Option<i32>,
}

pub async fn preview(
    conn: &mut PgConnection,
    actor: &Actor,
    kind: Kind,
    filter: &JobFilter,
) -> Result<Preview> {
    let counts = narrowed(
        &jobs::counts_up_to(conn, actor, filter, MOST + 1).await?,
        filter,
    );
    let count: i64 = counts.iter().map(|(_, count)| count).sum();
    let sample = jobs::page(conn, actor, filter, None, SAMPLE).await?;
    let passed: &[(State, &'static str)] = match kind {
        Kind::Retry => &[
            (State::Queued, reason::LIVE),
            (State::Dispatched, reason::LIVE),
            (State::Running, reason::LIVE),
            (State::Ok, reason::OK),
        ],
        Kind::Cancel => &[
            (State::Ok, reason::ENDED),
            (State::Cancelled, reason::ENDED),
        ],
    };
    let mut skipped = BTreeMap::<&'static str, i64>::new();
    let mut open = JobFilter {
        state: Vec::new(),
        ..filter.clone()
    };
    for (state, jobs) in counts.iter().filter(|(_, jobs)| *jobs > 0) {
        match passed.iter().find(|(passed, _)| passed == state) {
            Some((_, word)) => *skipped.entry(*word).or_default() += jobs,
            None => open.state.push(*state),
        }
    }
    let mut judged = Vec::new();
    if !open.state.is_empty() {
        let most = i64::try_from(JUDGED).unwrap_or(i64::MAX);
        judged = jobs::ids(conn, actor, &open, None, most).await?;
        let bailiff = (actor.role == Role::Kt).then_some(actor.tenant_id.0);
        for (word, jobs) in left_alone(conn, kind, bailiff, &judged).await? {
            *skipped.entry(word).or_default() += jobs;
        }
    }
    let sum = skipped.values().sum();
    Ok(Preview {
        count: if count > MOST {
            Count::AtLeast(MOST)
        } else {
            Count::Exact(count)
        },
        sample,
        skipped: skipped
            .into_iter()
            .map(|(word, count)| Skipped {
                reason: word,
                text: reason_text(word),
                count,
            })
            .collect(),
        skipped_count: if judged.len() < JUDGED {
            Count::Exact(sum)
        } else {
            Count::AtLeast(sum)
        },
        typed: count > TYPED,
    })
}

fn narrowed(counts: &StateCounts, filter: &JobFilter) -> StateCounts {
    counts
        .iter()
        .filter(|(state, _)| filter.state.is_empty() || filter.state.contains(state))
        .copied()
        .collect()
}

/// Freezes every job that matches now; later matches do not join. Under the actor's own scope.
pub async fn order(
    conn: &mut PgConnection,
    actor: &Actor,
    order: &Order<'_>,
) -> Result<OperatorAction> {
    let reason = checked_reason(order.reason)?;
    super::act::check_pace(order.per_second)?;
    if order.expected_count.is_some_and(|count| count < 0) {
        return Err(Error::invalid(
            "expectedCount",
            "Arv ei tohi olla negatiivne.",
        ));
    }
    let nothing = || Error::invalid("filter", "Filtrile ei vasta ükski töö.");
    let want = order.filter.want(conn, actor).await?.ok_or_else(nothing)?;
    let id = create(conn, actor, order, reason.as_deref(), None).await?;
    sqlx::query("set local statement_timeout = '15s'")
        .execute(&mut *conn)
        .await?;
    let total = sqlx::query!(
        "insert into operator_action_items (action_id, job_id, tenant_id)
         select $1, j.id, j.tenant_id from jobs j where j.id in (select job_ids($2, null, $3)) order by j.id",
        id.0,
        want,
        MOST + 1,
    )
    .execute(&mut *conn)
    .await
    .map_err(jobs::too_broad)?
    .rows_affected();
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    match total {
        0 => return Err(nothing()),
        _ if total > MOST => {
            return Err(Error::invalid(
                "filter",
                "Korraga saab valida kuni 200 000 tööd. Lisa filter.",
            ));
        }
        _ => {}
    }
    if let Some(expected) = order.expected_count
        && crate::bulk_actions::moved(expected, total)
    {
        return Err(Error::refused(
            "count_moved",
            format!(
                "Tööde arv on vahepeal muutunud: oodati {expected}, praegu on {total}. Vaata eelvaade uuesti üle."
            ),
        ));
    }
    finish_order(conn, actor, order, id, total, reason).await
}

/// A new action of the same kind over what failed in an ended one and is still failed.
pub async fn child(
    conn: &mut PgConnection,
    actor: &Actor,
    id: OperatorActionId,
) -> Result<OperatorAction> {
    let parent = find(conn, id).await?;
    check_owner(actor, &parent)?;
    if parent.finished_at.is_none() {
        return Err(Error::refused("in_progress", "Tegevus on töös."));
    }
    let order = Order {
        kind: parent.kind,
        filter: &parent.filter,
        reason: parent.reason.as_deref(),
        expected_count: None,
        per_second: parent.per_second,
    };
    let new = create(conn, actor, &order, parent.reason.as_deref(), Some(id)).await?;
    let total = sqlx::query!(
        "insert into operator_action_items (action_id, job_id, tenant_id)
         select $1, i.job_id, i.tenant_id from operator_action_items i
         where i.action_id = $2 and i.state = 'failed'
           and (select state from jobs j where j.id = i.job_id) = 'failed' order by i.job_id",
        new.0,
        id.0,
    )
    .execute(&mut *conn)
    .await?
    .rows_affected();
    if total == 0 {
        return Err(Error::refused(
            "nothing_failed",
            if parent.count(ItemState::Failed) == 0 {
                "Ebaõnnestunud töid ei ole."
            } else {
                "Ebaõnnestunud tööd on vahepeal korda saanud."
            },
        ));
    }
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    finish_order(conn, actor, &order, new, total, parent.reason.clone()).await
}

async fn create(
    conn: &mut PgConnection,
    actor: &Actor,
    order: &Order<'_>,
    reason: Option<&str>,
    parent: Option<OperatorActionId>,
) -> Result<OperatorActionId> {
    let filter = serde_json::to_value(order.filter).unwrap_or_else(|_| json!({}));
    let id = sqlx::query_scalar!(
        "insert into operator_actions (tenant_id, kind, filter, reason, total, per_second, parent_id, created_by, created_by_role, request_id)
         values ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9) returning id",
        actor.tenant_id.0,
        order.kind.as_str(),
        filter,
        reason,
        order.per_second,
        parent.map(|id| id.0),
        actor.user_id.0,
        actor.role as Role,
        actor.request_id,
    )
    .fetch_one(conn)
    .await?;
    Ok(OperatorActionId(id))
}

async fn finish_order(
    conn: &mut PgConnection,
    actor: &Actor,
    order: &Order<'_>,
    id: OperatorActionId,
    total: i64,
    reason: Option<String>,
) -> Result<OperatorAction> {
    sqlx::query!(
        "update operator_actions set total = $2 where id = $1",
        id.0,
        i32::try_from(total).unwrap_or(i32::MAX)
    )
    .execute(&mut *conn)
    .await?;
    let made = find(conn, id).await?;
    let entry = Entry {
        after: Some(json!({
            "kind": order.kind, "filter": order.filter, "jobs": total, "perSecond": order.per_second, "parent": made.parent,
        })),
        reason,
        ..Entry::new(actor.tenant_id, "order", "OperatorAction", id.0)
    };
    audit::write(conn, &By::from(actor), entry).await?;
    Ok(made)
}
