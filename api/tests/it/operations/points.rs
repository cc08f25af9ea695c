//! The points that an operations console is measured by, each as calls of the whole router; those of the pages alone are the
//! console's own tests.
use domain::jobs::{Ending, Queue};
use domain::operator_actions;
use domain::{Actor, Scope, db};
use serde_json::{Value, json};

use crate::bulk_actions::client::{Answer, Client, served};
use crate::bulk_actions::world::{World, failed};

/// Bureau 101 with so many failed tasks, and clients of each role over one router.
pub struct Ground {
    pub world: World,
    pub kt: Client,
    pub kt2: Client,
    pub koda: Client,
    pub dev: Client,
    action: i64,
}

impl Ground {
    pub async fn new(tasks: i32) -> Self {
        let world = World::new().await;
        world.cases(world.b101, tasks).await;
        let router = served(&world);
        let client = async |actor: &Actor| Client::new(&router, &world, actor).await;
        let (kt, kt2) = (client(&world.kt()).await, client(&world.kt2()).await);
        let (koda, dev) = (
            client(&world.chamber()).await,
            client(&world.operator()).await,
        );
        let action = kt.launch(3, json!({})).await;
        let claimed = world.claim_all(Queue::Bulk).await;
        world.end(&claimed, |_| failed()).await;
        Self {
            world,
            kt,
            kt2,
            koda,
            dev,
            action,
        }
    }

    /// What the leading worker process does to an action: a step, and a look at how its jobs ended.
    pub async fn work(&self, id: i64) {
        let id = domain::ids::OperatorActionId(id);
        let mut tx = db::begin(&self.world.jobs, Scope::Queue).await.unwrap();
        operator_actions::step(&mut tx, id, 500).await.unwrap();
        while operator_actions::settle(&mut tx, id).await.unwrap() {}
        tx.commit().await.unwrap();
    }

    async fn run(&self, ending: impl Fn(usize) -> Ending) {
        let claimed = self.world.claim_all(Queue::Bulk).await;
        self.world.end(&claimed, ending).await;
    }

    async fn count(&self, statement: &'static str) -> i64 {
        sqlx::query_scalar(statement)
            .fetch_one(&self.world.admin)
            .await
            .unwrap()
    }
}

fn failed_jobs() -> Value {
    json!({"kind": "retry", "filter": {"state": ["failed"]}})
}

pub fn id(answer: &Answer) -> i64 {
    answer.json()["id"]
        .as_i64()
        .unwrap_or_else(|| panic!("{}", answer.text))
}

#[tokio::test]
async fn point_01_the_set_is_frozen_at_the_click_and_ten_clicks_run_once() {
    let ground = Ground::new(12).await;
    let body = failed_jobs().to_string();
    let clicks = (0..10).map(|_| {
        ground.kt.call(
            "POST",
            "/v2/operator_actions",
            &[("idempotency-key", "kord-1")],
            Some(&body),
        )
    });
    let clicks = futures::future::join_all(clicks).await;
    let ids: std::collections::BTreeSet<i64> = clicks
        .iter()
        .filter(|answer| answer.status == 201)
        .map(id)
        .collect();
    assert!(
        clicks
            .iter()
            .all(|answer| [201, 409].contains(&answer.status.as_u16())),
        "{:?}",
        clicks[0].text
    );
    assert_eq!(ids.len(), 1, "one action");
    assert_eq!(
        ground.count("select count(*) from operator_actions").await,
        1
    );
    let order = *ids.first().unwrap();
    let told = ground
        .kt
        .get(&format!("/v2/operator_actions/{order}"))
        .await
        .json();
    assert_eq!(
        (told["total"].as_i64(), told["counts"]["waiting"].as_i64()),
        (Some(12), Some(12))
    );
    // Jobs that begin to match later are untouched.
    ground.kt.launch(3, json!({})).await;
    ground.run(|_| failed()).await;
    ground.work(order).await;
    assert_eq!(
        ground
            .count("select count(*) from jobs where state = 'queued'")
            .await,
        12
    );
    assert_eq!(
        ground
            .count("select count(*) from jobs where state = 'failed'")
            .await,
        12
    );
}

