//! The one table of outward operations: class, time-out and the register whose breaker and rate they share.

use std::time::Duration;

/// How an operation may be repeated when its outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Changes nothing outside: repeat freely.
    Read,
    /// Sets a state: repeat under the same message id and take "already so" as done.
    State,
    /// An effect that must not happen twice: never sent again by the machine.
    Once,
}

/// One outward operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Our own name, as written into the ledger.
    pub name: &'static str,
    /// The X-Road service code.
    pub service: &'static str,
    /// The X-Road service version.
    pub version: &'static str,
    /// The register: the key of its breaker and rate.
    pub register: &'static str,
    pub class: Class,
    /// The whole call, from connecting to the last byte of the answer.
    pub timeout: Duration,
}

const WHOLE: Duration = Duration::from_secs(30);

/// Sends a case's data to the national enforcement register.
pub const TARN_SYNC: Operation = Operation {
    name: "tarn_sync",
    service: "TaitemenetluseMuutmineTa",
    version: "v1",
    register: "tarn",
    class: Class::State,
    timeout: WHOLE,
};

/// Reads a proceeding's present state from the national enforcement register; an assumed service.
pub const TARN_STATE: Operation = Operation {
    name: "tarn_state",
    service: "TaitemenetluseOlek",
    version: "v1",
    register: "tarn",
    class: Class::Read,
    timeout: WHOLE,
};

/// Every outward operation there is.
pub const OPERATIONS: &[Operation] = &[TARN_SYNC, TARN_STATE];

/// Finds an operation by our own name.
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}
