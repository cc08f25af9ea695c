//! Who may do what with an action and its tasks, in the state they are in: the same answer for the button and the call.
use super::Status;
use super::counts::Counts;
use super::history::Action;
use super::tasks::Task;
use crate::actor::{Actor, Allowed, Role};
use crate::db::Scope;
use crate::jobs::State;
use crate::{Error, Result};

/// Under which role of the database an actor's acts on actions and tasks run: an operator acts as the queue.
pub fn scope_to_act(actor: &Actor) -> Scope {
    match actor.role {
        Role::Dev => Scope::Queue,
        Role::Kt | Role::Koda => actor.scope(),
    }
}

pub(crate) const OTHERS: &str = "Koja masstegevust saab juhtida ainult koda.";
pub(crate) const CANCELLED: &str = "Masstegevus on katkestatud.";
const IN_PROGRESS: &str = "Masstegevus on töös.";
const NOT_IN_PROGRESS: &str = "Masstegevus ei ole töös.";
const NOTHING_TO_RETRY: &str = "Korratavaid alamtegevusi ei ole.";
const NOTHING_FAILED: &str = "Ebaõnnestunud alamtegevusi ei ole.";
const LAUNCH: &str = "Masstegevusi käivitab büroo või koda.";
const PAUSED: &str = "Masstegevus on juba peatatud.";
const NOT_PAUSED: &str = "Masstegevus ei ole peatatud.";
const TASK_LIVE: &str = "Alamtegevus on töös.";
const TASK_OK: &str = "Alamtegevus on juba õnnestunud.";
const TASK_NOT_TROUBLED: &str =
    "Tehtuks saab märkida ainult ebaõnnestunud või hoiatusega alamtegevuse.";

/// A bureau sees the chamber's action with its own tasks in it, and leaves steering to the chamber.
fn owns(actor: &Actor, action: &Action) -> bool {
    actor.role != Role::Kt || actor.tenant_id == action.tenant_id
}

/// The buttons of an action.
pub fn action_rights(actor: &Actor, action: &Action, counts: &Counts) -> Vec<Allowed> {
    let retriable = counts.failed + counts.warning > 0;
    let of = |name, reason: Option<&'static str>| Allowed {
        name,
        reason: if owns(actor, action) {
            reason
        } else {
            Some(OTHERS)
        },
    };
    vec![
        of(
            "retry",
            retry_reason(action).or((!retriable).then_some(NOTHING_TO_RETRY)),
        ),
        of("cancel", steer_reason(action)),
        of(
            "pause",
            steer_reason(action).or(action.paused_at.is_some().then_some(PAUSED)),
        ),
        of(
            "resume",
            steer_reason(action).or(action.paused_at.is_none().then_some(NOT_PAUSED)),
        ),
        of("pace", steer_reason(action)),
        Allowed {
            name: "child",
            reason: match () {
                () if !owns(actor, action) => Some(OTHERS),
                () if actor.role == Role::Dev => Some(LAUNCH),
                () => child_reason(action).or((counts.failed == 0).then_some(NOTHING_FAILED)),
            },
        },
    ]
}

/// The buttons of a task.
pub fn task_rights(actor: &Actor, action: &Action, task: &Task) -> Vec<Allowed> {
    let of = |name, reason: Option<&'static str>| Allowed {
        name,
        reason: if owns(actor, action) {
            reason
        } else {
            Some(OTHERS)
        },
    };
    vec![
        of("retry", task_retry_reason(action, task.state)),
        of("success", mark_reason(task.state)),
    ]
}

fn steer_reason(action: &Action) -> Option<&'static str> {
    match () {
        () if action.cancelled_at.is_some() => Some(CANCELLED),
        () if action.status != Status::InProgress => Some(NOT_IN_PROGRESS),
        () => None,
    }
}

fn retry_reason(action: &Action) -> Option<&'static str> {
    match () {
        () if action.cancelled_at.is_some() || action.status == Status::Cancelled => {
            Some(CANCELLED)
        }
        () if action.status == Status::InProgress => Some(IN_PROGRESS),
        () => None,
    }
}

fn child_reason(action: &Action) -> Option<&'static str> {
    (action.status == Status::InProgress).then_some(IN_PROGRESS)
}

fn task_retry_reason(action: &Action, state: State) -> Option<&'static str> {
    match state {
        _ if action.cancelled_at.is_some() => Some(CANCELLED),
        State::Queued | State::Dispatched | State::Running => Some(TASK_LIVE),
        State::Ok => Some(TASK_OK),
        State::Warning | State::Failed | State::Cancelled => None,
    }
}

fn mark_reason(state: State) -> Option<&'static str> {
    match state {
        State::Failed | State::Warning => None,
        State::Queued | State::Dispatched | State::Running => Some(TASK_LIVE),
        State::Ok | State::Cancelled => Some(TASK_NOT_TROUBLED),
    }
}

fn refuse(code: &'static str, reason: Option<&'static str>) -> Result<()> {
    reason.map_or(Ok(()), |reason| Err(Error::refused(code, reason)))
}

/// 403 for a bailiff on the chamber's action; called before anything is locked.
pub(super) fn check_owner(actor: &Actor, action: &Action) -> Result<()> {
    if owns(actor, action) {
        Ok(())
    } else {
        Err(Error::Forbidden)
    }
}

pub(super) fn check_steer(action: &Action) -> Result<()> {
    refuse("not_in_progress", steer_reason(action))
}

pub(super) fn check_pause(action: &Action) -> Result<()> {
    refuse("not_in_progress", steer_reason(action))?;
    refuse(
        "already_paused",
        action.paused_at.is_some().then_some(PAUSED),
    )
}

pub(super) fn check_resume(action: &Action) -> Result<()> {
    refuse("not_in_progress", steer_reason(action))?;
    refuse(
        "not_paused",
        action.paused_at.is_none().then_some(NOT_PAUSED),
    )
}

pub(super) fn check_child(action: &Action) -> Result<()> {
    refuse("in_progress", child_reason(action))
}

pub(super) fn check_retry(action: &Action) -> Result<()> {
    refuse("not_retriable", retry_reason(action))
}

pub(super) fn check_retry_task(action: &Action, state: State) -> Result<()> {
    refuse("not_retriable", task_retry_reason(action, state))
}

pub(super) fn check_mark(state: State) -> Result<()> {
    refuse("not_failed", mark_reason(state))
}
