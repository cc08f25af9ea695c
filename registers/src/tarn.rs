//! The national enforcement register (`tarn`): sends a case's data, reads a proceeding's state.

mod state;
pub(crate) mod sync;

pub use state::CaseState;
pub use sync::{Party, SyncCase};

use crate::config::{Config, ConfigError, Member};
use crate::error::{CallError, Exchange, Failure, Kind, normalise};
use crate::operations::{Operation, TARN_STATE, TARN_SYNC};
use crate::xml::Element;
use crate::xroad::{self, Envelope, Request, Response};

/// The namespace of the register's elements.
pub const NAMESPACE: &str = "http://tarn.x-road.eu/";

/// Normalised codes by which the register says that this message already took effect. No source names them: assumed.
const ALREADY: &[&str] = &[
    "alreadyexists",
    "alreadydone",
    "jubaolemas",
    "duplicatemessage",
];

/// A client of the register; cheap to clone.
#[derive(Clone)]
pub struct Client {
    xroad: xroad::Client,
    member: Member,
    state_service: bool,
}

/// The register took the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The register had taken it before, under the same message id.
    pub already: bool,
    pub exchange: Exchange,
}

impl Client {
    /// Builds the client; fails with one sentence when a setting cannot be used.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        Ok(Self {
            xroad: xroad::Client::new(config)?,
            member: config.tarn.clone(),
            state_service: config.tarn_state_service,
        })
    }

    /// Whether [`Client::state`] may be asked at all.
    pub fn offers_state(&self) -> bool {
        self.state_service
    }

    /// Sends the case's data; "already so" counts as taken.
    pub async fn sync(&self, envelope: &Envelope, case: &SyncCase) -> Result<Answer, CallError> {
        let result = self.call(&TARN_SYNC, envelope, sync::content(case)).await;
        match result {
            Ok(response) => {
                check_number(&TARN_SYNC, &response, &case.number)?;
                Ok(Answer {
                    already: false,
                    exchange: response.exchange,
                })
            }
            Err(CallError {
                kind: Kind::Refused { code, .. },
                exchange,
            }) if ALREADY.contains(&normalise(&code).as_str()) => Ok(Answer {
                already: true,
                exchange: *exchange,
            }),
            Err(error) => Err(error),
        }
    }

    /// Reads the proceeding's present state by its case number.
    pub async fn state(&self, envelope: &Envelope, number: &str) -> Result<CaseState, CallError> {
        if !self.state_service {
            let failure = Failure::Local {
                code: "unknownservice",
                text: "TaitemenetluseOlek is switched off".into(),
            };
            return Err(xroad::error(&TARN_STATE, failure, Exchange::default()));
        }
        let response = self
            .call(&TARN_STATE, envelope, state::content(number))
            .await?;
        check_number(&TARN_STATE, &response, number)?;
        state::read(&response.body)
            .map_err(|why| xroad::error(&TARN_STATE, Failure::Unusable { why }, response.exchange))
    }

    async fn call(
        &self,
        operation: &'static Operation,
        envelope: &Envelope,
        content: String,
    ) -> Result<Response, CallError> {
        self.xroad
            .call(Request {
                operation,
                provider: &self.member,
                namespace: NAMESPACE,
                envelope,
                content,
            })
            .await
    }
}

/// Where an answer names a proceeding, it must be the one that was asked for.
fn check_number(operation: &Operation, response: &Response, asked: &str) -> Result<(), CallError> {
    let places = [
        response.body.child("request"),
        response.body.child("response"),
    ];
    let wrong = places
        .into_iter()
        .flatten()
        .filter_map(number)
        .any(|number| number != asked);
    if !wrong {
        return Ok(());
    }
    let failure = Failure::Unusable {
        why: "the answer is about another proceeding".into(),
    };
    Err(xroad::error(operation, failure, response.exchange.clone()))
}

fn number(place: &Element) -> Option<&str> {
    place.value("TaitemenetluseNr")
}
