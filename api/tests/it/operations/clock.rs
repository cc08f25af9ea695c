//! The clock as people see and steer it.
use serde_json::{Value, json};

use super::points::Ground;
use crate::bulk_actions::client::{Answer, Client};

async fn post(client: &Client, path: &str, body: Value, status: u16) -> Answer {
    let answer = client.post(path, body).await;
    assert_eq!(answer.status, status, "{path}: {}", answer.text);
    answer
}

async fn read(client: &Client, path: &str, status: u16) -> Value {
    let answer = client.get(path).await;
    assert_eq!(answer.status, status, "{path}: {}", answer.text);
    answer.json()
}

/// Firings of the first cron, as a scheduler and workers would have left them.
const HISTORY: &str = "
    insert into crons (name, decided_at) values ('reconcile-case-list', clock_timestamp() - interval '1 hour'),
      ('expire-sessions', clock_timestamp() - interval '2 hours');
    insert into cron_runs (cron, scheduled_at, fired_at, outcome, started_at, finished_at)
    select 'reconcile-case-list', at, at + interval '1 s', case when n = 1 then 'failed' else 'ok' end,
           at + interval '2 s', at + interval '2 s' + n * interval '1 s'
    from (select n, clock_timestamp() - n * interval '1 day' as at from generate_series(1, 40) n) d;
    update cron_runs set fired_at = scheduled_at + interval '10 min'
    where scheduled_at = (select max(scheduled_at) from cron_runs where outcome = 'ok');
    insert into cron_runs (cron, scheduled_at, fired_at, outcome, overlapped)
    select 'reconcile-case-list', at, at, 'skipped', true from (select clock_timestamp() - interval '12 hours' as at) d;
    insert into cron_runs (cron, scheduled_at, outcome)
    values ('reconcile-case-list', clock_timestamp() - interval '11 hours', 'missed');";

fn button<'a>(cron: &'a Value, name: &str) -> &'a Value {
    let all = cron["allowedActions"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap()
}

#[tokio::test]
async fn point_17_crons_show_what_comes_and_how_it_went_and_are_steered() {
    let ground = Ground::new(1).await;
    let (dev, koda) = (&ground.dev, &ground.koda);
    sqlx::raw_sql(HISTORY)
        .execute(&ground.world.admin)
        .await
        .unwrap();

    let list = read(koda, "/cron", 200).await;
    let crons = list["items"].as_array().unwrap();
    assert_eq!(list["total_item_count"], json!(crons.len()));
    assert!(
        crons
            .iter()
            .all(|cron| cron["next"].as_array().unwrap().len() == 5)
    );
    let late: Vec<&Value> = crons
        .iter()
        .filter(|cron| !cron["late_since"].is_null())
        .collect();
    assert_eq!(
        late.len(),
        1,
        "due every quarter of an hour and silent for two"
    );
    assert_eq!(late[0]["name"], "expire-sessions");

    let one = read(koda, "/cron/1", 200).await;
    let runs = one["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 30);
    let sketch = |run: &Value| {
        json!([
            run["outcome"],
            run["duration_ms"],
            run["late"],
            run["overlapped"]
        ])
    };
    assert_eq!(
        runs[..4].iter().map(sketch).collect::<Vec<_>>(),
        [
            json!(["missed", null, false, false]),
            json!(["skipped", null, false, true]),
            json!(["failed", 1_000, false, false]),
            json!(["ok", 2_000, true, false]),
        ]
    );
    assert_eq!(one["failures"], 1);

    // Run now: once for one key, and not while the last one lives.
    let headers = [("idempotency-key", "k1")];
    let mut made = Vec::new();
    for _ in 0..2 {
        let answer = koda
            .call("POST", "/cron/1/execute", &headers, Some("{}"))
            .await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        made.push(answer.json());
    }
    assert_eq!(made[0], made[1]);
    let again = post(koda, "/cron/1/execute", json!({}), 409).await;
    assert_eq!(again.json()["message"], "Eelmine käivitus veel käib.");
    let one = read(koda, "/cron/1", 200).await;
    let last = &one["runs"][0];
    assert_eq!(
        (&last["job"], &last["outcome"], &last["ordered_by"]["name"]),
        (&made[0]["job"], &json!("waiting"), &json!("Mari Maasikas"))
    );
    assert_eq!(
        button(&one, "execute")["reason"],
        "Eelmine käivitus veel käib."
    );
    assert_eq!(
        button(&one, "disable")["allowed"],
        false,
        "that is the operator's"
    );

    // Off with a reason, and on again.
    post(dev, "/cron/2/disable", json!({"reason": " "}), 422).await;
    let off = post(dev, "/cron/2/disable", json!({"reason": "Hooldus"}), 200)
        .await
        .json();
    assert_eq!(off["disabled"]["reason"], "Hooldus");
    assert_eq!(off["next"], json!([]));
    assert_eq!(off["late_since"], Value::Null);
    post(dev, "/cron/2/reopen", json!({}), 409).await;
    let on = post(dev, "/cron/2/enable", json!({}), 200).await.json();
    assert_eq!(on["disabled"], Value::Null);

    // What the machine has shut is opened again by another button.
    sqlx::raw_sql(
        "update crons set shut_at = clock_timestamp(), shut_reason = '3 käivitust järjest ebaõnnestus.' where name = 'expire-sessions'",
    )
    .execute(&ground.world.admin)
    .await
    .unwrap();
    let shut = read(dev, "/cron/2", 200).await;
    assert_eq!(button(&shut, "reopen")["allowed"], true);
    assert_eq!(button(&shut, "enable")["allowed"], false);
    post(dev, "/cron/2/enable", json!({}), 409).await;
    post(dev, "/cron/2/reopen", json!({}), 200).await;

    for path in ["/cron", "/cron/1"] {
        read(&ground.kt, path, 403).await;
    }
    read(dev, "/cron/99", 404).await;
}
