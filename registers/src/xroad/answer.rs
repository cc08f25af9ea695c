//! Reads an answer: charset, envelope, the three shapes of fault, the echo of what was asked.

use uuid::Uuid;

use super::multipart;
use super::transport::Received;
use crate::charset;
use crate::config::Limits;
use crate::error::{Exchange, Failure};
use crate::mask;
use crate::operations::Operation;
use crate::xml::{self, Element, SOAP, XROAD};

/// What an answer must repeat to be ours.
pub(super) struct Expected {
    pub message_id: Uuid,
    pub operation: &'static Operation,
}

/// The response element of a good answer, or what is wrong with it.
pub(super) fn read(
    received: &Received,
    expected: &Expected,
    limits: &Limits,
    exchange: &mut Exchange,
) -> Result<Element, Failure> {
    let status = received.status;
    let unusable = |why: String| Failure::Unusable {
        why: format!("HTTP {status}: {why}"),
    };
    let (bytes, content_type) = multipart::soap_part(received)?;
    let text = charset::decode(bytes, content_type.as_deref()).map_err(unusable)?;
    exchange.response = crate::excerpt(&text);
    let envelope =
        xml::parse(text.trim_start(), limits).map_err(|error| unusable(error.to_string()))?;
    if !envelope.is(SOAP, "Envelope") {
        return Err(unusable("not a SOAP envelope".into()));
    }
    let body = envelope
        .child_in(SOAP, "Body")
        .ok_or_else(|| unusable("no SOAP body".into()))?;
    // A fault's code says more than the HTTP status, and X-Road sends faults with 500 and with 200.
    if let Some(fault) = body.child_in(SOAP, "Fault") {
        return Err(technical(fault));
    }
    if status != 200 {
        return Err(unusable("no fault in the answer".into()));
    }
    check_header(&envelope, expected).map_err(unusable)?;
    let wrapper = format!("{}Response", expected.operation.service);
    let Some(response) = body.child(&wrapper) else {
        return Err(unusable(format!("no {wrapper} in the body")));
    };
    match business(response) {
        Some(fault) => Err(fault),
        None => Ok(response.clone()),
    }
}

/// The echo proves that the answer belongs to this message.
fn check_header(envelope: &Element, expected: &Expected) -> Result<(), String> {
    let header = envelope.child_in(SOAP, "Header").ok_or("no SOAP header")?;
    let echoed = header.child_in(XROAD, "id").and_then(Element::trimmed);
    match echoed {
        Some(id) if Uuid::parse_str(id) == Ok(expected.message_id) => {}
        Some(_) => return Err("the answer repeats another message id".into()),
        None => return Err("the answer repeats no message id".into()),
    }
    let service = header
        .child_in(XROAD, "service")
        .and_then(|service| service.value("serviceCode"));
    match service {
        Some(code) if code != expected.operation.service => {
            Err("the answer is of another service".into())
        }
        _ => Ok(()),
    }
}

/// Shape 1: a SOAP fault of X-Road or of the provider's server.
fn technical(fault: &Element) -> Failure {
    let (code, text) = bounded(fault.value("faultcode"), fault.value("faultstring"));
    Failure::Technical { code, text }
}

/// Shapes 2 and 3: a fault in the wrapper, or fault fields directly in the response.
fn business(response: &Element) -> Option<Failure> {
    let places = [
        Some(response),
        response.child("response"),
        response.child("keha"),
    ];
    places.into_iter().flatten().find_map(|place| {
        fields(place, "faultCode", "faultString")
            .or_else(|| {
                place
                    .child("fault")
                    .and_then(|fault| fields(fault, "faultCode", "faultString"))
            })
            .or_else(|| {
                fields(place, "Veakood", "Veatekst").filter(|_| place.value("Veakood") != Some("0"))
            })
    })
}

fn fields(place: &Element, code: &str, text: &str) -> Option<Failure> {
    let (found, explained) = (place.value(code), place.value(text));
    if found.is_none() && explained.is_none() {
        return None;
    }
    let (code, text) = bounded(found, explained);
    Some(Failure::Business { code, text })
}

/// Code and text as they are kept: a register's words may be as long as the answer.
fn bounded(code: Option<&str>, text: Option<&str>) -> (String, String) {
    let head = |text: Option<&str>, bytes| mask::head(text.unwrap_or(""), bytes).to_owned();
    (head(code, 200), head(text, mask::EXCERPT_BYTES))
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
