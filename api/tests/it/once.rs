//! Idempotency keys: one act for one key, whatever the caller repeats. The route is the test's own, behind the real gate.
use api::app::App;
use api::error::Result;
use api::extract::Json;
use api::gate;
use api::idempotency::Once;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json as JsonAnswer, Router};
use domain::audit::{self, By, Entry};
use domain::{Actor, db};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::site::Site;

async fn act(
    State(app): State<App>,
    actor: Actor,
    once: Once,
    Json(input): Json<Value>,
) -> Result<Response> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(kept) = once.answered(&mut tx, &actor).await? {
        return Ok(kept);
    }
    audit::write(
        &mut tx,
        &By::from(&actor),
        Entry::new(actor.tenant_id, "acted", "Test", 1),
    )
    .await?;
    let body = json!({"made": input});
    once.keep(&mut tx, &actor, StatusCode::CREATED, &body)
        .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, JsonAnswer(body)).into_response())
}

struct Calls {
    site: Site,
    router: Router,
}

impl Calls {
    async fn new() -> Self {
        let site = Site::new().await;
        let routes = Router::new().route("/api/v2/acts/{id}", post(act));
        let layer = axum::middleware::from_fn_with_state(site.app.clone(), gate::pass);
        let router = routes.layer(layer).with_state(site.app.clone());
        Self { site, router }
    }

    async fn act(&self, token: &str, id: i64, key: &str, body: &str) -> (u16, Value) {
        let request = Request::post(format!("/api/v2/acts/{id}"))
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .header("idempotency-key", key);
        let response = self
            .router
            .clone()
            .oneshot(request.body(Body::from(body.to_owned())).unwrap())
            .await
            .unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap())
    }
}

#[tokio::test]
async fn the_same_key_gives_the_same_answer_and_acts_once() {
    let calls = Calls::new().await;
    let token = calls.site.token("taitur/KT/101").await;
    let first = calls.act(&token, 1, "k", r#"{"n":1}"#).await;
    assert_eq!(first, (201, json!({"made": {"n": 1}})));
    assert_eq!(calls.act(&token, 1, "k", r#"{"n":1}"#).await, first);
    assert_eq!(calls.site.audited("acted").await, 1);

    let (status, body) = calls.act(&token, 1, "k", r#"{"n":2}"#).await;
    assert_eq!(
        (status, &body["violations"][0]["propertyPath"]),
        (422, &json!("Idempotency-Key"))
    );
    assert_eq!(calls.act(&token, 1, "", r#"{"n":1}"#).await.0, 422);
    assert_eq!(
        calls.act(&token, 1, &"k".repeat(129), r#"{"n":1}"#).await.0,
        422
    );

    // Another object, another person, another day: other calls.
    let other = calls.site.token("taitur2/KT/102").await;
    assert_eq!(calls.act(&token, 2, "k", r#"{"n":1}"#).await.0, 201);
    assert_eq!(calls.act(&other, 1, "k", r#"{"n":2}"#).await.0, 201);
    calls
        .site
        .arrange("update idempotency_keys set created_at = now() - interval '25 hours'")
        .await;
    assert_eq!(calls.act(&token, 1, "k", r#"{"n":2}"#).await.0, 201);
    assert_eq!(calls.site.audited("acted").await, 4);
}

#[tokio::test]
async fn parallel_calls_of_one_key_act_once() {
    let calls = Calls::new().await;
    let token = calls.site.token("koda/koda/koda").await;
    let answers =
        futures::future::join_all((0..12).map(|_| calls.act(&token, 1, "k", r#"{"n":1}"#))).await;
    assert!(answers.iter().any(|(status, _)| *status == 201));
    assert!(
        answers.iter().all(|(status, body)| *status == 201
            || (*status == 409 && body["code"] == "same_call_under_way")),
        "{answers:?}"
    );
    assert_eq!(calls.site.audited("acted").await, 1);
}
