//! The control calls over HTTP, and the file of effects across a restart.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::io::Write;
use std::path::PathBuf;

use common::{NUMBER, anywhere, case, case_of, client, envelope, http, rig};
use register_simulator::{Act, Options, Rule, start_with};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

async fn get(url: &str) -> Value {
    http()
        .get(url)
        .send()
        .await
        .unwrap()
        .error_for_status()
        .unwrap()
        .json()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_script_is_given_shown_and_cleared() {
    let (simulator, client) = rig([]).await;
    let url = format!("{}control/script", simulator.control_url());
    let rules = json!([{"operation": "TaitemenetluseMuutmineTa", "every": 2, "act": {"refuse": {"code": "x", "text": "y"}}}]);
    let http = http();
    assert!(
        http.post(&url)
            .json(&rules)
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    assert!(client.sync(&envelope(), &case()).await.is_ok());
    assert!(client.sync(&envelope(), &case()).await.is_err());
    let shown = get(&url).await;
    assert_eq!(shown["rules"][0]["seen"], 2);
    assert_eq!(shown["rules"][0]["applied"], 1);
    for bad in [
        json!([{"act": "nonsense"}]),
        json!([{"every": 0, "act": "http500"}]),
        json!([{"share": 2.0, "act": "http500"}]),
        json!({}),
    ] {
        let status = http.post(&url).json(&bad).send().await.unwrap().status();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
    }
    assert_eq!(
        http.delete(&url).send().await.unwrap().status(),
        StatusCode::NO_CONTENT
    );
    assert_eq!(get(&url).await, json!({"rules": []}));
}

#[tokio::test]
async fn effects_log_and_settings_are_readable() {
    let (simulator, client) = rig([]).await;
    let base = simulator.control_url();
    let sent = envelope();
    client.sync(&sent, &case()).await.unwrap();
    client.sync(&sent, &case()).await.unwrap();
    client
        .sync(&envelope(), &case_of("101/2024/13"))
        .await
        .unwrap();
    let summary = get(&format!("{base}control/effects?summary=1")).await;
    assert_eq!(
        (
            &summary["accepted"],
            &summary["repeats"],
            &summary["duplicates"]
        ),
        (&json!(2), &json!(1), &json!(0))
    );
    let effects = get(&format!("{base}control/effects?number={NUMBER}")).await;
    assert_eq!(effects["effects"].as_array().unwrap().len(), 1);
    let effect = &effects["effects"][0];
    assert_eq!(
        (&effect["message_id"], &effect["issue"], &effect["count"]),
        (&json!(sent.message_id), &json!(NUMBER), &json!(2))
    );
    assert_eq!(effect["body_hash"].as_str().unwrap().len(), 16);
    assert_eq!(
        get(&format!("{base}control/effects?after=1")).await["effects"][0]["number"],
        "101/2024/13"
    );
    assert_eq!(
        get(&format!("{base}control/effects?after=2")).await["effects"],
        json!([])
    );
    let log = get(&format!("{base}control/log?limit=2")).await;
    assert_eq!(
        (
            &log["total"],
            &log["calls"][0]["outcome"],
            &log["calls"][1]["outcome"]
        ),
        (&json!(3), &json!("again"), &json!("accepted"))
    );
    assert_eq!(
        get(&format!("{base}control/proceedings/{NUMBER}")).await["status"],
        3
    );
    assert_eq!(get(&format!("{base}healthz")).await["status"], "ok");
    let http = http();
    let switch = http
        .put(format!("{base}control/state_service"))
        .json(&json!({"on": false}))
        .send()
        .await
        .unwrap();
    assert_eq!(switch.status(), StatusCode::NO_CONTENT);
    assert_eq!(
        get(&format!("{base}control/settings")).await["state_service"],
        false
    );
    let changed = http
        .put(format!("{base}control/settings"))
        .json(&json!({"latency_ms": [1, 2], "resend": "same"}))
        .send()
        .await
        .unwrap();
    assert!(changed.status().is_success());
    assert!(!client.sync(&sent, &case()).await.unwrap().already);
}

#[tokio::test]
async fn a_hook_is_called_and_held_answers_are_listed_and_released() {
    let hook = TcpListener::bind(anywhere()).await.unwrap();
    let hook_url = format!("http://{}/killed", hook.local_addr().unwrap());
    let (simulator, client) = rig([Rule::always(Act::KillHook {
        url: Some(hook_url),
    })])
    .await;
    let base = simulator.control_url();
    let caller = tokio::spawn(async move { client.sync(&envelope(), &case()).await });
    let (mut socket, _) = hook.accept().await.unwrap();
    let mut told = Vec::new();
    while !String::from_utf8_lossy(&told).contains(&format!("\"number\":\"{NUMBER}\"")) {
        assert!(socket.read_buf(&mut told).await.unwrap() > 0);
    }
    assert!(told.starts_with(b"POST /killed "));
    socket
        .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
        .await
        .unwrap();
    simulator.held(1).await;
    let held = get(&format!("{base}control/held")).await;
    assert_eq!(held["held"][0]["number"], NUMBER);
    let id = &held["held"][0]["id"];
    let http = http();
    assert_eq!(
        http.delete(format!("{base}control/held/999"))
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::NOT_FOUND
    );
    assert!(
        http.delete(format!("{base}control/held/{id}"))
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    assert!(caller.await.unwrap().is_ok());
    assert_eq!(
        get(&format!("{base}control/held")).await,
        json!({"held": []})
    );
}

#[tokio::test]
async fn what_is_no_message_earns_a_fault() {
    let (simulator, _) = rig([]).await;
    let sample = include_str!("../../registers/samples/sync-request.xml");
    let http = http();
    for (body, code) in [
        ("rubbish".to_owned(), "Client.InvalidSoap"),
        ("<a/>".to_owned(), "Client.InvalidSoap"),
        (
            sample.replace(">4.0<", ">3.1<"),
            "Client.InvalidProtocolVersion",
        ),
        (
            sample.replace("<xrd:userId>EE60001019906</xrd:userId>", ""),
            "Client.MissingHeaderField",
        ),
        (
            sample.replace(">TaitemenetluseMuutmineTa<", ">Muu<"),
            "Client.InvalidBody",
        ),
    ] {
        let answer = http.post(simulator.url()).body(body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(answer.text().await.unwrap().contains(code), "{code}");
    }
    let answer = http
        .post(simulator.url())
        .body(sample)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

/// A file of this test's own that is gone afterwards.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn effects_survive_a_restart_and_half_a_line() {
    let file = Temporary(
        std::env::temp_dir().join(format!("effects-{}.jsonl", registers::xroad::message_id())),
    );
    let options = || Options {
        log_file: Some(file.0.clone()),
        ..Options::at(anywhere())
    };
    let sent = envelope();
    {
        let simulator = start_with(options()).await.unwrap();
        let client = client(&simulator.url());
        client.sync(&sent, &case()).await.unwrap();
        client.sync(&sent, &case()).await.unwrap();
    }
    let mut tail = std::fs::OpenOptions::new()
        .append(true)
        .open(&file.0)
        .unwrap();
    tail.write_all(b"{\"effect\":{\"effect\":{\"seq\":2")
        .unwrap();
    for (accepted, repeats) in [(1, 2), (2, 3)] {
        let simulator = start_with(options()).await.unwrap();
        let client = client(&simulator.url());
        assert!(client.sync(&sent, &case()).await.unwrap().already);
        let summary = simulator.summary();
        assert_eq!((summary.accepted, summary.repeats), (accepted, repeats));
        assert_eq!(client.state(&envelope(), NUMBER).await.unwrap().status, 3);
        client
            .sync(&envelope(), &case_of("101/2024/13"))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn memory_holds_no_more_than_its_bound() {
    let simulator = start_with(Options {
        capacity: 3,
        ..Options::at(anywhere())
    })
    .await
    .unwrap();
    let client = client(&simulator.url());
    for index in 1..=5 {
        client
            .sync(&envelope(), &case_of(&format!("101/2024/{index}")))
            .await
            .unwrap();
    }
    let summary = simulator.summary();
    assert_eq!(
        (summary.accepted, summary.dropped, summary.last_seq),
        (3, 2, 5)
    );
    let numbers: Vec<_> = simulator
        .effects()
        .into_iter()
        .map(|effect| effect.number)
        .collect();
    assert_eq!(numbers, ["101/2024/3", "101/2024/4", "101/2024/5"]);
    assert!(client.state(&envelope(), "101/2024/1").await.is_err());
    assert!(client.state(&envelope(), "101/2024/5").await.is_ok());
}
