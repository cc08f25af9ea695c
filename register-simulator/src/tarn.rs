//! The national enforcement register: takes changes, tells states; idempotent by message id.

use std::time::Duration;

use bytes::Bytes;
use chrono::NaiveDate;
use registers::xml::Writer;
use registers::{Operation, operation};
use uuid::Uuid;

use crate::answer::Said;
use crate::effects::{Acceptance, Order};
use crate::message::{self, Fault, Message};
use crate::proceedings::Proceeding;
use crate::requests::Entry;
use crate::script::{Act, Plan};
use crate::world::{Resend, State, World, now};

/// What came of a request before the wire gets it.
pub struct Served {
    pub message: Message,
    pub said: Result<Said, Fault>,
    pub act: Option<Act>,
}

/// Serves one request to the end, whether or not the caller still waits.
pub async fn serve(world: World, trace: Option<Uuid>, bytes: Bytes) -> Result<Served, Fault> {
    let message = match message::read(&bytes) {
        Ok(message) => Message { trace, ..message },
        Err(fault) => {
            let entry = Entry { trace, ..invalid() };
            world.lock().requests.push(entry);
            return Err(fault);
        }
    };
    let number = message
        .request
        .value("TaitemenetluseNr")
        .unwrap_or_default()
        .to_owned();
    let (plan, wait_ms) = {
        let mut state = world.lock();
        let state = &mut *state;
        let plan = state.script.decide(&message.operation, &number);
        let latency = state.settings.latency_ms.pick(&mut state.rng);
        let wait_ms = plan.delay_ms + latency;
        (plan, wait_ms)
    };
    if wait_ms > 0 {
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
    }
    let mut state = world.lock();
    let (outcome, said) = decide(&mut state, &message, &number, &plan);
    state.requests.push(Entry {
        at: now(),
        operation: message.operation.as_str().into(),
        message_id: Some(message.message_id),
        number: number.into(),
        issue: message.issue.as_str().into(),
        act: plan.act.as_ref().map(|(act, _)| act.name().into()),
        outcome,
        trace,
    });
    drop(state);
    Ok(Served {
        message,
        said,
        act: plan.act.map(|(act, _)| act),
    })
}

fn decide(
    state: &mut State,
    message: &Message,
    number: &str,
    plan: &Plan,
) -> (&'static str, Result<Said, Fault>) {
    let known = operation_of(&message.operation);
    if known.is_none() || (known == operation("tarn_state") && !state.settings.state_service) {
        let text = format!("Unknown service: {}", message.operation);
        return (
            "refused",
            Err(Fault::new("Server.ServerProxy.UnknownService", text)),
        );
    }
    match &plan.act {
        Some((Act::Refuse { code, text }, _)) => {
            return ("refused", Ok(Said::refusal(number, code, text)));
        }
        Some((Act::Fault { code, text }, false)) => {
            return ("refused", Err(Fault::new(code, text)));
        }
        _ => {}
    }
    if number.is_empty() {
        return (
            "refused",
            Ok(Said::refusal(
                number,
                "puuduvadandmed",
                "Täitemenetluse number puudub",
            )),
        );
    }
    if known == operation("tarn_state") {
        return ("read", Ok(tell(state, number)));
    }
    if plan.act.as_ref().is_some_and(|(_, accepts)| !accepts) {
        return ("refused", Ok(taken(number)));
    }
    let (outcome, said) = accept(state, message, number);
    match &plan.act {
        Some((Act::Duplicate, _)) => (outcome, Ok(already(number))),
        Some((Act::Fault { code, text }, _)) => (outcome, Err(Fault::new(code, text))),
        _ => (outcome, said),
    }
}

fn operation_of(service: &str) -> Option<&'static Operation> {
    registers::OPERATIONS
        .iter()
        .find(|operation| operation.service == service && operation.register == "tarn")
}

