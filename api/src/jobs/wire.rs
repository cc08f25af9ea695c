//! Jobs as they go over the wire.
use chrono::{DateTime, Utc};
use domain::jobs::payload::{self, Field};
use domain::jobs::whole::{Attempt, Call, Event};
use domain::jobs::{Job, Queue, State, job_rights};
use domain::queues::Count;
use domain::{Actor, Role};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::collection::{AllowedAction, Resource};
use crate::stalls::StallAnswer;
use crate::who::{BureauNameAnswer, PersonAnswer, allowed};

/// A number, and how it is to be taken: exact, about (figures up to two minutes old), at_least (counting stopped there).
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct CountAnswer {
    value: i64,
    kind: &'static str,
}

impl CountAnswer {
    pub fn value(&self) -> i64 {
        self.value
    }
}

impl From<Count> for CountAnswer {
    fn from(count: Count) -> Self {
        let kind = match count {
            Count::Exact(_) => "exact",
            Count::About(_) => "about",
            Count::AtLeast(_) => "at_least",
        };
        Self {
            value: count.value(),
            kind,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct JobActionAnswer {
    id: i64,
    r#type: i16,
}

/// A job as lists show it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobAnswer {
    id: i64,
    #[schema(value_type = String)]
    queue: Queue,
    kind: String,
    state: &'static str,
    /// 1 in progress, 2 ok, 3 failed, 4 cancelled, 5 warning.
    status: i16,
    /// Waits for another try.
    retrying: bool,
    bureau: BureauNameAnswer,
    case_id: Option<String>,
    case_number: Option<String>,
    debtor_name: Option<String>,
    bulk_action: Option<JobActionAnswer>,
    created_at: DateTime<Utc>,
    run_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    finished_at: Option<DateTime<Utc>>,
    runs: i32,
    failures: i16,
    output: Option<String>,
    error_code: Option<String>,
    error_group: Option<String>,
    created_by: Option<PersonAnswer>,
    allowed_actions: Vec<AllowedAction>,
}

impl Resource for JobAnswer {
    const TYPE: &'static str = "Job";
    const PATH: &'static str = "/v2/jobs";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl JobAnswer {
    pub fn new(actor: &Actor, job: &Job) -> Self {
        let failed = job.state == State::Failed;
        Self {
            id: job.id.0,
            queue: job.queue,
            kind: job.kind.clone(),
            state: job.state.as_str(),
            status: job.state.wire(),
            retrying: job.is_retrying(),
            bureau: BureauNameAnswer::from(&job.bureau),
            case_id: job.case_id.map(|id| format!("/v2/enforcement_cases/{id}")),
            case_number: job.case_number.map(|number| number.to_string()),
            debtor_name: job.debtor_name.clone(),
            bulk_action: job.action.as_ref().map(|action| JobActionAnswer {
                id: action.id.0,
                r#type: action.kind,
            }),
            created_at: job.created_at,
            run_at: job.run_at,
            started_at: job.started_at,
            finished_at: job.finished_at,
            runs: job.runs,
            failures: job.failures,
            output: job.output.clone(),
            error_code: job.error_code.clone(),
            error_group: job.error_key.clone().filter(|_| failed),
            created_by: job.created_by.as_ref().map(PersonAnswer::new),
            allowed_actions: allowed(job_rights(actor, job)),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptAnswer {
    run: i32,
    /// ok, warning, failed, retry, released, cancelled or crashed.
    outcome: String,
    started_at: DateTime<Utc>,
    finished_at: DateTime<Utc>,
    worker: Option<String>,
    error_code: Option<String>,
    error: Option<String>,
}

impl From<Attempt> for AttemptAnswer {
    fn from(attempt: Attempt) -> Self {
        let Attempt {
            run,
            outcome,
            started_at,
            finished_at,
            worker,
            error_code,
            error,
        } = attempt;
        Self {
            run,
            outcome,
            started_at,
            finished_at,
            worker,
            error_code,
            error,
        }
    }
}

/// A message that went outward; texts are masked excerpts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallAnswer {
    id: i64,
    operation: String,
    /// read, state or once.
    class: String,
    /// intent, done, refused, not_sent or unknown.
    state: String,
    message_id: String,
    external_id: Option<String>,
    sent_count: i32,
    request: Option<String>,
    response: Option<String>,
    error_code: Option<String>,
    created_at: DateTime<Utc>,
    settled_at: Option<DateTime<Utc>>,
}

impl From<Call> for CallAnswer {
    fn from(call: Call) -> Self {
        Self {
            id: call.id,
            operation: call.operation,
            class: call.class,
            state: call.state,
            message_id: call.message_id.to_string(),
            external_id: call.external_id,
            sent_count: call.sent_count,
            request: call.request,
            response: call.response,
            error_code: call.error_code,
            created_at: call.created_at,
            settled_at: call.settled_at,
        }
    }
}

/// What a person did to the job.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventAnswer {
    at: DateTime<Utc>,
    action: String,
    who: Option<String>,
    #[schema(value_type = Option<String>)]
    role: Option<Role>,
    reason: Option<String>,
    after: Option<Value>,
}

impl From<Event> for EventAnswer {
    fn from(event: Event) -> Self {
        let Event {
            at,
            action,
            who,
            role,
            reason,
            mut after,
        } = event;
        // An edited payload stands here too; the whole of it is shown by a call of its own.
        if let Some(after) = &mut after {
            payload::mask(after);
        }
        Self {
            at,
            action,
            who,
            role,
            reason,
            after,
        }
    }
}

/// A field of the payload that an operator may edit.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldAnswer {
    name: &'static str,
    r#type: &'static str,
    required: bool,
}

impl From<&Field> for FieldAnswer {
    fn from(field: &Field) -> Self {
        let domain::jobs::payload::FieldType::Integer = field.of;
        Self {
            name: field.name,
            r#type: "integer",
            required: field.required,
        }
    }
}

/// A job with all that is known of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WholeJobAnswer {
    #[serde(flatten)]
    pub job: JobAnswer,
    /// Newest first, at most 100.
    pub attempts: Vec<AttemptAnswer>,
    pub attempts_total: i64,
    /// Transient failures after which it ends as failed; null: it gives up by age.
    pub failure_limit: Option<i16>,
    pub crashes: i16,
    pub stall: Option<StallAnswer>,
    /// Newest first.
    pub events: Vec<EventAnswer>,
    /// Personal data hidden.
    pub payload: Value,
    pub payload_masked: bool,
    pub payload_fields: Option<Vec<FieldAnswer>>,
    pub calls: Vec<CallAnswer>,
    /// Failed jobs with the same error.
    pub same_error: Option<CountAnswer>,
    pub worker: Option<String>,
    pub request_id: Option<String>,
    /// The trace of the request, of the job's run and of its calls: 32 hexadecimal digits.
    pub trace_id: Option<String>,
    /// Where that trace is looked at.
    pub trace_url: Option<String>,
    pub retried_by: Option<PersonAnswer>,
}

impl Resource for WholeJobAnswer {
    const TYPE: &'static str = "Job";
    const PATH: &'static str = "/v2/jobs";

    fn key(&self) -> String {
        self.job.key()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_changed_shows_no_personal_data() {
        let event = EventAnswer::from(Event {
            at: DateTime::UNIX_EPOCH,
            action: "edit".into(),
            who: None,
            role: None,
            reason: None,
            after: Some(
                serde_json::json!({"args": {"debtorCode": "isik 39001010005", "importId": 7}}),
            ),
        });
        let told = serde_json::to_string(&event).unwrap_or_default();
        assert!(told.contains("\"importId\":7"), "{told}");
        assert!(!told.contains("39001010005"), "{told}");
    }
}
