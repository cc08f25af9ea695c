//! Writes answers: the request's headers repeated in order, the response wrapped; and faults of every shape.

use registers::tarn::NAMESPACE;
use registers::xml::{Element, IDENTIFIERS, SOAP, Writer, XROAD};
use uuid::Uuid;

use crate::message::{Fault, Message};

/// An answer as it goes over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub text: String,
}

/// What the register says, before it is written or spoilt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The case number that the answer repeats.
    pub number: String,
    /// The content of `<response>`.
    pub response: String,
}

impl Said {
    /// A refusal of the register, in the shape with a `fault` element.
    pub fn refusal(number: &str, code: &str, text: &str) -> Self {
        let mut xml = Writer::default();
        xml.open("fault")
            .leaf("faultCode", code)
            .leaf("faultString", text)
            .close("fault");
        Self {
            number: number.into(),
            response: xml.finish(),
        }
    }

    /// A refusal in the shape with its fields directly in the response.
    pub fn flat_refusal(number: &str, code: &str, text: &str) -> Self {
        let mut xml = Writer::default();
        xml.leaf("faultCode", code).leaf("faultString", text);
        Self {
            number: number.into(),
            response: xml.finish(),
        }
    }
}

/// A whole good answer.
pub fn good(message: &Message, said: &Said, message_id: Uuid) -> Answer {
    let mut xml = Writer::default();
    begin(&mut xml);
    xml.open("SOAP-ENV:Header");
    xml.open("xrd:client id:objectType=\"SUBSYSTEM\"");
    identifier(&mut xml, &message.client);
    xml.close("xrd:client")
        .open("xrd:service id:objectType=\"SERVICE\"");
    identifier(&mut xml, &message.service);
    xml.close("xrd:service");
    xml.leaf("xrd:id", &message_id.to_string());
    xml.leaf("xrd:userId", &message.user_id)
        .leaf("xrd:issue", &message.issue)
        .leaf("xrd:protocolVersion", "4.0");
    xml.open("xrd:requestHash algorithmId=\"http://www.w3.org/2001/04/xmlenc#sha512\"");
    let mut text = xml.finish();
    text.push_str(&message.request_hash);
    let wrapper = format!("tarn:{}Response", message.operation);
    let mut xml = Writer::default();
    xml.close("xrd:requestHash")
        .close("SOAP-ENV:Header")
        .open("SOAP-ENV:Body")
        .open(&wrapper);
    xml.open("request")
        .leaf("TaitemenetluseNr", &said.number)
        .close("request")
        .open("response");
    text.push_str(&xml.finish());
    text.push_str(&said.response);
    let mut xml = Writer::default();
    xml.close("response").close(&wrapper);
    end(&mut xml);
    text.push_str(&xml.finish());
    Answer { status: 200, text }
}

/// A technical fault, as X-Road sends it.
pub fn fault(fault: &Fault) -> Answer {
    let mut xml = Writer::default();
    begin(&mut xml);
    xml.open("SOAP-ENV:Body").open("SOAP-ENV:Fault");
    xml.leaf("faultcode", &fault.code)
        .leaf("faultstring", &fault.text)
        .leaf("faultactor", "");
    xml.open("detail").open("faultDetail xmlns=\"\"");
    let mut text = xml.finish();
    text.push_str(&Uuid::new_v4().to_string());
    let mut xml = Writer::default();
    xml.close("faultDetail")
        .close("detail")
        .close("SOAP-ENV:Fault");
    end(&mut xml);
    text.push_str(&xml.finish());
    Answer { status: 500, text }
}

fn begin(xml: &mut Writer) {
    xml.open("?xml version=\"1.0\" encoding=\"UTF-8\"?");
    xml.open(&format!(
        "SOAP-ENV:Envelope xmlns:SOAP-ENV=\"{SOAP}\" xmlns:xrd=\"{XROAD}\" xmlns:id=\"{IDENTIFIERS}\" xmlns:tarn=\"{NAMESPACE}\""
    ));
}

fn end(xml: &mut Writer) {
    xml.close("SOAP-ENV:Body").close("SOAP-ENV:Envelope");
}

fn identifier(xml: &mut Writer, element: &Element) {
    for child in &element.children {
        xml.leaf(
            &format!("id:{}", child.name),
            child.trimmed().unwrap_or_default(),
        );
    }
}
