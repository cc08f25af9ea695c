//! /metrics tells what the pages tell, makes it rarely, and says when it cannot.
use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::site::Site;

/// The samples by name with labels.
async fn scrape(site: &Site) -> BTreeMap<String, f64> {
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let router = api::metrics::router(site.app.clone());
    let answer = router.oneshot(request).await.unwrap();
    let kind = &answer.headers()["content-type"];
    assert_eq!(kind, "text/plain; version=0.0.4; charset=utf-8");
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    let split = samples.map(|line| line.rsplit_once(' ').unwrap());
    split
        .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
        .collect()
}

#[tokio::test]
async fn the_series_of_the_pages_are_the_overviews_numbers() {
    let mut site = Site::new().await;
    crate::operations::arrange(&mut site).await;
    let token = site.token("arendaja/dev/koda").await;
    let told = site.get("/v2/operations", &token).await.body;
    let shown = scrape(&site).await;
    assert_eq!(shown["pages_up"], 1.0);
    let queues = told["queues"].as_array().unwrap();
    assert_eq!(queues.len(), 7);
    for queue in queues {
        let name = queue["name"].as_str().unwrap();
        let of = |series: &str| shown[&format!("{series}{{queue=\"{name}\"}}")];
        for (series, field) in [
            ("queue_waiting_jobs", "/waiting/value"),
            ("queue_retrying_jobs", "/retrying/value"),
            ("queue_running_jobs", "/running"),
            ("queue_failed_day_jobs", "/failed24h/value"),
            ("queue_done_per_minute", "/donePerMinute"),
            ("queue_failed_per_minute", "/failedPerMinute"),
            ("queue_slots", "/concurrency"),
            ("queue_workers_alive", "/workers/alive"),
            ("queue_waiting_bureaus", "/bureaus"),
        ] {
            let told = queue.pointer(field).unwrap().as_f64().unwrap();
            assert_eq!(of(series), told, "{series} of {name}");
        }
        let paused = f64::from(u8::from(!queue["pause"].is_null()));
        assert_eq!(of("queue_paused"), paused, "{name}");
        let word = queue["state"].as_str().unwrap();
        let state = format!("queue_state{{queue=\"{name}\",state=\"{word}\"}}");
        assert_eq!(shown[&state], 1.0, "{name}");
    }
    let register = &told["registers"][0];
    let allowed = register["allowedPerSecond"].as_f64().unwrap();
    assert_eq!(shown["register_rate_allowed{register=\"tarn\"}"], allowed);
    let failed = "queue_failed_day_jobs{queue=\"register\"}";
    assert!(shown[failed] > 0.0, "{shown:?}");
    let groups = told["errors"]["total"]["value"].as_f64().unwrap();
    assert_eq!(shown["error_groups"], groups);
    assert_eq!(shown["actions_open{kind=\"operator\"}"], 4.0);
}

#[tokio::test]
async fn they_are_made_once_for_all_who_ask_and_are_gone_with_the_database() {
    let site = Site::new().await;
    let first = scrape(&site).await;
    sqlx::query("insert into jobs (tenant_id, queue, kind) values ($1, 'bulk', 'TouchCase')")
        .bind(site.id("bureau101"))
        .execute(&site.admin)
        .await
        .unwrap();
    let waiting = "queue_waiting_jobs{queue=\"bulk\"}";
    let again = scrape(&site).await;
    assert_eq!((first[waiting], again[waiting]), (0.0, 0.0));
    assert_eq!(first["pages_make_seconds"], again["pages_make_seconds"]);
    assert!(again["pages_age_seconds"] > first["pages_age_seconds"]);

    let other = Site::new().await;
    sqlx::query("alter table queue_minutes rename to gone")
        .execute(&other.admin)
        .await
        .unwrap();
    let blind = scrape(&other).await;
    assert_eq!(blind["pages_up"], 0.0);
    assert!(!blind.keys().any(|name| name.starts_with("queue_")));
    let own = "build_info{process=\"api\",version=\"0.1.0\"}";
    assert_eq!(blind[own], 1.0);
}
