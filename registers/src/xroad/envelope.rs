//! The request envelope: X-Road headers in the order of the protocol, body document/literal wrapped.

use uuid::Uuid;

use super::Request;
use crate::config::Member;
use crate::error::Failure;
use crate::xml::{IDENTIFIERS, SOAP, Writer, XROAD};

/// Who asks, about what, under which id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// `xrd:id`, a UUID v7; a re-send carries the same.
    pub message_id: Uuid,
    /// `xrd:userId`: the personal code with its country, e.g. `EE60001019906`.
    pub user_id: String,
    /// `xrd:issue`: the case number.
    pub issue: String,
    /// Beside the message, as a header of HTTP: the trace that the call belongs to.
    pub traceparent: Option<String>,
}

impl Envelope {
    /// The registers demand who asked and why; an envelope without them is refused before it is sent.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let local = |text: &str| {
            Err(Failure::Local {
                code: "missingheaderfield",
                text: text.into(),
            })
        };
        if self.user_id.trim().is_empty() {
            return local("userId is empty");
        }
        if self.issue.trim().is_empty() {
            return local("issue is empty");
        }
        Ok(())
    }
}

/// The whole request as text.
pub(super) fn build(client: &Member, request: &Request<'_>) -> String {
    let operation = request.operation;
    let mut xml = Writer::default();
    xml.open("?xml version=\"1.0\" encoding=\"UTF-8\"?");
    xml.open(&format!(
        "soapenv:Envelope xmlns:soapenv=\"{SOAP}\" xmlns:xrd=\"{XROAD}\" xmlns:id=\"{IDENTIFIERS}\" xmlns:prod=\"{}\"",
        request.namespace
    ));
    xml.open("soapenv:Header");
    xml.open("xrd:client id:objectType=\"SUBSYSTEM\"");
    member(&mut xml, client);
    xml.close("xrd:client");
    xml.open("xrd:service id:objectType=\"SERVICE\"");
    member(&mut xml, request.provider);
    xml.leaf("id:serviceCode", operation.service)
        .leaf("id:serviceVersion", operation.version);
    xml.close("xrd:service");
    xml.leaf("xrd:id", &request.envelope.message_id.to_string());
    xml.leaf("xrd:userId", request.envelope.user_id.trim());
    xml.leaf("xrd:issue", request.envelope.issue.trim());
    xml.leaf("xrd:protocolVersion", "4.0");
    xml.close("soapenv:Header");
    let wrapper = format!("prod:{}", operation.service);
    xml.open("soapenv:Body").open(&wrapper).open("request");
    let mut text = xml.finish();
    text.push_str(&request.content);
    let mut xml = Writer::default();
    xml.close("request")
        .close(&wrapper)
        .close("soapenv:Body")
        .close("soapenv:Envelope");
    text.push_str(&xml.finish());
    text
}

fn member(xml: &mut Writer, member: &Member) {
    xml.leaf("id:xRoadInstance", &member.instance)
        .leaf("id:memberClass", &member.class)
        .leaf("id:memberCode", &member.code)
        .leaf("id:subsystemCode", &member.subsystem);
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::Limits;
    use crate::operations::TARN_SYNC;
    use crate::tarn::{NAMESPACE, Party, SyncCase, sync};
    use crate::xml::{self, Element};

    /// Drops the blanks between elements, which the sample has for its reader.
    fn squeezed(mut element: Element) -> Element {
        if !element.children.is_empty() {
            element.text.clear();
        }
        element.children = element.children.into_iter().map(squeezed).collect();
        element
    }

    #[test]
    fn a_request_is_the_sample() {
        let day = |month, day| NaiveDate::from_ymd_opt(2024, month, day);
        let case = SyncCase {
            number: "101/2024/12".into(),
            statement_number: Some("T-2024-7".into()),
            opened_on: day(1, 5),
            delivered_on: day(1, 10),
            voluntary_until_on: day(2, 9),
            start_fee_cents: 1_500,
            issuer_fee_cents: 27_900,
            total_claims_cents: 100_000,
            received_cents: 25_050,
            balance_cents: 104_350,
            claimant: Party {
                name: "Näidis & Pojad OÜ".into(),
                code: Some("90000009".into()),
                ..Party::default()
            },
            debtor: Party {
                name: "Näidis".into(),
                first_name: Some("Mari".into()),
                code: Some("60001019906".into()),
                ..Party::default()
            },
            ..SyncCase::default()
        };
        let member = |text| Member::parse("test", text).unwrap();
        let envelope = Envelope {
            message_id: Uuid::parse_str("0192f0c4-7a10-7c3e-8d52-1f0a6b7c8d90").unwrap(),
            user_id: "EE60001019906".into(),
            issue: "101/2024/12".into(),
            traceparent: None,
        };
        let request = Request {
            operation: &TARN_SYNC,
            provider: &member("ee-test/GOV/70000310/tarn"),
            namespace: NAMESPACE,
            envelope: &envelope,
            content: sync::content(&case),
        };
        let built = build(&member("ee-test/GOV/70000000/backoffice"), &request);
        let sample = include_str!("../../samples/sync-request.xml");
        let tree = |text| squeezed(xml::parse(text, &Limits::default()).unwrap());
        assert_eq!(tree(&built), tree(sample));
    }
}
