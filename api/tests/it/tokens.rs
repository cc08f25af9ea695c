//! What a bearer token is worth: forged, aged, rotated, revoked.
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use domain::ids::RoleId;
use domain::sessions::{self, Checked};
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use sqlx::Connection;

use crate::site::Site;

#[tokio::test]
async fn forged_tokens_are_refused_in_the_same_words() {
    let site = Site::new().await;
    let good = site.token("taitur/KT/101").await;
    let mut flipped = good.clone().into_bytes();
    flipped[0] ^= 1;
    let encode = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
    let claims = encode(r#"{"sub":"1","role":"koda","exp":9999999999}"#);
    let mut tokens = vec![
        String::from_utf8(flipped).unwrap(),
        good[..42].to_owned(),
        format!("{good}x"),
        "x".repeat(50_000),
    ];
    for header in [
        r#"{"alg":"none"}"#,
        r#"{"alg":"nOnE"}"#,
        r#"{"alg":"HS256","kid":"../../etc/passwd"}"#,
        r#"{"alg":"HS256","kid":"' or 1=1 --"}"#,
        r#"{"alg":"RS256","jku":"http://evil.ee/jwks"}"#,
        r#"{"alg":"HS256","jwk":{"kty":"oct","k":"AA"}}"#,
    ] {
        tokens.push(format!("{}.{claims}.", encode(header)));
    }
    let mut bodies = Vec::new();
    for token in &tokens {
        let mut answer = site.get("/bank", token).await;
        assert_eq!(answer.status, 401, "{}", &token[..token.len().min(80)]);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        answer.body["requestId"] = serde_json::Value::Null;
        answer.body["traceId"] = serde_json::Value::Null;
        bodies.push(answer.body.to_string());
    }
    let mut nobody = site.get("/bank", "").await;
    nobody.body["requestId"] = serde_json::Value::Null;
    nobody.body["traceId"] = serde_json::Value::Null;
    bodies.push(nobody.body.to_string());
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(site.get("/bank", &good).await.status, 200);
}

#[tokio::test]
async fn a_token_dies_of_age_idleness_and_its_session() {
    let site = Site::new().await;
    for change in [
        "update session_tokens set expires_at = now()",
        "update sessions set expires_at = now()",
        "update sessions set seen_at = now() - interval '30 minutes'",
        "update sessions set ended_at = now(), ended_why = 'test'",
        "update users set disabled_at = now()",
        "update user_roles set ended_at = now()",
    ] {
        site.arrange("update users set disabled_at = null; update user_roles set ended_at = null")
            .await;
        let token = site.token("taitur/KT/101").await;
        assert_eq!(
            site.get("/bank", &token).await.status,
            200,
            "before {change}"
        );
        site.arrange(change).await;
        assert_eq!(
            site.get("/bank", &token).await.status,
            401,
            "after {change}"
        );
    }
}

#[tokio::test]
async fn an_old_token_is_replaced_and_works_half_a_minute_more() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    assert_eq!(
        site.get("/bank", &token).await.header("refresh-token"),
        None
    );
    site.arrange("update session_tokens set created_at = now() - interval '8 minutes'")
        .await;

    // Parallel calls: all work, one alone gets the new token.
    let answers = futures::future::join_all((0..8).map(|_| site.get("/bank", &token))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    let fresh: Vec<&str> = answers
        .iter()
        .filter_map(|answer| answer.header("refresh-token"))
        .collect();
    let [fresh] = fresh.as_slice() else {
        panic!("{fresh:?}")
    };
    assert_eq!(site.get("/bank", fresh).await.status, 200);
    assert_eq!(
        site.get("/bank", &token).await.status,
        200,
        "within the grace"
    );

    // Later use of the old one ends the family.
    site.arrange("update session_tokens set replaced_at = now() - interval '31 seconds' where replaced_at is not null").await;
    assert_eq!(site.get("/bank", &token).await.status, 401);
    assert_eq!(site.get("/bank", fresh).await.status, 401);
    assert_eq!(site.audited("token_reused").await, 1);
}

/// A rotation in flight while a role is chosen: its new token is as void as all others of the session.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotation_never_outlives_the_choice_of_a_role() {
    let site = Site::new().await;
    let token = site.token("taitur").await;
    let mut conn = site.admin.acquire().await.unwrap();
    let Ok(Checked::Valid(signed, None)) = sessions::check(&mut conn, &token, "test").await else {
        panic!("a fresh token")
    };
    site.arrange(
        "update session_tokens set created_at = now() - interval '8 minutes';
         create function held() returns trigger language plpgsql as
           $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
         create trigger held before insert on session_tokens for each row execute function held()",
    )
    .await;
    let waiting = async |count: i64| {
        let seen = async {
            while count
                != sqlx::query_scalar::<_, i64>(
                    "select count(*) from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock'",
                )
                .fetch_one(&site.admin)
                .await
                .unwrap()
            {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), seen)
            .await
            .expect("calls wait");
    };
    let mut held = site.admin.begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(1)")
        .execute(&mut *held)
        .await
        .unwrap();
    let path = format!("/user/{}", site.id("taitur"));
    let choosing = async {
        waiting(1).await;
        let mut tx = conn.begin().await.unwrap();
        let role = RoleId(site.id("taitur/KT/101"));
        let choosing = sessions::choose_role(&mut tx, &signed, role, "test");
        let release = async {
            waiting(2).await;
            held.rollback().await.unwrap();
        };
        futures::future::join(choosing, release).await.0.unwrap();
        tx.commit().await.unwrap();
    };
    let (rotated, ()) = futures::future::join(site.get(&path, &token), choosing).await;
    let fresh = rotated.header("refresh-token").expect("it was due");
    assert_eq!(site.get("/bank", fresh).await.status, 401);
}

