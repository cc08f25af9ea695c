//! What the tests share: a running simulator, the real client against it, a case to send.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::net::SocketAddr;
use std::time::Duration;

use chrono::NaiveDate;
use register_simulator::{Handle, Rule, start};
use registers::tarn::{Client, Party, SyncCase};
use registers::{Config, Envelope, Kind, xroad};

/// Any free port of this machine.
pub fn anywhere() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}

/// A simulator with these rules, and a client of it.
pub async fn rig(rules: impl IntoIterator<Item = Rule>) -> (Handle, Client) {
    let simulator = start(anywhere()).await.unwrap();
    simulator.script(rules).unwrap();
    let client = client(&simulator.url());
    (simulator, client)
}

pub fn client(url: &str) -> Client {
    Client::new(&Config::new(url).unwrap()).unwrap()
}

/// A client that loses patience at once.
#[allow(dead_code, reason = "not every test file loses patience")]
pub fn hasty_client(url: &str) -> Client {
    let mut config = Config::new(url).unwrap();
    config.call_timeout = Some(Duration::from_millis(300));
    Client::new(&config).unwrap()
}

pub fn envelope() -> Envelope {
    Envelope {
        message_id: xroad::message_id(),
        user_id: "EE60001019906".into(),
        issue: NUMBER.into(),
        traceparent: None,
    }
}

pub const NUMBER: &str = "101/2024/12";

pub fn case() -> SyncCase {
    case_of(NUMBER)
}

pub fn case_of(number: &str) -> SyncCase {
    SyncCase {
        number: number.into(),
        statement_number: Some("T-2024-7".into()),
        status: 3,
        opened_on: NaiveDate::from_ymd_opt(2024, 1, 5),
        stopped_on: NaiveDate::from_ymd_opt(2024, 3, 1),
        balance_cents: 104_350,
        claimant: Party {
            name: "Näidis OÜ".into(),
            code: Some("90000009".into()),
            ..Party::default()
        },
        debtor: Party {
            name: "Näidis".into(),
            code: Some("60001019906".into()),
            ..Party::default()
        },
        ..SyncCase::default()
    }
}

/// The kind without its words.
#[allow(dead_code, reason = "not every test file looks at kinds")]
pub fn name(kind: &Kind) -> &'static str {
    match kind {
        Kind::NotSent { .. } => "not sent",
        Kind::Transient { .. } => "transient",
        Kind::Unknown { .. } => "unknown",
        Kind::Refused { .. } => "refused",
        Kind::Permanent { .. } => "permanent",
    }
}

/// A client of the control calls.
#[allow(dead_code, reason = "not every test file uses the control calls")]
pub fn http() -> reqwest::Client {
    reqwest::Client::builder()
        .timeout(Duration::from_secs(10))
        .no_proxy()
        .build()
        .unwrap()
}
