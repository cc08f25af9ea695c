//! Who may do what with a job in the state it is in: the same answer for the button and the call.
use super::State;
use super::find::Job;
use super::kind::Kind;
use crate::actor::{Actor, Allowed, Role};
use crate::bulk_actions::{CANCELLED, OTHERS};
use crate::{Error, Result};

const LIVE: &str = "Töö on juba järjekorras või töös.";
const OK: &str = "Töö on juba õnnestunud.";
const ENDED: &str = "Töö on lõppenud.";
const ARCHIVED: &str = "Töö on arhiivis.";
const RUNNING: &str = "Töö juba käib; seda liiki tööd saab katkestada ainult enne algust.";
const ASKED: &str = "Töö katkestatakse enne järgmist sammu.";
const DUE: &str = "Töö on juba järjekorras ega oota aega.";
const DEV: &str = "Sisendit saab muuta ainult arendaja.";
const NO_PAYLOAD: &str = "Sellel tööl ei ole sisendit, mida muuta.";

/// Kinds that look between their steps whether they are cancelled.
pub(crate) fn stops_between_steps(kind: &str) -> bool {
    matches!(Kind::parse(kind), Some(Kind::SyncToRegister))
}

/// The buttons of a job.
pub fn job_rights(actor: &Actor, job: &Job) -> Vec<Allowed> {
    let of = |name, reason: Option<&'static str>| Allowed { name, reason };
    vec![
        of("retry", retry_reason(actor, job)),
        of("cancel", cancel_reason(actor, job)),
        of("runNow", run_now_reason(actor, job)),
        of("edit", edit_reason(actor, job)),
        of("unmask", None),
    ]
}

/// Why nobody of this actor's kind may touch it, whatever its state.
fn closed_to(actor: &Actor, job: &Job) -> Option<&'static str> {
    let others = job
        .action
        .as_ref()
        .is_some_and(|action| actor.role == Role::Kt && action.tenant_id != actor.tenant_id);
    match () {
        () if job.archived => Some(ARCHIVED),
        () if others => Some(OTHERS),
        () => None,
    }
}

fn retry_reason(actor: &Actor, job: &Job) -> Option<&'static str> {
    let cancelled = job.action.as_ref().is_some_and(|action| action.cancelled);
    closed_to(actor, job).or(match job.state {
        State::Queued | State::Dispatched | State::Running => Some(LIVE),
        _ if cancelled => Some(CANCELLED),
        State::Ok => Some(OK),
        State::Warning | State::Failed | State::Cancelled => None,
    })
}

fn cancel_reason(actor: &Actor, job: &Job) -> Option<&'static str> {
    closed_to(actor, job).or(match job.state {
        State::Queued | State::Dispatched | State::Failed | State::Warning => None,
        State::Running if job.cancel_at.is_some() => Some(ASKED),
        State::Running if stops_between_steps(&job.kind) => None,
        State::Running => Some(RUNNING),
        State::Ok | State::Cancelled => Some(ENDED),
    })
}

fn run_now_reason(actor: &Actor, job: &Job) -> Option<&'static str> {
    closed_to(actor, job).or(match job.state {
        State::Queued if job.waits => None,
        State::Queued | State::Dispatched | State::Running => Some(DUE),
        _ => Some(ENDED),
    })
}

fn edit_reason(actor: &Actor, job: &Job) -> Option<&'static str> {
    let editable = Kind::parse(&job.kind).is_some_and(|kind| !kind.fields().is_empty());
    match () {
        () if actor.role != Role::Dev => Some(DEV),
        () if !editable => Some(NO_PAYLOAD),
        () => retry_reason(actor, job),
    }
}

fn refuse(code: &'static str, reason: Option<&'static str>) -> Result<()> {
    match reason {
        None => Ok(()),
        Some(OTHERS | DEV) => Err(Error::Forbidden),
        Some(reason) => Err(Error::refused(code, reason)),
    }
}

pub(super) fn check_retry(actor: &Actor, job: &Job) -> Result<()> {
    refuse("not_retriable", retry_reason(actor, job))
}

pub(super) fn check_edit(actor: &Actor, job: &Job) -> Result<()> {
    refuse("not_editable", edit_reason(actor, job))
}

pub(super) fn check_cancel(actor: &Actor, job: &Job) -> Result<()> {
    refuse("not_cancellable", cancel_reason(actor, job))
}

pub(super) fn check_run_now(actor: &Actor, job: &Job) -> Result<()> {
    refuse("not_waiting", run_now_reason(actor, job))
}
