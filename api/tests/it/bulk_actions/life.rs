//! An action's life as the console sees it.
use domain::bulk_actions::{Args, Status};
use domain::ids::{BulkActionId, WorkerId};
use domain::jobs::run::claim;
use domain::jobs::{Ending, Queue};
use domain::money::Cents;
use serde_json::json;

use super::client::{Client, served};
use super::world::{Made, World, failed};

#[tokio::test]
async fn from_preview_to_results() {
    let world = World::new().await;
    world.cases(world.b101, 3).await;
    world
        .case(
            world.b101,
            Made {
                index: 4,
                status: 11,
                ..Made::default()
            },
        )
        .await;
    let router = served(&world);
    let kt = Client::new(&router, &world, &world.kt()).await;

    let preview = kt
        .post(
            "/v2/bulk_actions/preview",
            json!({"type": 3, "args": {}, "filters": {}}),
        )
        .await
        .json();
    assert_eq!(
        (preview["count"].as_i64(), preview["leftOut"].as_i64()),
        (Some(4), Some(0))
    );
    assert_eq!(
        preview["skipped"],
        json!([{"reason": "not_editable", "text": "Ei saa hetkel muuta: lõpetamisel 1", "count": 1}])
    );
    assert_eq!(preview["sample"][0]["number"], "101/2024/4");

    let made = kt
        .post("/v2/bulk_actions", json!({"type": 3, "args": {}}))
        .await;
    let action = made.json();
    assert_eq!(
        (made.status.as_u16(), action["@type"].as_str()),
        (201, Some("BulkAction"))
    );
    let id = action["id"].as_i64().unwrap();
    let frozen = kt
        .post(
            &format!("/v2/bulk_actions/{id}/cases"),
            json!({"filters": {}, "expectedCount": 4}),
        )
        .await;
    assert_eq!(
        (frozen.status.as_u16(), frozen.json()),
        (200, json!({"id": id, "totalItems": 4}))
    );
    assert_eq!(
        kt.post(
            &format!("/v2/bulk_actions/{id}/cases"),
            json!({"filters": {}})
        )
        .await
        .status,
        409
    );

    let path = format!("/v2/bulk_actions/{id}");
    let polled = kt.get(&path).await;
    let body = polled.json();
    assert_eq!(
        body["counts"],
        json!({"total": 4, "queued": 4, "running": 0, "ok": 0, "failed": 0, "cancelled": 0, "warning": 0})
    );
    assert_eq!(body["createdBy"]["name"], "Mari Maasikas");
    assert_eq!(
        (
            body["createdBy"]["role"].as_str(),
            body["createdBy"]["tenantCode"].as_str()
        ),
        (Some("KT"), Some("101"))
    );
    let names: Vec<_> = body["allowedActions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["name"].as_str().unwrap(),
                one["allowed"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("retry", false),
            ("cancel", true),
            ("pause", true),
            ("resume", false),
            ("pace", true),
            ("child", false),
        ]
    );
    let tag = polled.headers["etag"].to_str().unwrap().to_owned();
    let again = kt
        .call("GET", &path, &[("if-none-match", &tag)], None)
        .await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));

    let jobs = world.claim_all(Queue::Bulk).await;
    world
        .end(&jobs, |n| if n == 0 { failed() } else { Ending::Ok })
        .await;
    sqlx::query("update jobs set output = '' where id = $1")
        .bind(jobs[0].id.0)
        .execute(&world.admin)
        .await
        .unwrap();
    sqlx::query("update jobs set output = '=1+1' where id = $1")
        .bind(jobs[1].id.0)
        .execute(&world.admin)
        .await
        .unwrap();
    let tasks = format!(
        "/v2/bulk_action_tasks?bulkAction={id}&order[caseYear]=desc&order[caseIndex]=desc&page=1&limit=25"
    );
    let list = kt.get(&tasks).await.json();
    assert_eq!(
        (
            list["totalItems"].as_i64(),
            list["member"][0]["caseNumber"].as_str()
        ),
        (Some(4), Some("101/2024/4"))
    );
    assert_eq!(list["member"][0]["output"], "Alamtegevus ebaõnnestus.");
    assert_eq!(
        list["member"][0]["caseId"],
        format!("/v2/enforcement_cases/{}", jobs[0].case_id.unwrap())
    );
    let failed_only = kt.get(&format!("{tasks}&status=3")).await.json();
    assert_eq!(failed_only["totalItems"], 1);
    for (query, total) in [
        ("status=1&state=queued", 0),
        ("status[]=2&status[]=3", 4),
        ("output=rida", 2),
        ("output=r", 4),
    ] {
        assert_eq!(
            kt.get(&format!("{tasks}&{query}")).await.json()["totalItems"],
            total,
            "{query}"
        );
    }
    let csv = kt
        .call("GET", &tasks, &[("accept", "text/csv")], None)
        .await;
    assert_eq!(csv.headers["content-type"], "text/csv; charset=utf-8");
    let lines: Vec<&str> = csv.text.split("\r\n").collect();
    assert_eq!(
        lines[..3],
        [
            "\u{feff}staatus;toimiku number;tulemus",
            "ebaõnnestunud;101/2024/4;Alamtegevus ebaõnnestus.",
            "õnnestunud;101/2024/3;'=1+1"
        ]
    );
    assert_eq!(lines.len(), 6);

    let one = kt
        .get(&format!(
            "/v2/tasks_wip_and_failed_of_bulk_action?bulkAction=/v2/bulk_actions/{id}"
        ))
        .await
        .json();
    assert_eq!(one["member"][0]["id"], jobs[0].id.0);
    assert_eq!(
        kt.put(&format!("/v2/bulk_action/{id}/success"), json!({}))
            .await
            .status,
        409
    );
    assert_eq!(
        kt.put(&format!("/v2/bulk_action/{id}/fail"), json!({}))
            .await
            .json()["status"],
        3
    );
    let done = kt
        .put(
            &format!("/v2/bulk_action_tasks/{}", jobs[0].id),
            json!({"status": 2, "reason": "Käsitsi tehtud"}),
        )
        .await;
    assert_eq!(
        (done.status.as_u16(), done.json()["status"].as_i64()),
        (200, Some(2))
    );
    assert_eq!(kt.get(&path).await.json()["status"], 2);
    assert_eq!(
        kt.put(&format!("/v2/bulk_action/{id}/success"), json!({}))
            .await
            .json()["status"],
        2
    );

    let days = kt
        .get("/v2/bulk_actions_by_date?daysPerPage=14&page=1&limit=26")
        .await
        .json();
    assert_eq!(
        (
            days["totalItems"].as_i64(),
            days["member"][0]["member"][0]["id"].as_i64()
        ),
        (Some(1), Some(id))
    );
    let date = days["member"][0]["date"].as_str().unwrap();
    let day = kt
        .get(&format!(
            "/v2/bulk_actions_of_date?date={date}&page=1&limit=26"
        ))
        .await
        .json();
    assert_eq!(
        (
            day["totalItems"].as_i64(),
            day["member"][0]["counts"]["ok"].as_i64()
        ),
        (Some(1), Some(4))
    );
}

