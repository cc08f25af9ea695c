//! Bulk actions and tasks as they go over the wire. Source: spec 2 § 3.6, § 3.7.
use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use domain::Actor;
use domain::bulk_actions::{
    Action, Counts, Preview, Retried, Skipped, Task, action_rights, task_rights,
};
use domain::ids::BulkActionId;
use domain::jobs::State;
use domain::jobs::whole::Stall;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::collection::{AllowedAction, Item, Resource};
use crate::error::Result;
use crate::movement::MovementAnswer;
use crate::stalls::StallAnswer;
use crate::who::{PersonAnswer, allowed};

/// Tasks by state; `queued` includes those on their way to a worker.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountsAnswer {
    total: i64,
    queued: i64,
    running: i64,
    ok: i64,
    failed: i64,
    cancelled: i64,
    warning: i64,
}

impl From<&Counts> for CountsAnswer {
    fn from(counts: &Counts) -> Self {
        Self {
            total: counts.total(),
            queued: counts.queued + counts.dispatched,
            running: counts.running,
            ok: counts.ok,
            failed: counts.failed,
            cancelled: counts.cancelled,
            warning: counts.warning,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaceAnswer {
    per_second: Option<i32>,
    parallel: Option<i32>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionAnswer {
    id: i64,
    r#type: i16,
    /// 1 in progress, 2 ok, 3 failed, 4 cancelled, 5 warning.
    status: i16,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
    cases_frozen_at: Option<DateTime<Utc>>,
    paused_at: Option<DateTime<Utc>>,
    created_by: PersonAnswer,
    updated_by: Option<PersonAnswer>,
    retried_by: Option<PersonAnswer>,
    paused_by: Option<PersonAnswer>,
    output: Option<String>,
    args: Value,
    /// As frozen.
    filters: Option<Value>,
    include_cases_with_problems: bool,
    counts: CountsAnswer,
    pace: PaceAnswer,
    /// The action whose unfinished tasks it took up.
    parent: Option<i64>,
    children: Vec<i64>,
    /// Why nothing moves, on the page of one action.
    stall: Option<StallAnswer>,
    /// Its pace and expected end, on the page of one action under way.
    movement: Option<MovementAnswer>,
    allowed_actions: Vec<AllowedAction>,
    version: i32,
}

impl Resource for ActionAnswer {
    const TYPE: &'static str = "BulkAction";
    const PATH: &'static str = "/v2/bulk_actions";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl ActionAnswer {
    pub fn moving(mut self, stall: Option<Stall>, movement: Option<MovementAnswer>) -> Self {
        self.stall = stall.map(StallAnswer::from);
        self.movement = movement;
        self
    }

    pub fn new(actor: &Actor, action: &Action, counts: &HashMap<BulkActionId, Counts>) -> Self {
        let counts = counts.get(&action.id).copied().unwrap_or_default();
        Self {
            id: action.id.0,
            r#type: action.kind.number(),
            status: action.status.number(),
            created_at: action.created_at,
            started_at: action.started_at,
            finished_at: action.finished_at,
            cancelled_at: action.cancelled_at,
            cases_frozen_at: action.cases_frozen_at,
            paused_at: action.paused_at,
            created_by: PersonAnswer {
                role: Some(action.created_by_role),
                tenant_code: Some(action.tenant_code.clone()),
                ..PersonAnswer::new(&action.created_by)
            },
            updated_by: action.updated_by.as_ref().map(PersonAnswer::new),
            retried_by: action.retried_by.as_ref().map(PersonAnswer::new),
            paused_by: action.paused_by.as_ref().map(PersonAnswer::new),
            output: action.output.clone(),
            args: action.args.clone(),
            filters: action.filters.clone(),
            include_cases_with_problems: action.include_cases_with_problems,
            counts: CountsAnswer::from(&counts),
            pace: PaceAnswer {
                per_second: action.per_second,
                parallel: action.parallel,
            },
            parent: action.parent.map(|id| id.0),
            children: action.children.clone(),
            stall: None,
            movement: None,
            allowed_actions: allowed(action_rights(actor, action, &counts)),
            version: action.version,
        }
    }
}

/// A day of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayAnswer {
    pub date: NaiveDate,
    pub total_items: i64,
    pub member: Vec<Item<ActionAnswer>>,
}

impl Resource for DayAnswer {
    const TYPE: &'static str = "BulkActionDay";
    const PATH: &'static str = "/v2/bulk_actions_by_date";

    fn key(&self) -> String {
        self.date.to_string()
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FrozenAnswer {
    pub id: i64,
    /// How many tasks there are.
    pub total_items: i64,
}

/// How many are left alone for one reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct SkippedAnswer {
    /// A stable word.
    pub reason: String,
    pub text: String,
    pub count: i64,
}

impl From<Skipped> for SkippedAnswer {
    fn from(skipped: Skipped) -> Self {
        Self {
            reason: skipped.reason.to_owned(),
            text: skipped.text,
            count: skipped.count,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewAnswer {
    count: i64,
    /// Ten rows as the case list shows them.
    sample: Vec<Value>,
    skipped: Vec<SkippedAnswer>,
    /// Cases of other bureaus that match and are not taken.
    left_out: i64,
}

impl PreviewAnswer {
    pub fn new(preview: Preview) -> Result<Self> {
        let sample: domain::Result<Vec<Value>> =
            preview.sample.iter().map(super::sample::json_of).collect();
        Ok(Self {
            count: preview.count,
            sample: sample?,
            skipped: preview
                .skipped
                .into_iter()
                .map(SkippedAnswer::from)
                .collect(),
            left_out: preview.left_out,
        })
    }
}

/// An action after a retry, with what was left alone.
#[derive(Debug, Serialize, ToSchema)]
pub struct RetriedAnswer {
    #[serde(flatten)]
    action: Item<ActionAnswer>,
    /// Tasks that run again.
    retried: i64,
    skipped: Vec<SkippedAnswer>,
}

impl RetriedAnswer {
    pub fn new(action: Item<ActionAnswer>, retried: Retried) -> Self {
        let skipped = retried
            .skipped
            .into_iter()
            .map(SkippedAnswer::from)
            .collect();
        Self {
            action,
            retried: retried.tasks,
            skipped,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskAnswer {
    id: i64,
    bulk_action: String,
    status: i16,
    state: &'static str,
    r#type: i16,
    /// An IRI, `/v2/enforcement_cases/7`.
    case_id: Option<String>,
    case_number: Option<String>,
    debtor_name: Option<String>,
    created_by: Option<PersonAnswer>,
    retried_by: Option<PersonAnswer>,
    output: String,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
    /// When it is due, while it waits.
    run_at: Option<DateTime<Utc>>,
    runs: i32,
    allowed_actions: Vec<AllowedAction>,
}

impl Resource for TaskAnswer {
    const TYPE: &'static str = "BulkActionTask";
    const PATH: &'static str = "/v2/bulk_action_tasks";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl TaskAnswer {
    pub fn new(actor: &Actor, action: &Action, task: &Task) -> Self {
        let cancelled = task.state == State::Cancelled;
        Self {
            id: task.id.0,
            bulk_action: format!("/v2/bulk_actions/{}", task.action_id),
            status: task.state.wire(),
            state: task.state.as_str(),
            r#type: action.kind.number(),
            case_id: task.case_id.map(|id| format!("/v2/enforcement_cases/{id}")),
            case_number: task.case_number.map(|number| number.to_string()),
            debtor_name: task.debtor_name.clone(),
            created_by: task.created_by.as_ref().map(PersonAnswer::new),
            retried_by: task.retried_by.as_ref().map(PersonAnswer::new),
            output: task.output.clone(),
            created_at: task.created_at,
            started_at: task.started_at,
            finished_at: task.finished_at,
            cancelled_at: task.finished_at.filter(|_| cancelled),
            run_at: matches!(task.state, State::Queued | State::Dispatched).then_some(task.run_at),
            runs: task.runs,
            allowed_actions: allowed(task_rights(actor, action, task)),
        }
    }
}
