//! What a failed call means: the one function that classes errors, by fault code first and HTTP status second.

use crate::operations::Class;

/// The texts of a call for the ledger: personal data masked, each at most 2 kB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    pub request: String,
    pub response: String,
    pub http_status: Option<u16>,
}

/// Why a call failed, told by what the caller may do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Known not to have reached the register: may be sent again.
    NotSent { why: String },
    /// A read without a usable answer: may be sent again.
    Transient { why: String },
    /// The request may have taken effect: what follows depends on the operation's class.
    Unknown { why: String },
    /// The register refused for reasons of its own: permanent, nothing took effect.
    Refused { code: String, text: String },
    /// X-Road refused (access, unknown service, malformed request): permanent, nothing took effect.
    Permanent { code: String, text: String },
}

/// A failed call and its texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.describe())]
pub struct CallError {
    pub kind: Kind,
    pub exchange: Box<Exchange>,
}

impl CallError {
    /// True when it is certain that the request took no effect.
    pub fn is_known_not_gone(&self) -> bool {
        !matches!(self.kind, Kind::Unknown { .. })
    }

    /// True when sending the same again can't help.
    pub fn is_permanent(&self) -> bool {
        matches!(self.kind, Kind::Refused { .. } | Kind::Permanent { .. })
    }

    /// True for failures of the connection or the register itself, which a breaker counts.
    pub fn is_technical(&self) -> bool {
        !self.is_permanent()
    }

    /// One line for logs; leaves out the register's own text, which may name people.
    fn describe(&self) -> String {
        match &self.kind {
            Kind::NotSent { why } => format!("not sent: {why}"),
            Kind::Transient { why } => format!("no usable answer: {why}"),
            Kind::Unknown { why } => format!("outcome unknown: {why}"),
            Kind::Refused { code, .. } => format!("refused by the register: {code}"),
            Kind::Permanent { code, .. } => format!("refused by X-Road: {code}"),
        }
    }
}

/// What was seen of a call that did not succeed, before it is classed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No connection or TLS: not one byte of the request left.
    NoConnection { why: String },
    /// The connection ended or the time ran out after the request may have left.
    Interrupted { why: String },
    /// The answer can't be used: not SOAP, half a body, too large, the wrong echo.
    Unusable { why: String },
    /// A SOAP fault of X-Road or of the provider's server.
    Technical { code: String, text: String },
    /// A fault inside the response: the register's own refusal.
    Business { code: String, text: String },
    /// Refused by ourselves before anything was sent.
    Local { code: &'static str, text: String },
}

/// Client proxy codes that arise while the provider's answer is handled, thus after the request has gone.
const AFTER_SENDING: &[&str] = &[
    "servicefailed",
    "inconsistentresponse",
    "missingsoap",
    "missingsignature",
    "invalidsignaturevalue",
    "incorrectvalidationinfo",
    "invalidsoap",
    "ioerror",
    "internalerror",
    "timeout",
];

/// Classes a failure; the only place that does.
pub(crate) fn classify(class: Class, failure: Failure) -> Kind {
    let unknown = |why: String| match class {
        Class::Read => Kind::Transient { why },
        Class::State | Class::Once => Kind::Unknown { why },
    };
    match failure {
        Failure::NoConnection { why } => Kind::NotSent { why },
        Failure::Interrupted { why } | Failure::Unusable { why } => unknown(why),
        Failure::Business { code, text } => Kind::Refused { code, text },
        Failure::Local { code, text } => Kind::Permanent {
            code: code.into(),
            text,
        },
        Failure::Technical { code, text } => {
            let normal = normalise(&code);
            let parts: Vec<&str> = normal.split('.').filter(|part| !part.is_empty()).collect();
            let has = |name: &str| parts.contains(&name);
            // "Unknown" in a provider's own code may mean anything.
            let by_proxy = has("clientproxy") || has("serverproxy");
            let denied = has("accessdenied")
                || by_proxy
                    && !has("servicefailed")
                    && parts.iter().any(|part| part.starts_with("unknown"));
            if denied || parts.first() == Some(&"client") {
                return Kind::Permanent { code, text };
            }
            // A network error of the client proxy is a failed connect, unless its text says that the answer never came.
            let late = parts.iter().any(|part| AFTER_SENDING.contains(part))
                || (has("networkerror") && is_late(&text));
            if has("clientproxy") && !late {
                return Kind::NotSent {
                    why: format!("fault {code}"),
                };
            }
            unknown(format!("fault {code}"))
        }
    }
}

fn is_late(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("timed out") && !text.contains("connect")
        || text.contains("reset")
        || text.contains("read timed out")
}

/// A fault code as it is matched: without a namespace prefix, lower case, without `_`.
pub(crate) fn normalise(code: &str) -> String {
    let local = code.rsplit(':').next().unwrap_or(code);
    local.trim().to_lowercase().replace('_', "")
}