#[tokio::test]
async fn retry_cancel_pause_and_pace() {
    let world = World::new().await;
    world.cases(world.b101, 4).await;
    let router = served(&world);
    let kt = Client::new(&router, &world, &world.kt()).await;
    let id = kt.launch(1, Args::StartFee(Cents(2_000)).to_json()).await;
    let act = |name: &str| format!("/v2/bulk_action/{id}/{name}");
    assert_eq!(
        kt.put(&act("pace"), json!({"perSecond": 10, "parallel": null}))
            .await
            .json()["pace"],
        json!({"perSecond": 10, "parallel": null})
    );
    assert!(kt.put(&act("pause"), json!({})).await.json()["pausedAt"].is_string());
    assert_eq!(kt.put(&act("pause"), json!({})).await.status, 409);
    assert!(kt.put(&act("resume"), json!({})).await.json()["pausedAt"].is_null());
    assert_eq!(kt.put(&act("retry"), json!({})).await.status, 409);
    let jobs = world.claim_all(Queue::Bulk).await;
    world
        .end(&jobs, |n| if n < 2 { failed() } else { Ending::Warning })
        .await;
    let retried = kt.put(&act("retry"), json!({"status": 3})).await.json();
    assert_eq!(
        (
            retried["retried"].as_i64(),
            retried["status"].as_i64(),
            retried["skipped"].clone()
        ),
        (Some(2), Some(1), json!([]))
    );
    let cancelled = kt.put(&act("cancel"), json!({})).await.json();
    assert_eq!(
        (
            cancelled["status"].as_i64(),
            cancelled["counts"]["cancelled"].as_i64()
        ),
        (Some(4), Some(2))
    );
    assert!(cancelled["cancelledAt"].is_string());
    assert_eq!(kt.put(&act("retry"), json!({})).await.status, 409);
    assert_eq!(
        world.action(domain::ids::BulkActionId(id)).await.status,
        Status::Cancelled
    );
}

