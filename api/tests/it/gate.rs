//! What every answer carries, and what no request gets past.
use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::site::Site;

#[tokio::test]
async fn answers_carry_the_security_headers() {
    let site = Site::new().await;
    for path in [
        "/api/bank",
        "/api/none",
        "/healthz",
        "/api/docs/",
        "/api/openapi.json",
        "/missing.js",
    ] {
        let answer = site
            .send(Request::get(path).body(Body::empty()).unwrap())
            .await;
        let csp = answer.header("content-security-policy").unwrap();
        for part in [
            "default-src 'self'",
            "script-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(csp.contains(part), "{path}: {csp}");
        }
        assert!(!csp.contains("unsafe-inline"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(
            answer.header("strict-transport-security"),
            None,
            "plain http"
        );
        if path.starts_with("/api") {
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        }
    }
    let behind = Site::with(&[("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let request = Request::get("/healthz").header("x-forwarded-proto", "https");
    let answer = behind.send(request.body(Body::empty()).unwrap()).await;
    assert!(answer.header("strict-transport-security").is_some());
}

#[tokio::test]
async fn the_request_id_comes_back_unless_it_is_odd() {
    let site = Site::new().await;
    for (given, kept) in [
        ("abc-123_4.5", true),
        ("a b", false),
        ("a\"b", false),
        (&"x".repeat(65), false),
    ] {
        let request = Request::get("/api/bank").header("x-request-id", given);
        let answer = site.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(
            answer.header("x-request-id") == Some(given),
            kept,
            "{given}"
        );
        assert_eq!(
            answer.body["requestId"].as_str(),
            answer.header("x-request-id")
        );
    }
}

#[tokio::test]
async fn a_request_is_of_the_trace_that_its_caller_began() {
    let site = Site::new().await;
    let id = "0192f0c4-7a10-7c3e-8d52-1f0a6b7c8d90";
    let digits = id.replace('-', "");
    let begun = format!("00-{digits}-00f067aa0ba902b7-01");
    let hashed = "2c26b46b68ffc68ff99b453c1d304134"; // printf foo | sha256sum
    let odd = "00-zz-00f067aa0ba902b7-01";
    let cases: [(&[(&str, &str)], &str, &str); 4] = [
        (&[("traceparent", &begun)], id, &digits),
        (&[("x-request-id", id)], id, &digits),
        (
            &[("traceparent", &begun), ("x-request-id", "foo")],
            "foo",
            hashed,
        ),
        (&[("traceparent", odd), ("x-request-id", id)], id, &digits),
    ];
    for (headers, request, trace) in cases {
        let mut asked = Request::get("/api/bank");
        for (name, value) in headers {
            asked = asked.header(*name, *value);
        }
        let answer = site.send(asked.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.body["requestId"], request);
        assert_eq!(answer.body["traceId"], trace);
    }
}

#[tokio::test]
async fn odd_requests_get_their_status() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    let cases: [(&str, &str, &[(&str, &str)], u16); 15] = [
        ("GET", "/api/none", &[], 404),
        ("GET", "/api", &[], 404),
        ("GET", "/api/v2/none", &[], 404),
        ("GET", "/api/%ff", &[], 404),
        ("GET", "/%ff", &[], 404),
        ("GET", "/api/%00", &[], 404),
        ("GET", "/%00", &[], 404),
        ("GET", "/../../etc/passwd.txt", &[], 404),
        ("DELETE", "/api/bank", &[], 405),
        ("PATCH", "/api/v2/claim_types", &[], 405),
        ("TRACE", "/api/bank", &[], 405),
        ("TRACE", "/", &[], 405),
        (
            "POST",
            "/api/bank",
            &[("x-http-method-override", "GET")],
            400,
        ),
        (
            "GET",
            "/api/v2/claim_types",
            &[("accept", "image/png")],
            406,
        ),
        (
            "GET",
            "/api/v2/claim_types",
            &[("accept", "application/ld+json, application/json")],
            200,
        ),
    ];
    for (method, path, headers, expected) in cases {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {token}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = site.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status.as_u16(), expected, "{method} {path}");
        if expected == 405 {
            assert_eq!(answer.header("allow"), Some("GET,HEAD"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn refusals_have_the_style_of_their_path() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    let v1 = site.get("/bank/0", &token).await;
    assert_eq!(v1.header("content-type"), Some("application/json"));
    assert_eq!(v1.body["message"], "Ei leitud.");
    let v2 = site.get("/v2/none", &token).await;
    assert_eq!(
        v2.header("content-type"),
        Some("application/ld+json; charset=utf-8")
    );
    assert_eq!(
        (&v2.body["@type"], &v2.body["status"], &v2.body["type"]),
        (&json!("Error"), &json!(404), &json!("/errors/404"))
    );
    assert!(v2.header("link").unwrap().contains("hydra/error"));
    let wrong = site.get("/v2/claim_types?pages=1", &token).await;
    let kind = wrong.body["type"].as_str().unwrap();
    assert_eq!(
        (&wrong.body["@type"], &wrong.body["detail"]),
        (
            &json!("ConstraintViolationList"),
            &json!("pages: Tundmatu väli.")
        )
    );
    assert!(kind.starts_with("/validation_errors/"));
    let request = Request::get("/api/v2/none")
        .header("accept", "application/problem+json")
        .body(Body::empty())
        .unwrap();
    assert_eq!(
        site.send(request).await.header("content-type"),
        Some("application/problem+json")
    );
}

#[tokio::test]
async fn a_failed_statement_leaks_nothing() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    assert_eq!(
        site.send(Request::get("/readyz").body(Body::empty()).unwrap())
            .await
            .status,
        200
    );
    sqlx::query("drop table banks cascade")
        .execute(&site.admin)
        .await
        .unwrap();
    let broken = site.get("/bank", &token).await;
    assert_eq!(broken.status, 500);
    for word in ["banks", "select", "relation", "sqlx", ".rs"] {
        assert!(!broken.text.contains(word), "{}", broken.text);
    }
    assert_eq!(
        broken.body["requestId"].as_str(),
        broken.header("x-request-id")
    );
}

async fn panics() -> axum::http::StatusCode {
    panic!("kanaarilind-paanika")
}

#[tokio::test]
async fn a_panic_is_a_500_without_details() {
    let site = Site::new().await;
    let layer = axum::middleware::from_fn_with_state(site.app.clone(), api::gate::pass);
    let routes = axum::Router::new()
        .route("/api/v2/panic", axum::routing::get(panics))
        .layer(layer);
    let request = Request::get("/api/v2/panic").body(Body::empty()).unwrap();
    let answer = tower::ServiceExt::oneshot(routes, request).await.unwrap();
    assert_eq!(answer.status(), 500);
    let body = http_body_util::BodyExt::collect(answer.into_body())
        .await
        .unwrap()
        .to_bytes();
    let text = String::from_utf8_lossy(&body);
    assert!(
        !text.contains("kanaarilind") && text.contains("requestId"),
        "{text}"
    );
}

#[tokio::test]
async fn the_console_and_the_document_are_served() {
    let folder = std::env::temp_dir().join(format!("toimik-console-{}", uuid::Uuid::new_v4()));
    std::fs::create_dir_all(folder.join("assets")).unwrap();
    std::fs::write(folder.join("index.html"), "<title>Toimik</title>").unwrap();
    std::fs::write(folder.join("assets/app-1.js"), "1").unwrap();
    std::fs::write(folder.join("assets/app-1.js.br"), "packed").unwrap();
    let site = Site::with(&[
        ("CONSOLE_DIR", folder.to_str().unwrap()),
        ("API_DOCS", "on"),
    ])
    .await;
    for (path, status, kept) in [
        ("/", 200, "no-cache"),
        ("/case_list/7", 200, "no-cache"),
        (
            "/assets/app-1.js",
            200,
            "public, max-age=31536000, immutable",
        ),
        ("/assets/none.js", 404, "no-cache"),
        ("/..%2f..%2fetc%2fpasswd", 404, "no-cache"),
        ("/assets/app-1.js/", 404, "no-cache"),
    ] {
        let answer = site
            .send(Request::get(path).body(Body::empty()).unwrap())
            .await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("cache-control")),
            (status, Some(kept)),
            "{path}"
        );
        assert!(!answer.text.contains("root:"));
    }
    let packed = Request::get("/assets/app-1.js")
        .header("accept-encoding", "gzip, br")
        .body(Body::empty())
        .unwrap();
    let packed = site.send(packed).await;
    assert_eq!(packed.header("content-encoding"), Some("br"));
    assert_eq!(packed.header("vary"), Some("accept-encoding"));
    assert_eq!(packed.text, "packed", "as the build packed it");
    for path in ["/", "/case_list/7", "/assets/app-1.js", "/none.js"] {
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"] {
            let request = Request::builder().method(method).uri(path);
            let answer = site.send(request.body(Body::from("{}")).unwrap()).await;
            assert_eq!(answer.status.as_u16(), 405, "{method} {path}");
            assert_eq!(answer.header("allow"), Some("GET,HEAD"), "{method} {path}");
            assert_eq!(
                (answer.header("content-type"), &answer.body["status"]),
                (Some("application/problem+json"), &json!(405)),
                "{method} {path}"
            );
        }
        let request = Request::head(path).body(Body::empty()).unwrap();
        let answer = site.send(request).await;
        assert_eq!(answer.status == 404, path == "/none.js", "HEAD {path}");
    }
    std::fs::remove_dir_all(folder).unwrap();
    let document = site
        .send(
            Request::get("/api/openapi.json")
                .body(Body::empty())
                .unwrap(),
        )
        .await;
    assert_eq!(document.body["openapi"], "3.1.0");
    assert!(
        site.send(Request::get("/api/docs/").body(Body::empty()).unwrap())
            .await
            .text
            .contains("swagger")
    );
    let closed = Site::new().await;
    for path in ["/api/openapi.json", "/api/docs/"] {
        assert_eq!(
            closed
                .send(Request::get(path).body(Body::empty()).unwrap())
                .await
                .status,
            404
        );
    }
}

#[tokio::test]
async fn a_database_that_is_away_is_a_503() {
    let site = Site::new().await;
    let database = site.app.config.database.clone().port(1);
    let config = api::config::Config {
        database,
        ..(*site.app.config).clone()
    };
    let away = api::app::router(api::app::App::new(config).unwrap());
    for path in ["/readyz", "/api/bank"] {
        let request =
            Request::get(path).header("authorization", format!("Bearer {}", "s".repeat(43)));
        let answer = tower::ServiceExt::oneshot(away.clone(), request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(answer.status(), 503, "{path}");
        assert_eq!(answer.headers()["retry-after"], "2", "{path}");
    }
    let request = Request::get("/healthz").body(Body::empty()).unwrap();
    assert_eq!(
        tower::ServiceExt::oneshot(away, request)
            .await
            .unwrap()
            .status(),
        200
    );
}
