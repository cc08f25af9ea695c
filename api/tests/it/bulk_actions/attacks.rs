//! What must be refused: other bureaus, lesser roles, numbers and texts that mean harm.
use domain::ids::{BulkActionId, JobId};
use domain::jobs::Queue;
use serde_json::json;

use super::client::{Client, served};
use super::world::{World, failed};

/// Every call that names an action or a task.
fn calls(action: i64, task: i64) -> Vec<(&'static str, String, Option<&'static str>)> {
    let action_puts = [
        "retry", "cancel", "success", "fail", "pause", "resume", "pace",
    ];
    let mut calls = vec![
        ("GET", format!("/v2/bulk_actions/{action}"), None),
        (
            "GET",
            format!("/v2/bulk_action_tasks?bulkAction={action}"),
            None,
        ),
        (
            "GET",
            format!("/v2/tasks_wip_and_failed_of_bulk_action?bulkAction={action}"),
            None,
        ),
        (
            "POST",
            format!("/v2/bulk_actions/{action}/cases"),
            Some(r#"{"filters":{}}"#),
        ),
        (
            "PUT",
            format!("/v2/bulk_action_tasks/{task}/retry"),
            Some("{}"),
        ),
        (
            "PUT",
            format!("/v2/bulk_action_tasks/{task}"),
            Some(r#"{"status":2,"reason":"x"}"#),
        ),
    ];
    calls.extend(action_puts.map(|name| {
        (
            "PUT",
            format!("/v2/bulk_action/{action}/{name}"),
            Some("{}"),
        )
    }));
    calls
}

#[tokio::test]
async fn another_bureaus_action_answers_as_a_missing_one() {
    let world = World::new().await;
    world.cases(world.b101, 2).await;
    let id = world.launch(&world.kt(), 3, json!({})).await;
    let jobs = world.claim_all(Queue::Bulk).await;
    world.end(&jobs, |_| failed()).await;
    let router = served(&world);
    let other = Client::new(&router, &world, &world.kt2()).await;
    let strip = |text: &str| {
        text.split("\"requestId\"")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let missing = calls(i64::MAX, i64::MAX);
    for ((method, path, body), (_, gone, _)) in calls(id.0, jobs[0].id.0).into_iter().zip(missing) {
        let (theirs, none) = (
            other.call(method, &path, &[], body).await,
            other.call(method, &gone, &[], body).await,
        );
        assert_eq!(
            (theirs.status.as_u16(), strip(&theirs.text)),
            (404, strip(&none.text)),
            "{method} {path}"
        );
        let stranger = Client::stranger(&router)
            .call(method, &path, &[], body)
            .await;
        assert_eq!(stranger.status, 401, "{method} {path}");
    }
    let csv = other
        .call(
            "GET",
            &format!("/v2/bulk_action_tasks?bulkAction={id}"),
            &[("accept", "text/csv")],
            None,
        )
        .await;
    assert_eq!(csv.status, 404);
    assert_eq!(
        other.get("/v2/bulk_actions_by_date").await.json()["totalItems"],
        0
    );
    assert_eq!(world.in_state(id, domain::jobs::State::Failed).await, 2);
}

#[tokio::test]
async fn lesser_roles_are_refused_and_that_is_audited() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let router = served(&world);
    let (kt, dev) = (
        Client::new(&router, &world, &world.kt()).await,
        Client::new(&router, &world, &world.operator()).await,
    );
    assert_eq!(
        kt.post("/v2/bulk_actions", json!({"type": 9})).await.status,
        403
    );
    assert_eq!(
        kt.post(
            "/v2/bulk_actions/preview",
            json!({"type": 9, "filters": {}})
        )
        .await
        .status,
        403
    );
    assert_eq!(
        dev.post("/v2/bulk_actions", json!({"type": 3}))
            .await
            .status,
        403
    );
    assert_eq!(
        dev.post(
            "/v2/bulk_actions/preview",
            json!({"type": 3, "filters": {}})
        )
        .await
        .status,
        403
    );
    let noted: i64 = sqlx::query_scalar("select count(*) from audit where user_id is not null")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(noted, 4);
    let id = world.launch(&world.chamber(), 9, json!({})).await;
    for (method, path, body) in calls(id.0, world.tasks_of(id).await[0].0) {
        let status = kt.call(method, &path, &[], body).await.status.as_u16();
        assert_eq!(
            status,
            if method == "GET" { 200 } else { 403 },
            "{method} {path}"
        );
    }
}

#[tokio::test]
async fn bodies_that_are_not_the_schema_change_nothing() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let router = served(&world);
    let kt = Client::new(&router, &world, &world.kt()).await;
    let fee = |cents: &str| {
        format!(r#"{{"type":1,"args":{{"startFee":{{"cents":{cents},"currency":"EUR"}}}}}}"#)
    };
    for cents in [
        "9223372036854775808",
        "-1",
        "1.5",
        "\"100\"",
        "1e3",
        "1e400",
        "-0",
        "9007199254740993e3",
        "10000000000001",
        "null",
    ] {
        let answer = kt
            .call("POST", "/v2/bulk_actions", &[], Some(&fee(cents)))
            .await;
        assert_eq!(answer.status, 422, "{cents}: {}", answer.text);
    }
    assert_eq!(
        kt.call("POST", "/v2/bulk_actions", &[], Some(&fee("NaN")))
            .await
            .status,
        400
    );
    for (body, path) in [
        (
            r#"{"type":1,"args":{"startFee":{"cents":1,"currency":"USD"}}}"#,
            "args.startFee.currency",
        ),
        (
            r#"{"type":1,"args":{"startFee":{"cents":1},"tenant_id":2}}"#,
            "args.tenant_id",
        ),
        (r#"{"type":3,"args":{"tenant_id":2}}"#, "args.tenant_id"),
        (r#"{"type":3,"tenant_id":2}"#, "tenant_id"),
        (r#"{"type":0}"#, "type"),
        (r#"{"type":7}"#, "type"),
        (r#"{"type":"3"}"#, "type"),
        (r#"{"args":{}}"#, "type"),
    ] {
        let answer = kt.call("POST", "/v2/bulk_actions", &[], Some(body)).await;
        assert_eq!(
            (answer.status.as_u16(), answer.paths()),
            (422, vec![path.to_owned()]),
            "{body}: {}",
            answer.text
        );
    }
    let zipped = kt
        .call(
            "POST",
            "/v2/bulk_actions",
            &[("content-encoding", "gzip")],
            Some("{}"),
        )
        .await;
    assert_eq!(zipped.status, 415);
    assert_eq!(
        kt.call(
            "POST",
            "/v2/bulk_actions",
            &[("content-type", "text/plain")],
            Some(r#"{"type":3}"#)
        )
        .await
        .status,
        415
    );
    let made: i64 = sqlx::query_scalar("select count(*) from bulk_actions")
        .fetch_one(&world.admin)
        .await
        .unwrap();
    assert_eq!(made, 0);

    let id = kt.post("/v2/bulk_actions", json!({"type": 3})).await.json()["id"]
        .as_i64()
        .unwrap();
    let cases = format!("/v2/bulk_actions/{id}/cases");
    for (body, path) in [
        (json!({}), "filters"),
        (json!({"filters": null}), "filters"),
        (json!({"filters": {"nope": 1}}), "filters.nope"),
        (json!({"filters": [], "expectedCount": 1}), "filters"),
        (json!({"filters": {}, "expectedCount": -1}), "expectedCount"),
        (
            json!({"filters": {"claimant.name": "a\u{0}b"}}),
            "filters.claimant.name",
        ),
        (
            json!({"filters": {"dateOpened": {"after": "10000-01-01"}}}),
            "filters.dateOpened.after",
        ),
        (
            json!({"filters": {"balance.cents": {"gte": 1.5}}}),
            "filters.balance.cents.gte",
        ),
    ] {
        let answer = kt.post(&cases, body.clone()).await;
        assert_eq!(answer.status, 422, "{body}: {}", answer.text);
        assert!(
            answer.paths()[0].starts_with(path.split('.').next().unwrap()),
            "{body}: {:?}",
            answer.paths()
        );
    }
    let none = kt
        .post(&cases, json!({"filters": {"number": "101/1999/"}}))
        .await;
    assert_eq!(
        (none.status.as_u16(), none.paths()),
        (422, vec!["filters".to_owned()])
    );
    assert_eq!(
        kt.get(&format!("/v2/bulk_actions/{id}")).await.json()["status"],
        4
    );
}

#[tokio::test]
async fn paths_and_queries_that_are_not_the_schema_are_named() {
    let world = World::new().await;
    world.cases(world.b101, 1).await;
    let id = world.launch(&world.kt(), 3, json!({})).await;
    let router = served(&world);
    let kt = Client::new(&router, &world, &world.kt()).await;
    for bad in [
        "9223372036854775808",
        "-1",
        "1%20",
        "1e3",
        "0x1",
        "9a0e6d4e-0000-4000-8000-000000000000",
        "%00",
        "x",
    ] {
        let status = kt.get(&format!("/v2/bulk_actions/{bad}")).await.status;
        assert_eq!(status, 404, "{bad}");
        let status = kt
            .get(&format!("/v2/bulk_action_tasks?bulkAction={bad}"))
            .await
            .status
            .as_u16();
        assert_eq!(status, 422, "{bad}");
    }
    for query in [
        "page=0",
        "page=-1",
        "page=1.5",
        "page=99999999999999999999",
        "limit=0",
        "limit=-1",
        "limit=101",
        "page=9223372036854775807",
        "status=6",
        "status=x",
        "state=done",
        "order[caseYear]=up",
        "order[caseYear]=asc&order[caseIndex]=desc",
        "order[tenantId]=asc",
        "nope=1",
        "page=1&page=2",
        "output=%00",
    ] {
        let answer = kt
            .get(&format!("/v2/bulk_action_tasks?bulkAction={id}&{query}"))
            .await;
        assert_eq!(answer.status, 422, "{query}: {}", answer.text);
    }
    let long = "x".repeat(201);
    assert_eq!(
        kt.get(&format!(
            "/v2/bulk_action_tasks?bulkAction={id}&output={long}"
        ))
        .await
        .status,
        422
    );
    let past = kt
        .get(&format!(
            "/v2/bulk_action_tasks?bulkAction={id}&page=1000000&limit=100"
        ))
        .await;
    assert_eq!(
        (
            past.status.as_u16(),
            past.json()["member"].as_array().map(Vec::len)
        ),
        (200, Some(0))
    );
    for date in [
        "9999-12-31",
        "10000-01-01",
        "-0044-01-01",
        "0000-01-01",
        "2023-02-30",
        "2023-01-01T24:00",
        "1899-12-31",
        "x",
    ] {
        assert_eq!(
            kt.get(&format!("/v2/bulk_actions_of_date?date={date}"))
                .await
                .status,
            422,
            "{date}"
        );
    }
    for query in ["daysPerPage=0", "daysPerPage=1000", "limit=0", "page=0"] {
        assert_eq!(
            kt.get(&format!("/v2/bulk_actions_by_date?{query}"))
                .await
                .status,
            422,
            "{query}"
        );
    }
    let task = world.tasks_of(BulkActionId(id.0)).await[0];
    for (body, status) in [
        (json!({"status": 3, "reason": "x"}), 422),
        (json!({"status": 2}), 422),
        (json!({"status": 2, "reason": ""}), 422),
        (json!({"status": 2, "reason": "a\u{0}b"}), 422),
        (json!({"status": 2, "reason": "x", "output": "y"}), 422),
        (json!({"status": 2, "reason": "töös"}), 409),
    ] {
        assert_eq!(
            kt.put(
                &format!("/v2/bulk_action_tasks/{}", JobId(task.0)),
                body.clone()
            )
            .await
            .status,
            status,
            "{body}"
        );
    }
    assert_eq!(
        kt.put(&format!("/v2/bulk_action/{id}/retry"), json!({"status": 7}))
            .await
            .status,
        422
    );
    assert_eq!(
        kt.put(
            &format!("/v2/bulk_action/{id}/pace"),
            json!({"perSecond": 0})
        )
        .await
        .status,
        422
    );
}