/// The cancel could not see that the last task had ended, nor the end that the rest was cancelled: somebody must look again.
#[tokio::test]
async fn a_cancel_that_meets_the_last_end_closes_the_action() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let router = served(&world);
    let kt = Client::new(&router, &world, &world.kt()).await;
    let id = kt.launch(3, json!({})).await;
    sqlx::raw_sql(
        "update jobs set state = 'dispatched', dispatch_no = 1 where id = (select min(id) from jobs);
         update bulk_actions set started_at = now();
         create function held() returns trigger language plpgsql as
           $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
         create constraint trigger held after update of cancelled_at on bulk_actions
           deferrable initially deferred for each row execute function held()",
    )
    .execute(&world.admin)
    .await
    .unwrap();
    let first = world.tasks_of(BulkActionId(id)).await.remove(0);
    let mut tx = world.queue().await;
    let running = claim(&mut tx, WorkerId(1), &[(first, 1)]).await.unwrap();
    tx.commit().await.unwrap();
    let mut held = world.admin.begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(1)")
        .execute(&mut *held)
        .await
        .unwrap();
    let ending = async {
        // The cancel is at its commit: it has looked already.
        let waits = "select count(*) from pg_locks where locktype = 'advisory' and not granted";
        while sqlx::query_scalar::<_, i64>(waits)
            .fetch_one(&world.admin)
            .await
            .unwrap()
            == 0
        {
            tokio::task::yield_now().await;
        }
        world.end(&running, |_| Ending::Ok).await;
        held.rollback().await.unwrap();
    };
    let path = format!("/v2/bulk_action/{id}/cancel");
    let (cancelled, ()) = futures::future::join(kt.put(&path, json!({})), ending).await;
    assert_eq!(cancelled.status, 200);
    assert_eq!(
        cancelled.json()["status"],
        Status::Cancelled.number(),
        "{}",
        cancelled.json()
    );
}

#[tokio::test]
async fn one_key_makes_one_action() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let router = served(&world);
    let kt = Client::new(&router, &world, &world.kt()).await;
    let key = [("idempotency-key", "9a0e6d4e")];
    let body = json!({"type": 3, "args": {}}).to_string();
    let (first, second) = tokio::join!(
        kt.call("POST", "/v2/bulk_actions", &key, Some(&body)),
        kt.call("POST", "/v2/bulk_actions", &key, Some(&body)),
    );
    let third = kt.call("POST", "/v2/bulk_actions", &key, Some(&body)).await;
    // Of two at once one may be told that the other is under way; the third is the echo of whichever made it.
    assert_eq!(third.status, 201);
    for answer in [&first, &second] {
        assert!(
            answer.status == 409 || answer.json()["id"] == third.json()["id"],
            "{}",
            answer.text
        );
    }
    let other = kt
        .call(
            "POST",
            "/v2/bulk_actions",
            &key,
            Some(r#"{"type":1,"args":{"startFee":{"cents":1}}}"#),
        )
        .await;
    assert_eq!(other.status, 422);
    let actions: i64 = sqlx::query_scalar("select count(*) from bulk_actions")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(actions, 1);
    let cases = format!("/v2/bulk_actions/{}/cases", third.json()["id"]);
    let filters = r#"{"filters":{}}"#;
    let frozen = kt
        .call("POST", &cases, &[("idempotency-key", "k2")], Some(filters))
        .await;
    let echoed = kt
        .call("POST", &cases, &[("idempotency-key", "k2")], Some(filters))
        .await;
    assert_eq!(
        (
            frozen.status.as_u16(),
            echoed.status.as_u16(),
            frozen.json()
        ),
        (200, 200, echoed.json())
    );
    let tasks: i64 = sqlx::query_scalar("select count(*) from jobs")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(tasks, 2);
}
