//! No secret and no query string reaches the log.
use std::io::Write;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Request;

use crate::site::{PASSWORD, Site, cookie_of};

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn planted_secrets_are_not_logged() {
    let kept = Kept::default();
    let writer = kept.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // One runtime thread runs this test, so its own default subscriber sees the spawned tasks too.
    let _guard = tracing::subscriber::set_default(subscriber);

    let site = Site::new().await;
    let login = site.login("taitur", PASSWORD).await;
    let first = login.body["token"].as_str().unwrap().to_owned();
    let role = format!(r#"{{"role_id":{}}}"#, site.id("taitur/KT/101"));
    let chosen = site.call("POST", "/auth/role-select", &first, &role).await;
    let token = chosen.body["token"].as_str().unwrap().to_owned();
    let cookie = cookie_of(&login);
    site.login("taitur", "kanaarilind-parool").await;
    site.login("kanaarilind-nimi", PASSWORD).await;
    site.get(
        "/bank?where=%7B%22name%22%3A%22kanaarilind-otsing%22%7D",
        &token,
    )
    .await;
    site.get("/bank/38001010004", &token).await;
    site.call(
        "PUT",
        &format!("/user/{}", site.id("taitur")),
        &token,
        r#"{"language":"kanaarilind-keha"}"#,
    )
    .await;
    site.get("/bank", "kanaarilind-token").await;
    let request = Request::post("/api/auth/verify")
        .header("cookie", &cookie)
        .header("x-canary", "kanaarilind-pais");
    site.send(request.body(Body::empty()).unwrap()).await;
    sqlx::query("drop table banks cascade")
        .execute(&site.admin)
        .await
        .unwrap();
    site.get(
        "/bank?where=%7B%22name%22%3A%22kanaarilind-viga%22%7D",
        &token,
    )
    .await;

    let log = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    // What our own code writes; the driver's trace of its statements is switched off in production.
    let ours: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("\"target\":\"api") || line.contains("\"target\":\"domain"))
        .collect();
    assert!(
        ours.iter().any(|line| line.contains("/api/bank/{id}")),
        "the access log names the route"
    );
    let all = ours.join("\n");
    for secret in [
        "kanaarilind",
        "38001010004",
        PASSWORD,
        &first,
        &token,
        cookie.split_once('=').unwrap().1,
    ] {
        assert!(!all.contains(secret), "{secret} is in the log");
    }
}
