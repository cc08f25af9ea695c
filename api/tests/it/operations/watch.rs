//! Alerts as people see and keep them.
use domain::{Scope, alerts, clock, db};
use serde_json::{Value, json};

use super::points::{Ground, id};

const RULE: &str = r#"{"measure":"oldestWaiting","queue":"register","threshold":10,"minutes":0}"#;

fn rule(threshold: i64) -> Value {
    let mut rule: Value = serde_json::from_str(RULE).unwrap();
    rule["threshold"] = json!(threshold);
    rule
}

/// The last full minute, with so many minutes of waiting among registers.
async fn minute(ground: &Ground, ago: i32, waited: i32) {
    let text = format!(
        "insert into watch_minutes (minute, measure, subject, value)
         values (date_trunc('minute', clock_timestamp()) - interval '{ago} min', 'sampled', '', 1);
         insert into queue_depths (minute, queue, tenant_id, waiting, oldest_s, consumers)
         values (date_trunc('minute', clock_timestamp()) - interval '{ago} min', 'register', {}, 3, {waited} * 60, 20)",
        ground.world.b101.0
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(text))
        .execute(&ground.world.admin)
        .await
        .unwrap();
}

async fn evaluate(ground: &Ground) {
    let mut tx = db::begin(&ground.world.jobs, Scope::Queue).await.unwrap();
    alerts::evaluate(&mut tx, clock::now()).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn point_19_an_alert_is_kept_previewed_fires_once_and_recovers_once() {
    let ground = Ground::new(1).await;
    for ago in 4..=8 {
        minute(&ground, ago, if ago == 6 { 20 } else { 1 }).await;
    }
    let preview = ground.koda.post("/v2/alert_rules/preview", rule(10)).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    let preview = preview.json();
    assert_eq!(
        (&preview["fired"], &preview["value"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(preview["episodes"][0]["peak"], 20);
    let wrong = ground
        .koda
        .post(
            "/v2/alert_rules",
            json!({"measure": "oldestWaiting", "threshold": 1}),
        )
        .await;
    assert_eq!(
        (wrong.status.as_u16(), wrong.paths()),
        (422, vec!["queue".to_owned()])
    );

    let made = ground.koda.post("/v2/alert_rules", rule(10)).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let path = format!("/v2/alert_rules/{}", id(&made));
    minute(&ground, 3, 30).await;
    evaluate(&ground).await;
    evaluate(&ground).await;
    let firing = ground.dev.get("/v2/alerts?firing=true").await.json();
    assert_eq!(firing["totalItems"], 1);
    let alert = &firing["member"][0];
    assert_eq!(
        (
            &alert["peak"],
            &alert["rule"]["measure"],
            &alert["recoveredAt"],
            &alert["silenced"]
        ),
        (
            &json!(30),
            &json!("oldestWaiting"),
            &Value::Null,
            &json!(false)
        )
    );
    let link = alert["link"].as_str().unwrap();
    assert_eq!(
        link,
        "/jobs?queue=%5B%22register%22%5D&state=%5B%22queued%22%2C%22dispatched%22%5D"
    );
    let rules = ground.dev.get("/v2/alert_rules").await.json();
    assert_eq!(
        (&rules["member"][0]["value"], &rules["member"][0]["alert"]),
        (&json!(30), &alert["id"])
    );

    minute(&ground, 2, 0).await;
    minute(&ground, 1, 0).await;
    evaluate(&ground).await;
    evaluate(&ground).await;
    assert_eq!(
        ground.dev.get("/v2/alerts?firing=true").await.json()["totalItems"],
        0
    );
    let all = ground.dev.get("/v2/alerts").await.json();
    assert_eq!(all["totalItems"], 1);
    assert!(all["member"][0]["recoveredAt"].is_string());

    // Silenced, changed and deleted, each on record.
    let until = clock::now() + chrono::TimeDelta::hours(1);
    let silenced = ground
        .koda
        .put(&format!("{path}/silence"), json!({"until": until}))
        .await;
    assert!(
        silenced.json()["silencedUntil"].is_string(),
        "{}",
        silenced.text
    );
    let mut change = rule(20);
    change["version"] = json!(1);
    assert_eq!(ground.koda.put(&path, change.clone()).await.status, 200);
    let stale = ground.koda.put(&path, change).await;
    assert_eq!(stale.status, 412, "{}", stale.text);
    assert_eq!(
        ground.koda.call("DELETE", &path, &[], None).await.status,
        204
    );
    assert_eq!(
        ground.koda.call("DELETE", &path, &[], None).await.status,
        404
    );
    let acts: Vec<String> =
        sqlx::query_scalar("select action from audit where object_class = 'AlertRule' order by id")
            .fetch_all(&ground.world.admin)
            .await
            .unwrap();
    assert_eq!(acts, ["create", "silence", "change", "delete"]);
    for refused in ["/v2/alert_rules", "/v2/alerts"] {
        assert_eq!(ground.kt.get(refused).await.status, 403);
    }
}
