//! The X-Road SOAP 4.0 client: one call from an operation and a body to the response element, or a classed error.

mod answer;
mod envelope;
mod multipart;
mod transport;

use uuid::Uuid;

pub use envelope::Envelope;

use crate::config::{Config, ConfigError, Limits, Member};
use crate::error::{CallError, Exchange, Failure, classify};
use crate::operations::Operation;
use crate::xml::Element;
use transport::Transport;

/// A client of one security server; cheap to clone, holds its connections.
#[derive(Clone)]
pub(crate) struct Client {
    transport: Transport,
    client: Member,
    limits: Limits,
}

/// A good answer: the element inside the response wrapper and the texts for the ledger.
#[derive(Debug)]
pub(crate) struct Response {
    /// `{serviceCode}Response`.
    pub body: Element,
    pub exchange: Exchange,
}

/// What to call and with what.
pub(crate) struct Request<'a> {
    pub operation: &'static Operation,
    pub provider: &'a Member,
    /// The namespace of the provider's elements.
    pub namespace: &'a str,
    pub envelope: &'a Envelope,
    /// The content of the `<request>` element.
    pub content: String,
}

impl Client {
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        Ok(Self {
            transport: Transport::new(config)?,
            client: config.client.clone(),
            limits: config.limits.clone(),
        })
    }

    /// Sends one message and reads its answer; never repeats by itself.
    pub async fn call(&self, request: Request<'_>) -> Result<Response, CallError> {
        let text = envelope::build(&self.client, &request);
        let mut exchange = Exchange {
            request: crate::excerpt(&text),
            ..Exchange::default()
        };
        let outcome = self.exchange(&request, text, &mut exchange).await;
        match outcome {
            Ok(body) => Ok(Response { body, exchange }),
            Err(failure) => Err(error(request.operation, failure, exchange)),
        }
    }

    async fn exchange(
        &self,
        request: &Request<'_>,
        text: String,
        exchange: &mut Exchange,
    ) -> Result<Element, Failure> {
        request.envelope.check()?;
        let received = self.transport.post(text, request, exchange).await?;
        let expected = answer::Expected {
            message_id: request.envelope.message_id,
            operation: request.operation,
        };
        answer::read(&received, &expected, &self.limits, exchange)
    }
}

/// Classes a failure of this operation and attaches the texts.
pub(crate) fn error(operation: &Operation, failure: Failure, exchange: Exchange) -> CallError {
    CallError {
        kind: classify(operation.class, failure),
        exchange: Box::new(exchange),
    }
}

/// A fresh message id: time-ordered, so that ledgers and logs sort by it.
pub fn message_id() -> Uuid {
    Uuid::now_v7()
}
