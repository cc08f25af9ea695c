//! The real client against each misbehaviour: the right kind of error for a change and for a read, and what took effect.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use common::{NUMBER, case, client, envelope, hasty_client, name, rig};
use register_simulator::{Act, Millis, Rule};
use registers::tarn::{CaseState, Client};
use registers::{CallError, Config, Kind};

/// Sends a change under the rule; the kind of its outcome and how many effects there are.
async fn change(rule: Rule) -> (Result<bool, CallError>, u64) {
    let (simulator, client) = rig([rule]).await;
    let outcome = client
        .sync(&envelope(), &case())
        .await
        .map(|answer| answer.already);
    (outcome, simulator.summary().accepted)
}

/// Reads a state that is there, under the rule.
async fn read(act: Act) -> Result<CaseState, CallError> {
    let (simulator, client) = rig([]).await;
    client.sync(&envelope(), &case()).await.unwrap();
    simulator.script([Rule::always(act)]).unwrap();
    client.state(&envelope(), NUMBER).await
}

fn fault(code: &str, text: &str) -> Act {
    Act::Fault {
        code: code.into(),
        text: text.into(),
    }
}

#[tokio::test]
async fn each_act_gives_its_kind_and_its_effects() {
    let huge = Act::Huge {
        bytes: 50 * 1024 * 1024,
    };
    let refuse = Act::Refuse {
        code: "x".into(),
        text: "y".into(),
    };
    let connect = fault("server.clientproxy.network_error", "Could not connect");
    let table = [
        (refuse, "refused", "refused", 0),
        (
            fault("server.serverproxy.access_denied", ""),
            "permanent",
            "permanent",
            0,
        ),
        (fault("Client.InvalidSoap", ""), "permanent", "permanent", 0),
        (connect, "not sent", "not sent", 0),
        (
            fault("Server.ServerProxy.ServiceFailed", ""),
            "unknown",
            "transient",
            0,
        ),
        (
            fault("server.serverproxy.maintenance_mode", ""),
            "unknown",
            "transient",
            0,
        ),
        (Act::Http500, "unknown", "transient", 0),
        (Act::Html200, "unknown", "transient", 0),
        (Act::Garbage, "unknown", "transient", 1),
        (Act::HalfBody, "unknown", "transient", 1),
        (huge, "unknown", "transient", 1),
        (Act::DoubleAnswer, "unknown", "transient", 1),
        (Act::WrongEcho, "unknown", "transient", 1),
        (Act::WrongNumber, "unknown", "transient", 1),
    ];
    for (act, on_change, on_read, effects) in table {
        let (outcome, accepted) = change(Rule::always(act.clone())).await;
        let error = outcome.expect_err(act.name());
        assert_eq!(
            (name(&error.kind), accepted),
            (on_change, effects),
            "{act:?}: {error:?}"
        );
        assert!(
            error.exchange.response.len() <= registers::EXCERPT_BYTES,
            "{act:?}"
        );
        assert!(!error.exchange.request.is_empty(), "{act:?}");
        let error = read(act.clone()).await.expect_err(act.name());
        assert_eq!(name(&error.kind), on_read, "{act:?}: {error:?}");
    }
    // Only a change's answer has letters outside ASCII, so only there the wrong charset shows.
    let (outcome, accepted) = change(Rule::always(Act::WrongCharset)).await;
    assert_eq!((name(&outcome.unwrap_err().kind), accepted), ("unknown", 1));
}

#[tokio::test]
async fn failures_may_come_after_acceptance_too() {
    for act in [
        Act::Http500,
        Act::Html200,
        fault("Server.ServerProxy.ServiceFailed", ""),
    ] {
        let (outcome, accepted) = change(Rule {
            accept: Some(true),
            ..Rule::always(act)
        })
        .await;
        assert_eq!((name(&outcome.unwrap_err().kind), accepted), ("unknown", 1));
    }
}

