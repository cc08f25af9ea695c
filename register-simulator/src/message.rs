//! Reads a request envelope as a security server would: which service, who asks, about what; or the fault it earns.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use registers::Limits;
use registers::xml::{self, Element, SOAP, XROAD};
use sha2::{Digest, Sha256, Sha512};
use uuid::Uuid;

/// A request that has everything it must.
#[derive(Debug)]
pub struct Message {
    pub client: Element,
    pub service: Element,
    pub message_id: Uuid,
    pub user_id: String,
    pub issue: String,
    pub operation: String,
    /// The content of the service's element.
    pub request: Element,
    /// Of the request's content alone.
    pub body_hash: u64,
    /// Of the whole message, as the provider's security server adds it to the answer.
    pub request_hash: String,
    /// The trace that came beside the message.
    pub trace: Option<Uuid>,
}

/// A SOAP fault: code and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: String,
    pub text: String,
}

impl Fault {
    pub fn new(code: &str, text: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            text: text.into(),
        }
    }
}

/// Reads and checks one envelope.
pub fn read(bytes: &[u8]) -> Result<Message, Fault> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Fault::new("Client.InvalidSoap", "The message is not UTF-8"))?;
    let envelope = xml::parse(text, &Limits::default())
        .map_err(|error| Fault::new("Client.InvalidSoap", error.to_string()))?;
    if !envelope.is(SOAP, "Envelope") {
        return Err(Fault::new("Client.InvalidSoap", "Not a SOAP envelope"));
    }
    let header = envelope
        .child_in(SOAP, "Header")
        .ok_or_else(|| Fault::new("Client.MissingHeader", "No header"))?;
    let field = |name: &str| {
        header.child_in(XROAD, name).ok_or_else(|| {
            Fault::new(
                "Client.MissingHeaderField",
                format!("Header field {name} is missing"),
            )
        })
    };
    let value = |name: &str| {
        let text = field(name)?.trimmed().map(str::to_owned);
        text.ok_or_else(|| {
            Fault::new(
                "Client.MissingHeaderField",
                format!("Header field {name} is empty"),
            )
        })
    };
    if value("protocolVersion")? != "4.0" {
        return Err(Fault::new(
            "Client.InvalidProtocolVersion",
            "Only 4.0 is supported",
        ));
    }
    let service = field("service")?.clone();
    let operation = service.value("serviceCode").unwrap_or_default().to_owned();
    let message_id = value("id")?;
    let message_id = Uuid::parse_str(&message_id)
        .map_err(|_| Fault::new("Client.InvalidMessageId", "The id is not a UUID"))?;
    let body = envelope
        .child_in(SOAP, "Body")
        .ok_or_else(|| Fault::new("Client.MissingBody", "No body"))?;
    let wrapper = body
        .children
        .first()
        .ok_or_else(|| Fault::new("Client.MissingBody", "The body is empty"))?;
    if wrapper.name != operation {
        return Err(Fault::new(
            "Client.InvalidBody",
            "The body's element differs from the service code",
        ));
    }
    let request = wrapper.child("request").cloned().unwrap_or_default();
    let mut hash = Sha256::new();
    digest(&request, &mut hash);
    let mut first = [0; 8];
    first.copy_from_slice(&hash.finalize()[..8]);
    Ok(Message {
        client: field("client")?.clone(),
        message_id,
        user_id: value("userId")?,
        issue: value("issue")?,
        operation,
        request,
        body_hash: u64::from_be_bytes(first),
        request_hash: STANDARD.encode(Sha512::digest(bytes)),
        service,
        trace: None,
    })
}

/// Names and texts in document order, so that prefixes and blanks between elements don't count.
fn digest(element: &Element, hash: &mut Sha256) {
    hash.update(element.name.as_bytes());
    hash.update([0]);
    hash.update(element.trimmed().unwrap_or_default().as_bytes());
    hash.update([1]);
    for child in &element.children {
        digest(child, hash);
    }
    hash.update([2]);
}
