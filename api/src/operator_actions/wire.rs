//! Operator actions as they go over the wire.
use chrono::{DateTime, Utc};
use domain::Actor;
use domain::jobs::whole::Stall;
use domain::jobs::{JobFilter, Queue};
use domain::operator_actions::{Item, ItemState, Kind, OperatorAction, Preview, rights};
use serde::Serialize;
use utoipa::ToSchema;

use crate::bulk_actions::SkippedAnswer;
use crate::collection::{self, AllowedAction, Resource};
use crate::jobs::wire::{CountAnswer, JobAnswer};
use crate::movement::MovementAnswer;
use crate::stalls::StallAnswer;
use crate::who::{BureauNameAnswer, PersonAnswer, allowed};

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorPreviewAnswer {
    count: CountAnswer,
    sample: Vec<collection::Item<JobAnswer>>,
    skipped: Vec<SkippedAnswer>,
    /// The sum of them.
    skipped_count: CountAnswer,
    /// The person types the number before it goes.
    typed: bool,
}

impl OperatorPreviewAnswer {
    pub fn new(actor: &Actor, found: Preview) -> Self {
        let skipped = found.skipped.into_iter().map(SkippedAnswer::from);
        Self {
            count: found.count.into(),
            sample: found
                .sample
                .iter()
                .map(|job| collection::Item::new(JobAnswer::new(actor, job)))
                .collect(),
            skipped: skipped.collect(),
            skipped_count: found.skipped_count.into(),
            typed: found.typed,
        }
    }
}

/// Items by state; they sum up to the total.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemCountsAnswer {
    waiting: i64,
    sent: i64,
    done: i64,
    failed: i64,
    skipped: i64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorActionAnswer {
    id: i64,
    #[schema(value_type = String)]
    kind: Kind,
    /// 1 in progress, 2 all done, 3 some failed, 4 stopped, 5 some skipped.
    status: i16,
    #[schema(value_type = Object)]
    filter: JobFilter,
    reason: Option<String>,
    bureau: BureauNameAnswer,
    total: i64,
    counts: ItemCountsAnswer,
    skipped: Vec<SkippedAnswer>,
    per_second: Option<i32>,
    created_by: PersonAnswer,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
    paused_at: Option<DateTime<Utc>>,
    paused_by: Option<PersonAnswer>,
    stopped_at: Option<DateTime<Utc>>,
    stopped_by: Option<PersonAnswer>,
    /// The action whose failed jobs it took up.
    parent: Option<i64>,
    children: Vec<i64>,
    /// Why what it sent does not move; on the single resource only.
    stall: Option<StallAnswer>,
    /// Its pace and expected end while it is under way; on the single resource only.
    movement: Option<MovementAnswer>,
    allowed_actions: Vec<AllowedAction>,
    version: i32,
}

impl Resource for OperatorActionAnswer {
    const TYPE: &'static str = "OperatorAction";
    const PATH: &'static str = "/v2/operator_actions";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl OperatorActionAnswer {
    pub fn moving(mut self, stall: Option<Stall>, movement: Option<MovementAnswer>) -> Self {
        self.stall = stall.map(StallAnswer::from);
        self.movement = movement;
        self
    }

    pub fn new(actor: &Actor, action: &OperatorAction) -> Self {
        let skipped = action
            .skipped
            .iter()
            .map(|(reason, text, count)| SkippedAnswer {
                reason: reason.clone(),
                text: text.clone(),
                count: *count,
            });
        Self {
            id: action.id.0,
            kind: action.kind,
            status: action.status.number(),
            filter: action.filter.clone(),
            reason: action.reason.clone(),
            bureau: BureauNameAnswer::from(&action.bureau),
            total: action.total,
            counts: ItemCountsAnswer {
                waiting: action.count(ItemState::Waiting),
                sent: action.count(ItemState::Sent),
                done: action.count(ItemState::Done),
                failed: action.count(ItemState::Failed),
                skipped: action.count(ItemState::Skipped),
            },
            skipped: skipped.collect(),
            per_second: action.per_second,
            created_by: PersonAnswer {
                role: Some(action.created_by_role),
                tenant_code: Some(action.bureau.code.clone()),
                ..PersonAnswer::new(&action.created_by)
            },
            created_at: action.created_at,
            started_at: action.started_at,
            finished_at: action.finished_at,
            paused_at: action.paused_at,
            paused_by: action.paused_by.as_ref().map(PersonAnswer::new),
            stopped_at: action.stopped_at,
            stopped_by: action.stopped_by.as_ref().map(PersonAnswer::new),
            parent: action.parent.map(|id| id.0),
            children: action.children.clone(),
            stall: None,
            movement: None,
            allowed_actions: allowed(rights(actor, action)),
            version: action.version,
        }
    }
}

/// One job of an action.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemAnswer {
    job_id: i64,
    /// waiting, sent, done, failed or skipped.
    #[schema(value_type = String)]
    state: ItemState,
    reason: Option<String>,
    text: Option<String>,
    #[schema(value_type = Option<String>)]
    queue: Option<Queue>,
    kind: Option<String>,
    bureau_code: String,
    case_number: Option<String>,
    settled_at: Option<DateTime<Utc>>,
}

impl Resource for ItemAnswer {
    const TYPE: &'static str = "OperatorActionItem";
    const PATH: &'static str = "/v2/operator_action_items";

    fn key(&self) -> String {
        self.job_id.to_string()
    }
}

impl ItemAnswer {
    pub fn new(item: &Item) -> Self {
        Self {
            job_id: item.job_id.0,
            state: item.state,
            reason: item.reason.clone(),
            text: item.text(),
            queue: item.queue,
            kind: item.kind.clone(),
            bureau_code: item.bureau_code.clone(),
            case_number: item.case_number.map(|number| number.to_string()),
            settled_at: item.settled_at,
        }
    }
}