#[tokio::test]
async fn already_there_is_success() {
    assert_eq!(change(Rule::always(Act::Duplicate)).await, (Ok(true), 1));
}

#[tokio::test]
async fn a_register_that_accepts_and_never_answers_is_unknown() {
    let (simulator, _) = rig([Rule::always(Act::TimeoutAfterAccept)]).await;
    let client = hasty_client(&simulator.url());
    let sent = envelope();
    let error = client.sync(&sent, &case()).await.unwrap_err();
    assert_eq!(name(&error.kind), "unknown");
    assert!(!error.is_known_not_gone());
    simulator.clear_script();
    assert!(client.sync(&sent, &case()).await.unwrap().already);
    assert_eq!(simulator.summary().accepted, 1);
}

#[tokio::test]
async fn a_register_slower_than_the_time_out_is_unknown() {
    let (simulator, _) = rig([Rule::always(Act::Delay {
        ms: Millis::Fixed(60_000),
    })])
    .await;
    let client = hasty_client(&simulator.url());
    assert_eq!(
        name(&client.sync(&envelope(), &case()).await.unwrap_err().kind),
        "unknown"
    );
    assert_eq!(
        name(&client.state(&envelope(), NUMBER).await.unwrap_err().kind),
        "transient"
    );
}

#[tokio::test]
async fn a_caller_killed_after_acceptance_finds_it_done() {
    let once = Rule {
        times_per_number: Some(1),
        ..Rule::always(Act::KillHook { url: None })
    };
    let (simulator, client) = rig([once]).await;
    let (sent, other) = (envelope(), client.clone());
    let first = sent.clone();
    let caller = tokio::spawn(async move { other.sync(&first, &case()).await });
    let held = simulator.held(1).await;
    assert_eq!(
        (held[0].message_id, held[0].number.as_str()),
        (sent.message_id, NUMBER)
    );
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    assert!(client.sync(&sent, &case()).await.unwrap().already);
    let summary = simulator.summary();
    assert_eq!(
        (summary.accepted, summary.repeats, summary.duplicates),
        (1, 1, 0)
    );
}

#[tokio::test]
async fn a_held_answer_comes_when_released() {
    let (simulator, client) = rig([Rule::always(Act::KillHook { url: None })]).await;
    let caller = tokio::spawn(async move { client.sync(&envelope(), &case()).await });
    simulator.held(1).await;
    assert_eq!(simulator.release(), 1);
    assert!(!caller.await.unwrap().unwrap().already);
}

#[tokio::test]
async fn fifty_megabytes_cost_little_memory() {
    let (_simulator, client) = rig([]).await;
    client.sync(&envelope(), &case()).await.unwrap();
    let before = peak_kb();
    let (simulator, client) = rig([Rule::always(Act::Huge {
        bytes: 50 * 1024 * 1024,
    })])
    .await;
    let error = client.sync(&envelope(), &case()).await.unwrap_err();
    assert!(
        matches!(&error.kind, Kind::Unknown { why } if why.contains("larger than")),
        "{error:?}"
    );
    let grown_kb = peak_kb() - before;
    assert!(grown_kb < 20 * 1024, "{grown_kb} kB");
    let mut config = Config::new(&simulator.url()).unwrap();
    config.limits.answer_bytes = 1_000;
    let strict = Client::new(&config).unwrap();
    simulator.clear_script();
    let error = strict.state(&envelope(), NUMBER).await.unwrap_err();
    assert!(
        matches!(&error.kind, Kind::Transient { why } if why.contains("larger than 1000 bytes")),
        "{error:?}"
    );
}

/// The most memory this process ever had.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_client_is_told_apart_from_a_wrong_address() {
    let error = client("http://127.0.0.1:1/")
        .sync(&envelope(), &case())
        .await
        .unwrap_err();
    assert_eq!(name(&error.kind), "not sent");
    assert_eq!(error.exchange.http_status, None);
}
