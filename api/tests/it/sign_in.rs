//! Signing in, coming back, choosing a role, signing out.
use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use sqlx::ConnectOptions;

use crate::site::{Answer, PASSWORD, Site, cookie_of};

async fn verify(site: &Site, cookie: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::post("/api/auth/verify")
        .header("host", "127.0.0.1:8080")
        .header("cookie", cookie);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_person_signs_in_chooses_a_role_and_signs_out() {
    let site = Site::new().await;
    let login = site.login("mitu", PASSWORD).await;
    assert_eq!(login.status, 200, "{}", login.text);
    assert_eq!(login.body["id"], site.id("mitu"));
    assert_eq!(login.body["role"], json!(null));
    let roles: Vec<String> = login.body["roles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|role| {
            format!(
                "{} {} {}",
                role["tenant_code"].as_str().unwrap(),
                role["role"].as_str().unwrap(),
                role["role_code"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        roles,
        ["101 KT ROLE_KT", "102 KT ROLE_KT", "koda koda ROLE_KODA"]
    );
    let cookie = login.header("set-cookie").unwrap();
    assert!(
        cookie.starts_with("__Host-toimik=")
            && cookie.ends_with("; Path=/; Secure; HttpOnly; SameSite=Strict"),
        "{cookie}"
    );

    // Without a role: only the person himself.
    let token = login.body["token"].as_str().unwrap();
    assert_eq!(site.get("/user/list", token).await.status, 403);
    assert_eq!(
        site.get(&format!("/user/{}", site.id("mitu")), token)
            .await
            .status,
        200
    );

    let role = json!({"role_id": site.id("mitu/KT/102")}).to_string();
    let chosen = site.call("POST", "/auth/role-select", token, &role).await;
    assert_eq!(chosen.status, 200, "{}", chosen.text);
    assert_eq!(chosen.body["tenant_id"], site.id("bureau102"));
    assert_eq!(chosen.body["role"]["tenant_name"], "Teine büroo");
    let new = chosen.body["token"].as_str().unwrap();
    assert_ne!(new, token);
    assert_eq!(site.get("/bank", new).await.status, 200);
    assert_eq!(
        site.get("/bank", token).await.status,
        401,
        "the token before the choice is void"
    );

    let back = verify(&site, &cookie_of(&login), &[]).await;
    assert_eq!(back.status, 200, "{}", back.text);
    assert_eq!(back.body["role"]["id"], site.id("mitu/KT/102"));
    let second_tab = back.body["token"].as_str().unwrap();
    assert_eq!(site.get("/bank", second_tab).await.status, 200);

    let out = site.call("POST", "/auth/logout", new, "").await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").unwrap().ends_with("Max-Age=0"));
    for token in [new, second_tab] {
        assert_eq!(site.get("/bank", token).await.status, 401);
    }
    assert_eq!(verify(&site, &cookie_of(&login), &[]).await.status, 401);
    for action in ["sign_in", "choose_role", "sign_out"] {
        assert_eq!(site.audited(action).await, 1, "{action}");
    }
}

/// Each tab takes a token of its own; no number of calls makes more than any person has tabs.
#[tokio::test]
async fn a_session_holds_fifty_tokens_at_most() {
    let site = Site::new().await;
    let cookie = cookie_of(&site.login("taitur", crate::site::PASSWORD).await);
    let held = async || -> i64 {
        sqlx::query_scalar("select count(*) from session_tokens")
            .fetch_one(&site.admin)
            .await
            .unwrap()
    };
    let mut last = verify(&site, &cookie, &[]).await;
    for _ in 0..60 {
        last = verify(&site, &cookie, &[]).await;
        assert_eq!(last.status, 200);
    }
    assert_eq!(held().await, 50);
    let newest = last.body["token"].as_str().unwrap();
    let me = format!("/user/{}", site.id("taitur"));
    assert_eq!(site.get(&me, newest).await.status, 200);
    site.arrange("update session_tokens set expires_at = now()")
        .await;
    verify(&site, &cookie, &[]).await;
    assert_eq!(held().await, 1);
}

#[tokio::test]
async fn a_wrong_password_an_unknown_and_a_disabled_user_look_the_same() {
    let site = Site::new().await;
    site.arrange("update users set disabled_at = now() where username = 'lahkunud'")
        .await;
    let long = "x".repeat(5_000);
    let composed = "e\u{301}\u{1F511} ".repeat(20);
    let mut bodies = Vec::new();
    for (user, password) in [
        ("taitur", "vale"),
        ("taitur", "toimik-demo "),
        ("taitur", &composed),
        ("taitur", &long),
        ("taitur", "toimik-demo\0"),
        ("keegi", PASSWORD),
        ("lahkunud", PASSWORD),
    ] {
        let before = site.app.metrics.passwords();
        let mut answer = site.login(user, password).await;
        assert_eq!(answer.status, 401, "{user}");
        // Equal time by equal work: whoever is asked for, one password is hashed.
        assert_eq!(site.app.metrics.passwords(), before + 1, "{user}");
        answer.body["requestId"] = json!(null);
        answer.body["traceId"] = json!(null);
        bodies.push(answer.body.to_string());
    }
    bodies.dedup();
    assert_eq!(
        bodies,
        [
            json!({"message": "Sisestatud kasutajatunnus või parool on vale", "requestId": null, "traceId": null})
                .to_string()
        ]
    );
    assert_eq!(site.audited("sign_in_refused").await, 7);
}

#[tokio::test]
async fn a_name_is_found_in_any_spelling() {
    let site = Site::new().await;
    for name in ["TAITUR", "ｔａｉｔｕｒ", " taitur "] {
        assert_eq!(site.login(name, PASSWORD).await.status, 200, "{name}");
    }
    for name in ["taіtur", "taitur\u{200b}"] {
        assert_eq!(site.login(name, PASSWORD).await.status, 401, "{name}");
    }
}

#[tokio::test]
async fn a_role_of_another_person_is_refused_and_the_token_lives_on() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    for role in [
        site.id("koda/koda/koda"),
        site.id("taitur2/KT/102"),
        0,
        i64::MAX,
    ] {
        let answer = site
            .call(
                "POST",
                "/auth/role-select",
                &token,
                &json!({"role_id": role}).to_string(),
            )
            .await;
        assert_eq!(answer.status, 403, "{role}");
    }
    assert_eq!(site.get("/bank", &token).await.status, 200);
    assert_eq!(site.audited("refused").await, 4);
}

#[tokio::test]
async fn the_cookie_is_read_only_by_calls_of_our_own_pages() {
    let site = Site::new().await;
    let cookie = cookie_of(&site.login("taitur", PASSWORD).await);
    for (headers, expected) in [
        (vec![("origin", "http://127.0.0.1:8080")], 200),
        (
            vec![
                ("origin", "http://127.0.0.1:8080"),
                ("sec-fetch-site", "same-origin"),
            ],
            200,
        ),
        (vec![("origin", "null")], 403),
        (vec![("origin", "http://evil.ee")], 403),
        (vec![("origin", "http://127.0.0.1:8080.evil.ee")], 403),
        (vec![("sec-fetch-site", "cross-site")], 403),
        (vec![("content-type", "text/plain")], 415),
        (
            vec![("content-type", "application/x-www-form-urlencoded")],
            415,
        ),
    ] {
        assert_eq!(
            verify(&site, &cookie, &headers).await.status,
            expected,
            "{headers:?}"
        );
    }
    let request = Request::get("/api/bank")
        .header("host", "127.0.0.1:8080")
        .header("cookie", &cookie);
    assert_eq!(
        site.send(request.body(Body::empty()).unwrap()).await.status,
        401,
        "no other call reads the cookie"
    );
    assert_eq!(verify(&site, "__Host-toimik=abc", &[]).await.status, 401);
    assert_eq!(verify(&site, "other=1", &[]).await.status, 401);
}

#[tokio::test]
async fn no_other_origin_is_allowed() {
    let site = Site::new().await;
    for origin in [
        "null",
        "https://evil.ee",
        "http://sub.127.0.0.1:8080",
        "https://127.0.0.1:8080",
    ] {
        for method in ["GET", "OPTIONS"] {
            let request = Request::builder()
                .method(method)
                .uri("/api/bank")
                .header("host", "127.0.0.1:8080")
                .header("origin", origin)
                .header("access-control-request-method", "GET");
            let answer = site.send(request.body(Body::empty()).unwrap()).await;
            assert!(
                answer
                    .headers
                    .keys()
                    .all(|name| !name.as_str().starts_with("access-control")),
                "{origin} {method}"
            );
        }
    }
}

#[tokio::test]
async fn people_sign_in_while_the_database_has_no_connection_left() {
    let site = Site::new().await;
    // As the process does before it listens.
    domain::db::open_all(&site.app.auth_pool).await.unwrap();
    sqlx::raw_sql("do $$ begin execute format('alter database %I connection limit 0', current_database()); end $$")
        .execute(&site.admin)
        .await
        .unwrap();
    let refused = site.app.pool.connect_options().connect().await.unwrap_err();
    let code = refused
        .into_database_error()
        .map(|error| error.code().map(|code| code.to_string()));
    assert_eq!(code, Some(Some("53300".into())));
    let people = ["taitur", "taitur2", "koda", "arendaja"];
    let signing = people.map(|name| site.login(name, PASSWORD));
    for login in futures::future::join_all(signing).await {
        assert_eq!(login.status, 200, "{}", login.text);
    }
}
