//! Webhooks to a real receiver: signed, without redirects, and never into our own network.
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use domain::ids::TenantId;
use domain::jobs::Failure;
use domain::webhook::{Hosts, enqueue_webhook};
use domain::{Scope, db};
use jobs::webhook::{Config, Outgoing, Webhooks, sign};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use serde_json::{Value, json};

use crate::stack::Stack;

const SECRET: &str = "sixteen characters";

#[derive(Default)]
struct Got(Mutex<Vec<(HeaderMap, Bytes)>>);

/// A receiver on this machine: /ok, /gone, /busy (once), /redirect to /ok, /long.
async fn receiver() -> (SocketAddr, Arc<Got>) {
    let got = Arc::new(Got::default());
    let keep = |State(got): State<Arc<Got>>, headers: HeaderMap, body: Bytes| async move {
        got.0.lock().unwrap().push((headers, body));
        StatusCode::NO_CONTENT
    };
    let busy = |State(got): State<Arc<Got>>, headers: HeaderMap, body: Bytes| async move {
        let mut all = got.0.lock().unwrap();
        all.push((headers, body));
        if all.len() == 1 {
            StatusCode::SERVICE_UNAVAILABLE
        } else {
            StatusCode::OK
        }
    };
    let routes = Router::new()
        .route("/ok", post(keep))
        .route("/busy", post(busy))
        .route("/gone", post(async || (StatusCode::GONE, "no such hook")))
        .route(
            "/long",
            post(async || (StatusCode::BAD_REQUEST, "x".repeat(5_000_000))),
        )
        .route(
            "/redirect",
            post(async || (StatusCode::TEMPORARY_REDIRECT, [("location", "/ok")], "")),
        )
        .with_state(got.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    (address, got)
}

fn config(hosts: &str, private: &str) -> Config {
    Config::new(Hosts::parse(hosts, private).unwrap(), SECRET).unwrap()
}

fn message(url: String) -> Outgoing {
    Outgoing {
        url,
        id: "alert-7-fired".into(),
        body: json!({"id": 7, "rule": "Järjekord", "state": "fired"}),
    }
}

fn code(outcome: Result<(), Failure>) -> String {
    match outcome {
        Ok(()) => "sent".into(),
        Err(Failure::Permanent { code, .. }) => format!("permanent {code}"),
        Err(Failure::Transient { code, .. }) => format!("transient {code}"),
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_message_is_signed_and_answers_are_judged() {
    let (address, got) = receiver().await;
    let hooks = Webhooks::new(config(&address.to_string(), "on")).unwrap();
    let send = async |path: &str| {
        code(
            hooks
                .send(&message(format!("http://{address}{path}")), 1_700_000_000)
                .await,
        )
    };
    assert_eq!(send("/ok").await, "sent");
    let (headers, body) = got.0.lock().unwrap().remove(0);
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&body).unwrap(),
        message(String::new()).body
    );
    assert_eq!(headers["toimik-id"], "alert-7-fired");
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(
        headers["toimik-signature"],
        sign(SECRET.as_bytes(), 1_700_000_000, "alert-7-fired", &body).as_str()
    );

    assert_eq!(send("/gone").await, "permanent webhook_410");
    assert_eq!(send("/missing").await, "permanent webhook_404");
    assert_eq!(send("/long").await, "permanent webhook_400");
    assert_eq!(
        send("/redirect").await,
        "permanent webhook_307",
        "never followed"
    );
    assert!(
        got.0.lock().unwrap().is_empty(),
        "nothing came by the redirect"
    );
    assert_eq!(send("/busy").await, "transient webhook_503");
}

/// Answers what a test says, whatever is asked: a name whose owner wants to see our inside.
struct Lying(Mutex<Vec<Vec<SocketAddr>>>);

impl Resolve for Lying {
    fn resolve(&self, _: Name) -> Resolving {
        let next = self.0.lock().unwrap().remove(0);
        Box::pin(async move {
            let addresses: Addrs = Box::new(next.into_iter());
            Ok(addresses)
        })
    }
}

#[tokio::test]
async fn a_name_that_leads_inside_is_refused_when_it_is_connected_to() {
    let (address, got) = receiver().await;
    let inside = |ip: &str| -> SocketAddr { SocketAddr::new(ip.parse().unwrap(), address.port()) };
    let answers = vec![
        vec![inside("127.0.0.1")],
        vec![inside("::1")],
        vec![inside("::ffff:127.0.0.1")],
        vec![inside("10.0.0.1")],
        vec![inside("169.254.169.254")],
        vec![inside("100.64.0.1")],
        vec![inside("fd00::1")],
        // Rebinding within one answer: a public address first.
        vec![inside("8.8.8.8"), inside("127.0.0.1")],
    ];
    let tries = answers.len();
    let host = format!("hooks.example.ee:{}", address.port());
    let lying = Arc::new(Lying(Mutex::new(answers)));
    // Also where loopback is let through: only for a host that says it is loopback.
    let hooks = Webhooks::with_resolver(config(&host, "on"), lying.clone()).unwrap();
    for _ in 0..tries {
        let outcome = hooks.send(&message(format!("https://{host}/ok")), 0).await;
        assert_eq!(code(outcome), "permanent webhook_refused");
    }
    assert!(
        lying.0.lock().unwrap().is_empty(),
        "each was asked for and refused"
    );
    assert!(got.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_is_not_on_the_list_is_not_called() {
    let (address, got) = receiver().await;
    for (hosts, private, url) in [
        ("", "off", format!("http://{address}/ok")),
        ("hooks.example.ee", "on", format!("http://{address}/ok")),
        (&*address.to_string(), "off", format!("http://{address}/ok")),
        ("127.0.0.1", "on", format!("http://{address}/ok")),
        (
            "hooks.example.ee",
            "on",
            format!("https://[::ffff:127.0.0.1]:{}/ok", address.port()),
        ),
    ] {
        let hooks = Webhooks::new(config(hosts, private)).unwrap();
        let outcome = hooks.send(&message(url.clone()), 0).await;
        assert_eq!(code(outcome), "permanent webhook_refused", "{hosts} {url}");
    }
    assert!(got.0.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_job_comes_again_under_the_same_id() {
    let (address, got) = receiver().await;
    let mut stack = Stack::new().await;
    stack.start_with(None, config(&address.to_string(), "on"));
    let mut tx = db::begin(&stack.jobs, Scope::Queue).await.unwrap();
    let url = format!("http://{address}/busy");
    enqueue_webhook(
        &mut tx,
        TenantId(1),
        &url,
        "alert-7-fired",
        &json!({"id": 7}),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let runs = stack.saw("SendWebhook", "ok").await;
    assert_eq!(
        runs,
        [
            ("retry".to_owned(), Some("webhook_503".to_owned())),
            ("ok".to_owned(), None)
        ]
    );
    let ids: Vec<_> = got
        .0
        .lock()
        .unwrap()
        .iter()
        .map(|(headers, _)| headers["toimik-id"].clone())
        .collect();
    assert_eq!(ids, ["alert-7-fired", "alert-7-fired"]);
    stack.stop().await;
}