fn accept(
    state: &mut State,
    message: &Message,
    number: &str,
) -> (&'static str, Result<Said, Fault>) {
    let proceeding = match proceeding(message) {
        Ok(proceeding) => proceeding,
        Err(name) => {
            return (
                "refused",
                Ok(Said::flat_refusal(number, "viganevaartus", name)),
            );
        }
    };
    let number = state.proceedings.number(number);
    let order = Order {
        at: now(),
        message_id: message.message_id,
        issue: &message.issue,
        operation: &message.operation,
        number: number.clone(),
        body_hash: message.body_hash,
        trace: message.trace,
        proceeding: &proceeding,
    };
    match state.effects.accept(order) {
        Ok(Acceptance::New) => {
            state.proceedings.set(number.clone(), proceeding);
            ("accepted", Ok(taken(&number)))
        }
        Ok(Acceptance::Again) if state.settings.resend == Resend::Already => {
            ("again", Ok(already(&number)))
        }
        Ok(Acceptance::Again) => ("again", Ok(taken(&number))),
        Err(error) => {
            tracing::error!(%error, "the effects file cannot be written");
            (
                "refused",
                Err(Fault::new(
                    "Server.ServerProxy.ServiceFailed",
                    "the effects file cannot be written",
                )),
            )
        }
    }
}

/// What a change makes of a proceeding, or the element that can't be read.
fn proceeding(message: &Message) -> Result<Proceeding, &'static str> {
    let request = &message.request;
    let date = |name: &'static str| match request.value(name) {
        None => Ok(None),
        Some(text) => {
            let day = text.get(..10).unwrap_or(text);
            NaiveDate::parse_from_str(day, "%Y-%m-%d")
                .map(Some)
                .map_err(|_| name)
        }
    };
    Ok(Proceeding {
        status: request
            .value("Olek")
            .unwrap_or("0")
            .parse()
            .map_err(|_| "Olek")?,
        statement_number: request.value("Number").map(Box::from),
        opened_on: date("TaitemenetluseKp")?,
        stopped_on: date("PeatamiseKp")?,
        closed_on: date("RakendamiseLoppKP")?,
        balance: request.value("Saldo").map(Box::from),
        last_message: message.message_id,
    })
}

fn taken(number: &str) -> Said {
    let mut xml = Writer::default();
    xml.leaf("Teade", "Täitemenetluse andmed võeti vastu");
    Said {
        number: number.into(),
        response: xml.finish(),
    }
}

fn already(number: &str) -> Said {
    Said::refusal(number, "juba_olemas", "Sõnum on juba vastu võetud")
}

fn tell(state: &State, number: &str) -> Said {
    let Some(proceeding) = state.proceedings.get(number) else {
        return Said::flat_refusal(number, "eileitud", "Täitemenetlust ei leitud");
    };
    let mut xml = Writer::default();
    xml.leaf("TaitemenetluseNr", number);
    xml.leaf_opt("Number", proceeding.statement_number.as_deref());
    xml.leaf("Olek", &proceeding.status.to_string());
    for (name, date) in [
        ("TaitemenetluseKp", proceeding.opened_on),
        ("PeatamiseKp", proceeding.stopped_on),
        ("RakendamiseLoppKP", proceeding.closed_on),
    ] {
        xml.leaf_opt(name, date.map(|date| format!("{date}T00:00:00")).as_deref());
    }
    xml.leaf_opt("Saldo", proceeding.balance.as_deref());
    xml.leaf("ViimaneSonum", &proceeding.last_message.to_string());
    Said {
        number: number.into(),
        response: xml.finish(),
    }
}

fn invalid() -> Entry {
    Entry {
        at: now(),
        operation: "".into(),
        message_id: None,
        number: "".into(),
        issue: "".into(),
        act: None,
        outcome: "invalid",
        trace: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_register_knows_its_own_services_alone() {
        assert!(operation_of("TaitemenetluseOlek").is_some());
        assert!(operation_of("RR456").is_none());
    }
}