#[tokio::test]
async fn only_hashes_are_stored() {
    let site = Site::new().await;
    let login = site.login("taitur", crate::site::PASSWORD).await;
    let token = login.body["token"].as_str().unwrap();
    let cookie = crate::site::cookie_of(&login);
    let secret = cookie.split_once('=').unwrap().1;
    let dump: String = sqlx::query_scalar(
        "select coalesce(string_agg(t::text, ''), '') from (select s::text as t from sessions s union all
         select k::text from session_tokens k union all select a::text from audit a) x",
    )
    .fetch_one(&site.admin)
    .await
    .unwrap();
    for text in [token, secret, crate::site::PASSWORD] {
        assert!(
            !dump.contains(text) && !dump.contains(&hex(text)),
            "a secret is in the database"
        );
    }
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_flood_of_one_session_is_held_back() {
    let site = Site::new().await;
    let (token, other) = (
        site.token("taitur/KT/101").await,
        site.token("taitur2/KT/102").await,
    );
    // The table is held, so that calls stay under way until it is let go.
    let mut holder = site.admin.begin().await.unwrap();
    sqlx::query("lock table claim_types")
        .execute(&mut *holder)
        .await
        .unwrap();
    let mut flood: FuturesUnordered<_> = (0..100)
        .map(|_| site.get("/v2/claim_types", &token))
        .collect();
    for _ in 0..88 {
        let held = flood.next().await.unwrap();
        assert_eq!(
            (held.status.as_u16(), held.header("retry-after")),
            (429, Some("1"))
        );
    }
    assert_eq!(
        site.get("/v2/imports", &other).await.status,
        200,
        "others have connections left"
    );
    holder.rollback().await.unwrap();
    let rest: Vec<_> = flood.collect().await;
    assert_eq!(
        rest.iter().filter(|answer| answer.status == 200).count(),
        12
    );
    assert_eq!(
        site.get("/v2/claim_types", &token).await.status,
        200,
        "afterwards"
    );
}
