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