#[tokio::test]
async fn point_02_done_failed_and_skipped_sum_up_and_each_group_opens() {
    let ground = Ground::new(6).await;
    let order = id(&ground
        .kt
        .post(
            "/v2/operator_actions",
            json!({"kind": "retry", "filter": {"bulkAction": ground.action}}),
        )
        .await);
    sqlx::query("update jobs set state = 'ok' where id = (select min(id) from jobs)")
        .execute(&ground.world.admin)
        .await
        .unwrap();
    ground.work(order).await;
    ground
        .run(|n| if n < 2 { failed() } else { Ending::Ok })
        .await;
    ground.work(order).await;
    let told = ground
        .kt
        .get(&format!("/v2/operator_actions/{order}"))
        .await
        .json();
    let counts = &told["counts"];
    assert_eq!(
        (
            counts["done"].as_i64(),
            counts["failed"].as_i64(),
            counts["skipped"].as_i64()
        ),
        (Some(3), Some(2), Some(1)),
        "{told}"
    );
    assert_eq!(told["status"], 3);
    assert_eq!(told["skipped"][0]["reason"], "ok");
    for (state, wanted) in [("done", 3), ("failed", 2), ("skipped", 1), ("waiting", 0)] {
        let list = ground
            .kt
            .get(&format!(
                "/v2/operator_action_items?operatorAction={order}&state[]={state}"
            ))
            .await
            .json();
        let rows = list["member"].as_array().unwrap();
        assert_eq!(rows.len(), wanted, "{state}");
        let reasons = rows
            .iter()
            .all(|row| row["reason"].is_string() == ["failed", "skipped"].contains(&state));
        let texts = rows
            .iter()
            .all(|row| row["text"].is_string() == row["reason"].is_string());
        assert!(reasons && texts, "{list}");
    }
}

