//! Failed sign-ins wait longer and longer, by user and by address, and never for good.
use axum::body::Body;
use axum::http::Request;

use crate::site::{PASSWORD, Site};

#[tokio::test]
async fn the_tenth_try_waits_and_the_right_password_works_after_it() {
    let site = Site::new().await;
    for try_no in 1..=9 {
        // Each from another network, so that only the user's own count grows.
        let answer = site
            .login_from(&format!("10.0.{try_no}.1"), "taitur", "vale")
            .await;
        assert_eq!(answer.status, 401, "try {try_no}");
    }
    let waiting = site.login_from("10.0.10.1", "taitur", PASSWORD).await;
    assert_eq!(waiting.status, 429, "even the right password waits");
    assert_eq!(waiting.header("retry-after"), Some("1"));
    assert_eq!(
        site.login_from("10.0.10.1", "taitur2", PASSWORD)
            .await
            .status,
        200,
        "others do not wait"
    );

    site.arrange("update login_failures set blocked_until = now()")
        .await;
    assert_eq!(
        site.login_from("10.0.11.1", "taitur", "vale").await.status,
        401
    );
    let longer = site.login_from("10.0.11.1", "taitur", PASSWORD).await;
    assert_eq!(longer.status, 429);
    let wait_s: i64 = sqlx::query_scalar(
        "select extract(epoch from blocked_until - last_at)::bigint from login_failures where key = 'user:taitur'",
    )
    .fetch_one(&site.admin)
    .await
    .unwrap();
    assert_eq!(wait_s, 2, "the wait has grown");
    site.arrange("update login_failures set blocked_until = now()")
        .await;
    assert_eq!(
        site.login_from("10.0.12.1", "taitur", PASSWORD)
            .await
            .status,
        200
    );
    assert_eq!(
        site.login_from("10.0.12.1", "taitur", "vale").await.status,
        401,
        "the count began anew"
    );
}

#[tokio::test]
async fn one_password_on_many_users_waits_by_address() {
    let site = Site::new().await;
    for user in 1..=9 {
        assert_eq!(
            site.login_from("10.1.1.1", &format!("keegi{user}"), "parool")
                .await
                .status,
            401
        );
    }
    assert_eq!(
        site.login_from("10.1.1.200", "keegi10", "parool")
            .await
            .status,
        429,
        "the same /24"
    );
    assert_eq!(
        site.login_from("10.1.2.1", "keegi10", "parool")
            .await
            .status,
        401,
        "another network"
    );
}

#[tokio::test]
async fn parallel_tries_are_counted_one_by_one() {
    let site = Site::new().await;
    let tries = (0..30).map(|i| {
        let site = &site;
        async move {
            site.login_from(&format!("10.2.{i}.1"), "taitur", "vale")
                .await
        }
    });
    let answers = futures::future::join_all(tries).await;
    let looked_at = answers.iter().filter(|answer| answer.status == 401).count();
    let held_back = answers.iter().filter(|answer| answer.status == 429).count();
    let counted: i32 =
        sqlx::query_scalar("select failures from login_failures where key = 'user:taitur'")
            .fetch_one(&site.admin)
            .await
            .unwrap();
    // On a slow machine the first wait may be over before the last try comes.
    assert!(looked_at >= 9 && held_back > 0, "{looked_at} {held_back}");
    assert_eq!(
        (looked_at + held_back, i32::try_from(looked_at).unwrap()),
        (30, counted)
    );
}

#[tokio::test]
async fn a_forwarded_address_counts_only_from_a_trusted_proxy() {
    let attempt = |site: &Site, i: usize| {
        let body = format!(r#"{{"username":"keegi{i}","password":"x"}}"#);
        let request = Request::post("/api/auth/login")
            .header("content-type", "application/json")
            .header("x-forwarded-for", format!("10.3.{i}.1"))
            .header("forwarded", format!("for=10.3.{i}.1"))
            .header("x-real-ip", format!("10.3.{i}.1"))
            .body(Body::from(body))
            .unwrap();
        let router = site.router.clone();
        async move {
            tower::ServiceExt::oneshot(router, request)
                .await
                .unwrap()
                .status()
                .as_u16()
        }
    };
    let open = Site::new().await;
    let behind = Site::with(&[("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let (mut spoofed, mut forwarded) = (Vec::new(), Vec::new());
    for i in 1..=10 {
        spoofed.push(attempt(&open, i).await);
        forwarded.push(attempt(&behind, i).await);
    }
    assert_eq!(spoofed, [401, 401, 401, 401, 401, 401, 401, 401, 401, 429]);
    assert_eq!(forwarded, [401; 10]);
}
