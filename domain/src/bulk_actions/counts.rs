//! How many tasks of an action are in which state: always counted from the rows, shared within a process for a moment.
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::PgConnection;

use super::Status;
use super::history::Action;
use crate::Result;
use crate::db::Scope;
use crate::ids::BulkActionId;
use crate::jobs::State;

/// Tasks by state; the seven sum up to `total`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub queued: i64,
    pub dispatched: i64,
    pub running: i64,
    pub ok: i64,
    pub warning: i64,
    pub failed: i64,
    pub cancelled: i64,
}

impl Counts {
    pub fn total(&self) -> i64 {
        self.live() + self.ok + self.warning + self.failed + self.cancelled
    }

    /// Not ended yet.
    pub fn live(&self) -> i64 {
        self.queued + self.dispatched + self.running
    }

    /// Tasks in one state.
    pub fn of(&self, state: State) -> i64 {
        match state {
            State::Queued => self.queued,
            State::Dispatched => self.dispatched,
            State::Running => self.running,
            State::Ok => self.ok,
            State::Warning => self.warning,
            State::Failed => self.failed,
            State::Cancelled => self.cancelled,
        }
    }

    fn add(&mut self, state: State, tasks: i64) {
        *match state {
            State::Queued => &mut self.queued,
            State::Dispatched => &mut self.dispatched,
            State::Running => &mut self.running,
            State::Ok => &mut self.ok,
            State::Warning => &mut self.warning,
            State::Failed => &mut self.failed,
            State::Cancelled => &mut self.cancelled,
        } += tasks;
    }
}

/// Counts the visible tasks of each of these actions; one without any has zeros.
pub async fn count(
    conn: &mut PgConnection,
    actions: &[BulkActionId],
) -> Result<HashMap<BulkActionId, Counts>> {
    let ids: Vec<i64> = actions.iter().map(|id| id.0).collect();
    let rows = sqlx::query!(
        r#"select action_id as "action!", state as "state!: State", tasks as "tasks!" from bulk_action_counts($1)"#,
        &ids,
    )
    .fetch_all(conn)
    .await?;
    let mut counts: HashMap<_, _> = actions.iter().map(|id| (*id, Counts::default())).collect();
    for row in rows {
        counts
            .entry(BulkActionId(row.action))
            .or_default()
            .add(row.state, row.tasks);
    }
    Ok(counts)
}

/// As [`count`], of actions that have just ended: by their index alone, however many and big they are.
pub(super) async fn ends(conn: &mut PgConnection, actions: &[i64]) -> Result<HashMap<i64, Counts>> {
    let rows = sqlx::query!(
        r#"select action_id as "action!", state as "state!: State", tasks as "tasks!" from bulk_action_ends($1)"#,
        actions,
    )
    .fetch_all(conn)
    .await?;
    let mut counts: HashMap<_, Counts> = HashMap::new();
    for row in rows {
        counts
            .entry(row.action)
            .or_default()
            .add(row.state, row.tasks);
    }
    Ok(counts)
}

/// Whose eyes: a bureau counts its own tasks of the chamber's action only.
type Key = (BulkActionId, Option<i64>);

#[derive(Debug, Clone, Copy)]
struct Known {
    version: i32,
    counts: Counts,
    /// When it was asked: an answer that was slower than a later one is not remembered over it.
    asked: Instant,
    until: Instant,
}

/// A process's memory of counts: 500 ms or 25 times what they cost, whichever is longer; a closed action's until it changes.
#[derive(Debug, Default)]
pub struct Counter(Mutex<HashMap<Key, Known>>);

const LEAST: Duration = Duration::from_millis(500);
const CLOSED: Duration = Duration::from_secs(60);
const MOST_KNOWN: usize = 10_000;

impl Counter {
    /// The counts of these actions as `scope` sees them.
    pub async fn counts(
        &self,
        conn: &mut PgConnection,
        scope: Scope,
        actions: &[&Action],
    ) -> Result<HashMap<BulkActionId, Counts>> {
        let eyes = match scope {
            Scope::Bureau(tenant) => Some(tenant.0),
            _ => None,
        };
        let started = Instant::now();
        let mut counts = HashMap::new();
        {
            let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            for action in actions {
                if let Some(found) = known.get(&(action.id, eyes))
                    && found.version == action.version
                    && found.until > started
                {
                    counts.insert(action.id, found.counts);
                }
            }
        }
        let missing: Vec<_> = actions
            .iter()
            .filter(|action| !counts.contains_key(&action.id))
            .collect();
        if missing.is_empty() {
            return Ok(counts);
        }
        let ids: Vec<_> = missing.iter().map(|action| action.id).collect();
        let fresh = count(conn, &ids).await?;
        let kept = LEAST.max(started.elapsed() * 25);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > MOST_KNOWN {
            known.retain(|_, found| found.until > started);
        }
        for action in missing {
            let found = fresh.get(&action.id).copied().unwrap_or_default();
            // Every act on a closed action raises its version.
            let settled = action.status != Status::InProgress && found.live() == 0;
            let until = started + if settled { CLOSED } else { kept };
            counts.insert(action.id, found);
            let key = (action.id, eyes);
            if known.get(&key).is_none_or(|later| later.asked <= started) {
                let version = action.version;
                known.insert(
                    key,
                    Known {
                        version,
                        counts: found,
                        asked: started,
                        until,
                    },
                );
            }
        }
        Ok(counts)
    }
}