#[tokio::test]
async fn point_03_the_failed_subset_goes_out_and_comes_back() {
    let ground = Ground::new(5).await;
    let order = id(&ground.kt.post("/v2/operator_actions", failed_jobs()).await);
    ground.work(order).await;
    ground
        .run(|n| if n < 3 { failed() } else { Ending::Ok })
        .await;
    ground.work(order).await;
    let path =
        format!("/v2/operator_action_items?operatorAction={order}&state[]=failed&state[]=skipped");
    let file = ground
        .kt
        .call("GET", &path, &[("accept", "text/csv")], None)
        .await;
    assert_eq!(file.status, 200);
    assert_eq!(
        file.text.lines().count() - 1,
        3,
        "as many rows as on the screen: {}",
        file.text
    );
    let child = ground
        .kt
        .post(&format!("/v2/operator_actions/{order}/child"), json!({}))
        .await;
    assert_eq!(
        (
            child.status.as_u16(),
            child.json()["total"].as_i64(),
            child.json()["parent"].as_i64()
        ),
        (201, Some(3), Some(order))
    );
    assert_eq!(
        ground
            .kt
            .get(&format!("/v2/operator_actions/{order}"))
            .await
            .json()["children"],
        json!([id(&child)])
    );

    // A bulk action's too, as an action of its own.
    ground.work(id(&child)).await;
    ground.run(|_| failed()).await;
    let parent = ground.action;
    let again = ground
        .kt
        .post(&format!("/v2/bulk_actions/{parent}/child"), json!({}))
        .await;
    assert_eq!(again.status, 201, "{}", again.text);
    assert_eq!(
        (
            again.json()["counts"]["total"].as_i64(),
            again.json()["parent"].as_i64()
        ),
        (Some(3), Some(parent))
    );
    assert_eq!(
        ground
            .kt
            .get(&format!("/v2/bulk_actions/{parent}"))
            .await
            .json()["children"],
        json!([id(&again)])
    );
    let tasks = format!("/v2/bulk_action_tasks?bulkAction={parent}&status=3");
    let file = ground
        .kt
        .call("GET", &tasks, &[("accept", "text/csv")], None)
        .await;
    assert_eq!(file.text.lines().count() - 1, 3);
    assert_eq!(
        ground
            .kt2
            .post(&format!("/v2/bulk_actions/{parent}/child"), json!({}))
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn point_04_what_stands_still_says_why() {
    let ground = Ground::new(2).await;
    let action = ground.kt.launch(3, json!({})).await;
    let stall = async || {
        ground
            .kt
            .get(&format!("/v2/bulk_actions/{action}"))
            .await
            .json()["stall"]
            .clone()
    };
    assert_eq!(stall().await["code"], "no_workers");
    sqlx::query("insert into workers (name, host, pid, concurrency) values ('w', 'too-01', 7, '{\"bulk\": 4}')").execute(&ground.world.admin).await.unwrap();
    assert_eq!(stall().await, Value::Null);
    let pause = ground
        .dev
        .post(
            "/v2/pauses",
            json!({"queue": "bulk", "reason": "Hooldus", "until": "2099-01-01T00:00:00Z"}),
        )
        .await;
    assert_eq!(pause.status, 201, "{}", pause.text);
    let told = stall().await;
    assert_eq!(
        (&told["code"], &told["reason"], &told["by"]),
        (&json!("paused"), &json!("Hooldus"), &json!("Mari Maasikas"))
    );
    assert!(told["until"].is_string() && told["since"].is_string());
    ground
        .dev
        .put(&format!("/v2/pauses/{}/end", id(&pause)), json!({}))
        .await;
    ground
        .kt
        .put(&format!("/v2/bulk_action/{action}/pause"), json!({}))
        .await;
    assert_eq!(stall().await["code"], "action_paused");
    // A job of it says the same.
    let job = ground.count("select max(id) from jobs").await;
    assert_eq!(
        ground.kt.get(&format!("/v2/jobs/{job}")).await.json()["stall"]["code"],
        "action_paused"
    );
}

#[tokio::test]
async fn point_04_pace_and_end_are_the_same_for_whoever_asks() {
    let ground = Ground::new(3).await;
    let action = ground.kt.launch(3, json!({})).await;
    // As worker processes tell it each second.
    sqlx::query(
        "insert into movements (subject, id, tenant_id, second, done, failed)
         select 'bulk', $1, $2, date_trunc('second', now()) - n * interval '1 s', 3, 1 from generate_series(1, 30) n",
    )
    .bind(action)
    .bind(ground.world.b101.0)
    .execute(&ground.world.admin)
    .await
    .unwrap();
    let path = format!("/v2/bulk_actions/{action}");
    let movement = async |who: &Client| who.get(&path).await.json()["movement"].clone();
    let mut told = (movement(&ground.kt).await, movement(&ground.koda).await);
    // The pace counts to five seconds: two answers within them are alike.
    for _ in 0..3 {
        if told.0 == told.1 {
            break;
        }
        told = (movement(&ground.kt).await, movement(&ground.koda).await);
    }
    assert_eq!(told.0, told.1);
    let pace = told.0["perMinute"].as_i64().unwrap();
    assert!((180..=240).contains(&pace), "{pace}");
    assert!(told.0["leftSeconds"]["least"].as_i64() <= told.0["leftSeconds"]["most"].as_i64());
    assert!((6..=7).contains(&told.0["bars"].as_array().unwrap().len()));
    assert!(told.0["movesSince"].as_str() >= told.0["lastAt"].as_str());

    // Who lets it go on sees no stall of before.
    let before = movement(&ground.kt).await["movesSince"].clone();
    for act in ["pause", "resume"] {
        ground
            .kt
            .put(&format!("/v2/bulk_action/{action}/{act}"), json!({}))
            .await;
    }
    let after = movement(&ground.kt).await["movesSince"].clone();
    assert!(after.as_str() > before.as_str(), "{before} {after}");

    // An operator action is followed by what its jobs came to.
    let order = id(&ground.kt.post("/v2/operator_actions", failed_jobs()).await);
    let path = format!("/v2/operator_actions/{order}");
    ground.work(order).await;
    ground
        .run(|n| if n == 0 { failed() } else { Ending::Ok })
        .await;
    ground.work(order).await;
    let sums: (i64, i64) = sqlx::query_as("select sum(done)::bigint, sum(failed)::bigint from movements where subject = 'operator' and id = $1")
        .bind(order)
        .fetch_one(&ground.world.admin)
        .await
        .unwrap();
    let counts = ground.kt.get(&path).await.json();
    assert_eq!(
        counts["movement"],
        Value::Null,
        "what is over does not move"
    );
    assert_eq!(
        (sums.0, sums.1),
        (
            counts["counts"]["done"].as_i64().unwrap(),
            counts["counts"]["failed"].as_i64().unwrap()
        )
    );
}

#[tokio::test]
async fn point_05_pace_pause_resume_and_stop_hold_at_once() {
    let ground = Ground::new(4).await;
    let order = id(&ground.kt.post("/v2/operator_actions", failed_jobs()).await);
    let act = async |name: &str, body: Value| {
        ground
            .kt
            .put(&format!("/v2/operator_actions/{order}/{name}"), body)
            .await
    };
    assert_eq!(
        act("pace", json!({"perSecond": 0})).await.paths(),
        ["perSecond"]
    );
    assert_eq!(
        act("pace", json!({"perSecond": 2})).await.json()["perSecond"],
        2
    );
    assert_eq!(act("pause", json!({})).await.status, 200);
    ground.work(order).await;
    assert_eq!(
        ground
            .count("select count(*) from jobs where state = 'queued'")
            .await,
        0,
        "a held action takes nothing up"
    );
    assert_eq!(act("resume", json!({})).await.status, 200);
    let stopped = act("stop", json!({})).await.json();
    assert_eq!(
        stopped["allowedActions"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|right| right["allowed"] == true)
            .count(),
        0,
        "{stopped}"
    );
    ground.work(order).await;
    assert_eq!(
        ground
            .count("select count(*) from jobs where state = 'queued'")
            .await,
        0,
        "after a stop nothing starts"
    );
    let told = ground
        .kt
        .get(&format!("/v2/operator_actions/{order}"))
        .await
        .json();
    assert_eq!(
        (told["status"].as_i64(), told["counts"]["skipped"].as_i64()),
        (Some(4), Some(4))
    );
}

#[tokio::test]
async fn point_06_a_preview_says_what_would_happen_and_changes_nothing() {
    let ground = Ground::new(12).await;
    sqlx::query(
        "update jobs set state = 'ok' where id in (select id from jobs order by id limit 2)",
    )
    .execute(&ground.world.admin)
    .await
    .unwrap();
    let before = ground.count("select count(*) from audit").await;
    let preview = ground
        .kt
        .post(
            "/v2/operator_actions/preview",
            json!({"kind": "retry", "filter": {"bulkAction": ground.action}}),
        )
        .await
        .json();
    assert_eq!(preview["count"], json!({"value": 12, "kind": "exact"}));
    assert_eq!(preview["sample"].as_array().unwrap().len(), 10);
    assert_eq!(
        (
            &preview["skipped"][0]["reason"],
            &preview["skipped"][0]["count"]
        ),
        (&json!("ok"), &json!(2))
    );
    assert_eq!(preview["typed"], false);
    assert_eq!(
        ground.count("select count(*) from operator_actions").await,
        0
    );
    assert_eq!(
        ground.count("select count(*) from audit").await,
        before,
        "looking writes nothing"
    );
    for (expected, status) in [(12, 201), (100, 409)] {
        let order = json!({"kind": "retry", "filter": {"bulkAction": ground.action}, "expectedCount": expected});
        assert_eq!(
            ground.kt.post("/v2/operator_actions", order).await.status,
            status
        );
    }
}

#[tokio::test]
async fn point_07_every_act_is_on_record_with_who_why_before_and_after() {
    let ground = Ground::new(2).await;
    let order = id(&ground
        .kt
        .post(
            "/v2/operator_actions",
            json!({"kind": "retry", "filter": {"state": ["failed"]}, "reason": "Register taastus"}),
        )
        .await);
    ground
        .kt
        .put(
            &format!("/v2/operator_actions/{order}/pace"),
            json!({"perSecond": 3}),
        )
        .await;
    let pause = id(&ground
        .dev
        .post("/v2/pauses", json!({"queue": "bulk", "reason": "Hooldus"}))
        .await);
    ground
        .dev
        .put(
            &format!("/v2/pauses/{pause}"),
            json!({"reason": "Pikem hooldus", "until": null}),
        )
        .await;
    ground
        .dev
        .put(&format!("/v2/pauses/{pause}/end"), json!({}))
        .await;
    let log = async |client: &Client, query: &str| {
        client.get(&format!("/v2/audit?{query}")).await.json()["member"]
            .as_array()
            .unwrap()
            .clone()
    };
    let of_order = log(
        &ground.kt,
        &format!("objectClass=OperatorAction&objectId={order}"),
    )
    .await;
    assert_eq!(
        of_order
            .iter()
            .map(|act| act["action"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["pace", "order"]
    );
    let ordered = &of_order[1];
    assert_eq!(
        (
            &ordered["username"],
            &ordered["role"],
            &ordered["bureau"]["code"]
        ),
        (&json!("mari"), &json!("KT"), &json!("101"))
    );
    assert_eq!(
        (&ordered["reason"], &ordered["after"]["jobs"]),
        (&json!("Register taastus"), &json!(2))
    );
    assert_eq!(ordered["after"]["filter"], json!({"state": ["failed"]}));
    assert_eq!(
        (&of_order[0]["before"], &of_order[0]["after"]),
        (&json!({"perSecond": null}), &json!({"perSecond": 3}))
    );
    let of_pause = log(
        &ground.koda,
        &format!("objectClass=Pause&objectId={pause}&role=dev"),
    )
    .await;
    assert_eq!(
        of_pause
            .iter()
            .map(|act| act["action"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["resume", "change", "pause"]
    );
    // Another bureau has no part in it, in the file neither.
    assert!(
        log(&ground.kt2, "objectClass=OperatorAction")
            .await
            .is_empty()
    );
    let file = ground
        .kt2
        .call("GET", "/v2/audit", &[("accept", "text/csv")], None)
        .await;
    assert!(
        !file.text.contains("OperatorAction") && !file.text.contains(";101;"),
        "{}",
        file.text
    );
    let file = ground
        .kt
        .call("GET", "/v2/audit", &[("accept", "text/csv")], None)
        .await;
    assert!(file.text.contains("OperatorAction"), "{}", file.text);
    // Opening lists, previews and pages leaves no trace.
    let before = ground.count("select count(*) from audit").await;
    for path in [
        "/v2/jobs",
        "/v2/operations",
        "/v2/audit",
        "/v2/error_groups",
        "/v2/pauses",
    ] {
        assert_eq!(ground.dev.get(path).await.status, 200);
    }
    assert_eq!(ground.count("select count(*) from audit").await, before);
}

#[tokio::test]
async fn point_08_jobs_are_found_by_what_people_know() {
    let ground = Ground::new(3).await;
    sqlx::query("update bureaus set bailiff_name = 'Liis Tamm-Näidis' where code = '101'")
        .execute(&ground.world.admin)
        .await
        .unwrap();
    let found = async |query: &str| {
        let answer = ground.koda.get(&format!("/v2/jobs?{query}")).await;
        answer.json()["member"]
            .as_array()
            .map_or_else(|| panic!("{query}: {}", answer.text), Vec::len)
    };
    let one = ground.count("select min(id) from jobs").await;
    for (query, rows) in [
        ("search=101/2024/2", 1),
        ("search=101%2F2024%2F0002", 1),
        (&format!("search={one}")[..], 1),
        ("search=võlgnik", 3),
        ("caseNumber=101/2024/9", 0),
        ("debtor=volgn", 3),
        ("debtor=sissenoudja", 0),
        ("bailiff=tamm-naidis", 3),
        ("bailiff=keegi", 0),
        ("bureau=101", 3),
        ("bureau=102", 0),
        ("kind[]=ComputeIssuerFee", 3),
        ("queue[]=register", 0),
        ("state[]=failed&state[]=ok", 3),
        ("error=x", 3),
        ("createdAt[after]=2020-01-01", 3),
        ("finishedAt[before]=2020-01-01", 0),
        ("payload=importId", 0),
    ] {
        assert_eq!(found(query).await, rows, "{query}");
    }
    for (query, path) in [
        ("kind[]=Olematu", "kind"),
        ("caseNumber=101-7", "caseNumber"),
        ("createdAt[after]=eile", "createdAt.after"),
        ("tundmatu=1", "tundmatu"),
        ("state[]=katki", "state[][0]"),
    ] {
        let refused = ground.koda.get(&format!("/v2/jobs?{query}")).await;
        assert_eq!(
            (refused.status.as_u16(), refused.paths()[0].as_str()),
            (422, path),
            "{}",
            refused.text
        );
    }
}

#[tokio::test]
async fn point_09_counts_say_what_they_are_and_how_old() {
    let ground = Ground::new(2).await;
    sqlx::query("insert into jobs (tenant_id, queue, kind) select $1, 'mail', 'TouchCase' from generate_series(1, 10050)")
        .bind(ground.world.b101.0)
        .execute(&ground.world.admin)
        .await
        .unwrap();
    let counts = ground.kt.get("/v2/jobs/counts").await;
    assert_eq!(
        counts.json()["queued"],
        json!({"value": 10000, "kind": "at_least"})
    );
    assert_eq!(
        counts.json()["failed"],
        json!({"value": 2, "kind": "exact"})
    );
    assert_eq!(counts.json()["all"]["kind"], "at_least");
    assert!(counts.headers.contains_key("age"));
    let overview = ground.kt.get("/v2/operations").await;
    let age: u64 = overview.headers["age"].to_str().unwrap().parse().unwrap();
    assert!(age < 60, "{age}");
    let mail = overview.json()["queues"]
        .as_array()
        .unwrap()
        .iter()
        .find(|queue| queue["name"] == "mail")
        .unwrap()
        .clone();
    assert_eq!(mail["waiting"], json!({"value": 10000, "kind": "at_least"}));
    let etag = overview.headers["etag"].to_str().unwrap().to_owned();
    let again = ground
        .kt
        .call("GET", "/v2/operations", &[("if-none-match", &etag)], None)
        .await;
    assert_eq!(again.status, 304);
    assert!(again.headers.contains_key("age"));
}

#[tokio::test]
async fn point_12_a_bureau_sees_nothing_of_another_anywhere() {
    let ground = Ground::new(4).await;
    let order = id(&ground
        .koda
        .post("/v2/operator_actions", failed_jobs())
        .await);
    ground
        .dev
        .post(
            "/v2/pauses",
            json!({"bureau": ground.world.b101, "reason": "Saladus-101"}),
        )
        .await;
    ground
        .kt
        .post(
            "/v2/saved_views",
            json!({"page": "jobs", "name": "Vaade-101", "query": "x=1", "shared": true}),
        )
        .await;
    let selection = id(&ground
        .kt
        .post(
            "/v2/case_selections",
            json!({"caseNumbers": ["101/2024/1"]}),
        )
        .await);
    let job = ground.count("select min(id) from jobs").await;
    let key: String = sqlx::query_scalar("select error_key from jobs limit 1")
        .fetch_one(&ground.world.admin)
        .await
        .unwrap();
    for path in [
        "/v2/operations".to_owned(),
        "/v2/queues/bulk".to_owned(),
        "/v2/queues/bulk/series?from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z".to_owned(),
        "/v2/jobs".to_owned(),
        "/v2/jobs?bureau=101".to_owned(),
        format!("/v2/jobs?search={job}"),
        format!("/v2/jobs?bulkAction={}", ground.action),
        format!("/v2/jobs?operatorAction={order}"),
        format!("/v2/jobs?errorGroup={key}"),
        "/v2/jobs?caseNumber=101/2024/1".to_owned(),
        "/v2/jobs/counts".to_owned(),
        "/v2/error_groups".to_owned(),
        "/v2/error_groups?bureau=101".to_owned(),
        "/v2/operator_actions".to_owned(),
        "/v2/audit".to_owned(),
        "/v2/audit?bureau=101".to_owned(),
        "/v2/pauses?ended=1".to_owned(),
        "/v2/saved_views".to_owned(),
    ] {
        let answer = ground.kt2.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        for leaked in ["101", "Võlgnik", "Saladus", "Vaade"] {
            assert!(
                !answer.text.contains(leaked)
                    || path.contains(leaked) && !answer.text.contains("\"code\":\"101\""),
                "{path}: {}",
                answer.text
            );
        }
        if path.ends_with("/counts") {
            assert_eq!(answer.json()["all"]["value"], 0);
        }
    }
    let cases = ground
        .kt2
        .post(
            "/v2/enforcement_cases/case_table_cases_count",
            json!({"filters": {"caseSelection": selection}}),
        )
        .await;
    assert_eq!(cases.json()["count"], 0);
    assert_eq!(
        ground
            .kt
            .post(
                "/v2/enforcement_cases/case_table_cases_count",
                json!({"filters": {"caseSelection": selection}})
            )
            .await
            .json()["count"],
        1
    );
    let refused = ground
        .kt2
        .post(
            "/v2/operator_actions",
            json!({"kind": "cancel", "filter": {"bureau": "101"}}),
        )
        .await;
    assert_eq!(
        (refused.status.as_u16(), refused.paths()[0].as_str()),
        (422, "filter")
    );
}

#[tokio::test]
async fn point_13_a_queue_that_nobody_works_says_so() {
    let ground = Ground::new(1).await;
    let bulk = async || {
        // What was shared a moment ago is not what is asked here.
        let answer = ground.koda.get("/v2/queues/bulk").await;
        answer.json()
    };
    assert_eq!(
        (&bulk().await["state"], &bulk().await["workers"]["alive"]),
        (&json!("no_workers"), &json!(0))
    );
    sqlx::query(
        "insert into workers (name, host, pid, concurrency, seen_at)
         values ('a', 'too-01', 1, '{\"bulk\": 4}', now()), ('b', 'too-01', 2, '{\"bulk\": 4}', now() - interval '60 s'),
                ('c', 'too-02', 3, '{\"bulk\": 4, \"import\": 1}', now() - interval '10 min'), ('d', 'too-02', 4, '{\"mail\": 1}', now())",
    )
    .execute(&ground.world.admin)
    .await
    .unwrap();
    let told = ground.dev.get("/v2/operations").await.json();
    let queue = |name: &str| {
        told["queues"]
            .as_array()
            .unwrap()
            .iter()
            .find(|queue| queue["name"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(
        queue("bulk")["workers"],
        json!({"alive": 1, "doubtful": 1, "lost": 1})
    );
    assert_eq!(
        (
            &queue("import")["state"],
            queue("import")["lastLostSeenAt"].is_string()
        ),
        (&json!("no_workers"), true)
    );
    assert_eq!(queue("mail")["state"], "ok");
    assert_eq!(
        (
            &told["workers"]["alive"],
            &told["workers"]["doubtful"],
            &told["workers"]["lost"]
        ),
        (&json!(2), &json!(1), &json!(1))
    );
    assert_eq!(told["queues"][0]["state"], "no_workers", "worst first");
    assert_eq!(told["workers"]["member"].as_array().unwrap().len(), 4);
    let own = ground.kt.get("/v2/operations").await.json();
    assert_eq!(
        own["workers"]["member"],
        json!([]),
        "hosts are not a bureau's to know"
    );
}

#[tokio::test]
async fn point_14_a_pause_says_who_why_and_until_when_and_ends_by_itself() {
    let ground = Ground::new(1).await;
    for (body, path) in [
        (json!({"reason": "x"}), "queue"),
        (
            json!({"queue": "bulk", "kind": "TouchCase", "reason": "x"}),
            "queue",
        ),
        (json!({"queue": "olematu", "reason": "x"}), "queue"),
        (json!({"kind": "Olematu", "reason": "x"}), "kind"),
        (json!({"queue": "bulk", "reason": "  "}), "reason"),
        (
            json!({"queue": "bulk", "reason": "x", "until": "2020-01-01T00:00:00Z"}),
            "until",
        ),
    ] {
        assert_eq!(
            ground.dev.post("/v2/pauses", body.clone()).await.paths(),
            [path],
            "{body}"
        );
    }
    let pause = ground.dev.post("/v2/pauses", json!({"queue": "register", "reason": "Registri hooldus", "until": "2099-05-01T09:00:00Z"})).await;
    let told = ground.kt.get("/v2/pauses").await.json();
    let shown = &told["member"][0];
    assert_eq!(
        (
            &shown["queue"],
            &shown["reason"],
            &shown["createdBy"]["name"]
        ),
        (
            &json!("register"),
            &json!("Registri hooldus"),
            &json!("Mari Maasikas")
        )
    );
    assert_eq!(shown["until"], "2099-05-01T09:00:00Z");
    assert!(
        shown["allowedActions"]
            .as_array()
            .unwrap()
            .iter()
            .all(|right| right["allowed"] == false && right["reason"].is_string())
    );
    // Another process, started later, knows it too.
    let router = served(&ground.world);
    let after_restart = Client::new(&router, &ground.world, &ground.world.kt()).await;
    assert_eq!(
        after_restart.get("/v2/pauses").await.json()["totalItems"],
        1
    );
    sqlx::query("update pauses set until = now() - interval '1 s'")
        .execute(&ground.world.admin)
        .await
        .unwrap();
    assert_eq!(ground.kt.get("/v2/pauses").await.json()["totalItems"], 0);
    assert_eq!(
        ground
            .dev
            .put(&format!("/v2/pauses/{}/end", id(&pause)), json!({}))
            .await
            .status,
        409
    );
    assert_eq!(
        ground.dev.get("/v2/pauses?ended=1").await.json()["totalItems"],
        1
    );
}

#[tokio::test]
async fn point_15_a_retry_is_a_new_attempt_of_the_same_job() {
    let ground = Ground::new(1).await;
    let job = ground.count("select min(id) from jobs").await;
    let before = ground.kt.get(&format!("/v2/jobs/{job}")).await.json();
    assert_eq!(
        (&before["attempts"][0]["outcome"], &before["runs"]),
        (&json!("failed"), &json!(1))
    );
    assert_eq!(
        ground
            .kt
            .put(&format!("/v2/jobs/{job}/retry"), json!({}))
            .await
            .json()["state"],
        "queued"
    );
    ground.run(|_| Ending::Ok).await;
    let after = ground.kt.get(&format!("/v2/jobs/{job}")).await.json();
    let outcomes: Vec<&str> = after["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["ok", "failed"]);
    assert_eq!(after["events"][0]["action"], "retry");
    let refused = ground
        .kt
        .put(&format!("/v2/jobs/{job}/retry"), json!({}))
        .await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["code"]),
        (409, &json!("not_retriable")),
        "what has had its effect is not done twice"
    );

    // With another payload, for operators, checked by its kind.
    let import: i64 = sqlx::query_scalar(
        "insert into jobs (tenant_id, queue, kind, args, state, finished_at) values ($1, 'import', 'ImportCases', '{\"importId\": 3}', 'failed', now()) returning id",
    )
    .bind(ground.world.b101.0)
    .fetch_one(&ground.world.admin)
    .await
    .unwrap();
    let path = format!("/v2/jobs/{import}/retry");
    assert_eq!(
        ground
            .kt
            .put(&path, json!({"payload": {"importId": 4}}))
            .await
            .status,
        403
    );
    assert_eq!(
        ground
            .dev
            .put(&path, json!({"payload": {"importId": "4"}}))
            .await
            .paths(),
        ["payload.importId"]
    );
    assert_eq!(
        ground
            .dev
            .put(&path, json!({"payload": {"importId": 4, "muu": 1}}))
            .await
            .paths(),
        ["payload.muu"]
    );
    let edited = ground
        .dev
        .put(&path, json!({"payload": {"importId": 4}}))
        .await
        .json();
    assert_eq!(
        (&edited["state"], &edited["payload"]),
        (&json!("queued"), &json!({"importId": 4}))
    );
    let act = ground
        .dev
        .get(&format!("/v2/audit?objectClass=Job&objectId={import}"))
        .await
        .json()["member"][0]
        .clone();
    assert_eq!(
        (&act["before"]["payload"], &act["after"]["payload"]),
        (&json!({"importId": 3}), &json!({"importId": 4}))
    );

    // A message that may have taken effect is never sent twice by a retry.
    let sent: i64 = sqlx::query_scalar(
        "with j as (insert into jobs (tenant_id, queue, kind, state, finished_at) values ($1, 'arrest', 'TouchCase', 'warning', now()) returning id)
         insert into outward_calls (tenant_id, subject, operation, intent, class, state, message_id, job_id)
         select $1, 'arrest:1', 'arrest.send', 1, 'once', 'unknown', gen_random_uuid(), id from j returning job_id",
    )
    .bind(ground.world.b101.0)
    .fetch_one(&ground.world.admin)
    .await
    .unwrap();
    let refused = ground
        .kt
        .put(&format!("/v2/jobs/{sent}/retry"), json!({}))
        .await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["code"]),
        (409, &json!("unknown_outcome"))
    );
    let whole = ground.kt.get(&format!("/v2/jobs/{sent}")).await.json();
    assert_eq!(
        (&whole["calls"][0]["state"], &whole["calls"][0]["class"]),
        (&json!("unknown"), &json!("once"))
    );
}

#[tokio::test]
async fn point_16_failures_are_grouped_and_a_group_is_retried_by_one_click() {
    let ground = Ground::new(7).await;
    let groups = ground.kt.get("/v2/error_groups").await.json();
    let group = &groups["member"][0];
    assert_eq!(
        (&group["count"], &group["bureaus"]),
        (&json!({"value": 7, "kind": "exact"}), &json!(["101"]))
    );
    assert!(group["firstSeenAt"].is_string() && group["lastSeenAt"].is_string());
    let key = group["key"].as_str().unwrap();
    let noted = ground
        .koda
        .put(
            &format!("/v2/error_groups/{key}/note"),
            json!({"note": "Teada, parandus tuleb"}),
        )
        .await
        .json();
    assert_eq!(noted["note"]["text"], "Teada, parandus tuleb");
    assert_eq!(
        ground
            .kt
            .put(
                &format!("/v2/error_groups/{key}/note"),
                json!({"note": "x"})
            )
            .await
            .status,
        403
    );
    let order = ground
        .kt
        .post(
            "/v2/operator_actions",
            json!({"kind": "retry", "filter": {"errorGroup": key}}),
        )
        .await;
    assert_eq!(
        (order.status.as_u16(), order.json()["total"].as_i64()),
        (201, Some(7))
    );
    ground.work(id(&order)).await;
    assert_eq!(
        ground.kt2.get("/v2/error_groups").await.json()["totalItems"],
        0
    );
    assert_eq!(
        ground
            .count("select count(*) from jobs where state = 'queued'")
            .await,
        7
    );
}

#[tokio::test]
async fn point_18_views_are_ones_own_or_the_bureau_s_and_are_links() {
    let ground = Ground::new(1).await;
    let query = "state=failed&queue=register";
    let made = ground
        .kt
        .post(
            "/v2/saved_views",
            json!({"page": "jobs", "name": " Registri vead ", "query": query}),
        )
        .await;
    assert_eq!(
        (
            &made.json()["name"],
            &made.json()["query"],
            &made.json()["mine"]
        ),
        (&json!("Registri vead"), &json!(query), &json!(true))
    );
    let twice = ground
        .kt
        .post(
            "/v2/saved_views",
            json!({"page": "jobs", "name": "Registri vead", "query": "x=1"}),
        )
        .await;
    assert_eq!(twice.paths(), ["name"]);
    for (body, path) in [
        (json!({"page": "olematu", "name": "a", "query": ""}), "page"),
        (json!({"page": "jobs", "name": " ", "query": ""}), "name"),
        (
            json!({"page": "jobs", "name": "a", "query": "x".repeat(2_001)}),
            "query",
        ),
    ] {
        assert_eq!(
            ground.kt.post("/v2/saved_views", body).await.paths(),
            [path]
        );
    }
    let view = id(&made);
    let path = format!("/v2/saved_views/{view}");
    assert_eq!(
        ground
            .kt
            .put(&path, json!({"shared": true, "version": 1}))
            .await
            .json()["shared"],
        true
    );
    assert_eq!(
        ground
            .kt
            .put(&path, json!({"name": "Uus", "version": 1}))
            .await
            .status,
        412
    );
    assert_eq!(
        ground.kt2.get("/v2/saved_views").await.json()["totalItems"],
        0
    );
    assert_eq!(
        ground.kt.get("/v2/saved_views?page=jobs").await.json()["member"][0]["query"],
        query
    );
    assert_eq!(
        ground.kt.get("/v2/saved_views?page=audit").await.json()["totalItems"],
        0
    );
    assert_eq!(ground.kt.call("DELETE", &path, &[], None).await.status, 204);
    assert_eq!(ground.kt.call("DELETE", &path, &[], None).await.status, 404);
}

#[tokio::test]
async fn point_20_personal_data_stays_hidden_until_asked_for_and_asking_is_on_record() {
    let ground = Ground::new(1).await;
    let job = ground.count("select min(id) from jobs").await;
    let masked = ground.kt.get(&format!("/v2/jobs/{job}")).await;
    let payload = masked.json()["payload"].clone();
    assert_eq!(masked.json()["payloadMasked"], true);
    for hidden in ["Võlgnik", "30001010004", "70000310"] {
        assert!(!payload.to_string().contains(hidden), "{payload}");
    }
    assert_eq!(payload["case"]["number"], "101/2024/1");
    let shown = ground
        .kt
        .post(&format!("/v2/jobs/{job}/unmask"), json!({}))
        .await
        .json();
    assert_eq!(
        (
            &shown["payload"]["case"]["debtor"]["name"],
            &shown["payload"]["case"]["debtor"]["code"]
        ),
        (&json!("Võlgnik"), &json!("30001010004"))
    );
    let acts = ground
        .koda
        .get(&format!("/v2/audit?action=unmask&objectId={job}"))
        .await
        .json();
    assert_eq!(
        (
            &acts["member"][0]["username"],
            acts["member"].as_array().unwrap().len()
        ),
        (&json!("mari"), 1)
    );
    assert_eq!(
        ground
            .kt2
            .post(&format!("/v2/jobs/{job}/unmask"), json!({}))
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn browsers_report_their_errors_at_a_bounded_rate_without_personal_data() {
    let ground = Ground::new(1).await;
    let report = json!({"message": "x is undefined (isik 39001010005)", "stack": "at a.js:1", "path": "/jobs?search=39001010005"});
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(
            ground
                .kt
                .post("/error-log", report.clone())
                .await
                .status
                .as_u16(),
        );
    }
    assert_eq!(
        (
            statuses.iter().filter(|status| **status == 204).count(),
            statuses[11]
        ),
        (10, 429)
    );
    let list = ground.dev.get("/error-log").await;
    assert!(!list.text.contains("39001010005"), "{}", list.text);
    let row = &list.json()["items"][0];
    assert_eq!(
        (
            &row["count"],
            &row["path"],
            list.json()["total_item_count"].as_i64()
        ),
        (&json!(10), &json!("/jobs"), Some(1))
    );
}
