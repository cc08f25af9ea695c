//! No secret and no query string reaches the log.
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

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

static LOG: OnceLock<Kept> = OnceLock::new();

/// Keeps the log of every test of this process; each site begins with it, so that no call site is met unheard.
pub fn keep() {
    LOG.get_or_init(|| {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .with_env_filter("warn,api=trace,domain=trace")
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::set_global_default(subscriber).expect("the only subscriber");
        kept
    });
}

#[tokio::test]
async fn planted_secrets_are_not_logged() {
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

    let log = String::from_utf8(LOG.get().unwrap().0.lock().unwrap().clone()).unwrap();
    assert!(
        log.contains("/api/bank/{id}"),
        "the access log names the route"
    );
    for secret in [
        "kanaarilind",
        "38001010004",
        PASSWORD,
        &first,
        &token,
        cookie.split_once('=').unwrap().1,
    ] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
}
