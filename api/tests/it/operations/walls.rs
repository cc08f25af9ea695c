//! Whatever happens in one bureau changes no answer to another.
use serde_json::{Value, json};

use super::points::Ground;
use crate::bulk_actions::client::{Client, served};
use crate::bulk_actions::world::failed;
use domain::jobs::Queue;

/// Jobs of every state, some with the error that the other bureau knows too, and all that is told of them.
const ANOTHER_BUREAU_WORKS: &str = "
    insert into jobs (tenant_id, queue, kind, state, run_at, started_at, finished_at, error_code, output, error_key, args, unique_key, lease_until)
    select t.tenant_id, k.queue::job_queue, k.kind, s.state, now() - interval '1 hour',
           case when s.state <> 'queued' then now() - interval '50 min' end,
           case when s.state not in ('queued', 'dispatched', 'running') then now() - interval '40 min' end,
           f.error_code, f.output, f.error_key, '{\"importId\": 101101}', null, now() + interval '1 hour'
    from (select tenant_id from jobs order by id limit 1) t,
         (values ('bulk', 'ComputeIssuerFee'), ('register', 'SyncToRegister'), ('import', 'ImportCases'), ('interactive', 'Probe')) k (queue, kind),
         unnest(enum_range(null::job_state)) s (state)
         left join lateral (
           select error_code, output, error_key from jobs where state = 'failed' and s.state = 'failed' order by id limit 1) f on true,
         generate_series(1, 3);
    insert into jobs (tenant_id, queue, kind, state, run_at, finished_at, error_code, output, error_key)
    select tenant_id, 'bulk', 'TouchCase', 'failed', now(), now(), 'saladus', 'Saladus 101', error_key('TouchCase', 'saladus', 'Saladus 101')
    from jobs order by id limit 1;
    insert into queue_minutes (minute, queue, kind, tenant_id, ok, failed, run_ms, wait_ms)
    select date_trunc('minute', now()) - m * interval '1 min', 'bulk', 'ComputeIssuerFee', (select tenant_id from jobs order by id limit 1), 77, 7, 7700, 7700
    from generate_series(1, 59) m;
    insert into queue_depths (minute, queue, tenant_id, waiting)
    select date_trunc('minute', now()) - m * interval '1 min', 'bulk', (select tenant_id from jobs order by id limit 1), 101101
    from generate_series(0, 59) m;
    insert into movements (subject, id, tenant_id, second, done, failed)
    select 'bulk', a.id, (select tenant_id from jobs order by id limit 1), date_trunc('second', now()) - n * interval '1 s', 101, 1
    from bulk_actions a, generate_series(1, 60) n;
";

#[tokio::test]
async fn point_12_what_happens_in_one_bureau_changes_no_answer_to_another() {
    let ground = Ground::new(3).await;
    ground.world.cases(ground.world.b102, 2).await;
    let own = ground.kt2.launch(3, json!({})).await;
    let claimed = ground.world.claim_all(Queue::Bulk).await;
    ground
        .world
        .end(&claimed, |n| {
            if n == 0 {
                failed()
            } else {
                domain::jobs::Ending::Ok
            }
        })
        .await;
    sqlx::raw_sql(
        "insert into queue_minutes (minute, queue, kind, tenant_id, ok, failed, run_ms, wait_ms)
         select date_trunc('minute', now()) - interval '10 min', 'bulk', 'ComputeIssuerFee', tenant_id, 1, 1, 10, 10 from jobs order by id desc limit 1",
    )
    .execute(&ground.world.admin)
    .await
    .unwrap();
    let now = domain::clock::now();
    let hour = |hours: i64| {
        let at = now + chrono::TimeDelta::hours(hours);
        at.format("%Y-%m-%dT%H:00:00Z").to_string()
    };
    let span = format!("from={}&to={}", hour(-2), hour(1));
    let paths = [
        "/v2/operations".to_owned(),
        "/v2/queues/bulk".to_owned(),
        "/v2/queues/register".to_owned(),
        "/v2/queues/import".to_owned(),
        "/v2/queues/interactive".to_owned(),
        format!("/v2/queues/bulk/series?{span}"),
        format!("/v2/queues/register/series?{span}"),
        "/v2/jobs".to_owned(),
        "/v2/jobs?state[]=queued".to_owned(),
        "/v2/jobs?kind[]=Probe".to_owned(),
        "/v2/jobs?error=saladus".to_owned(),
        "/v2/jobs/counts".to_owned(),
        "/v2/jobs/counts?queue[]=bulk".to_owned(),
        "/v2/jobs/counts?bureau=101".to_owned(),
        format!("/v2/jobs/counts?finishedAt[after]={}", hour(-2)),
        "/v2/error_groups".to_owned(),
        "/v2/error_groups?hours=1".to_owned(),
        "/v2/operator_actions".to_owned(),
        "/v2/audit".to_owned(),
        "/v2/bulk_actions_by_date".to_owned(),
        format!("/v2/bulk_actions/{own}"),
        format!("/v2/bulk_action_tasks?bulkAction={own}"),
    ];
    let answers = async || {
        // A process of its own: what is shared for a moment would hide a change.
        let kt2 = Client::new(&served(&ground.world), &ground.world, &ground.world.kt2()).await;
        let mut told = Vec::new();
        for path in &paths {
            let answer = kt2.get(path).await;
            told.push((
                path.clone(),
                answer.status.as_u16(),
                timeless(answer.json()),
            ));
        }
        for body in [
            json!({"kind": "retry", "filter": {}}),
            json!({"kind": "cancel", "filter": {}}),
        ] {
            let answer = kt2.post("/v2/operator_actions/preview", body.clone()).await;
            told.push((
                body.to_string(),
                answer.status.as_u16(),
                timeless(answer.json()),
            ));
        }
        told
    };
    let before = answers().await;
    let refused: Vec<_> = before.iter().filter(|told| told.1 != 200).collect();
    assert!(refused.is_empty(), "{refused:?}");
    sqlx::raw_sql(ANOTHER_BUREAU_WORKS)
        .execute(&ground.world.admin)
        .await
        .unwrap();
    domain::testing::group_failures(&ground.world.admin)
        .await
        .unwrap();
    ground.kt.launch(3, json!({})).await;
    ground
        .kt
        .post(
            "/v2/operator_actions",
            json!({"kind": "retry", "filter": {"state": ["failed"]}}),
        )
        .await;
    let others = ground.kt.get("/v2/jobs/counts").await.json();
    assert!(others["all"]["value"].as_i64().unwrap() > 80, "{others}");
    for (was, is) in before.into_iter().zip(answers().await) {
        assert_eq!(was, is);
    }
}

/// Without instants and what is reckoned from them.
fn timeless(value: Value) -> Value {
    match value {
        Value::String(text) if chrono::DateTime::parse_from_rfc3339(&text).is_ok() => {
            "an instant".into()
        }
        Value::Array(all) => all.into_iter().map(timeless).collect(),
        Value::Object(all) => all
            .into_iter()
            .filter(|(name, _)| !["ageSeconds", "age"].contains(&name.as_str()))
            .map(|(name, value)| (name, timeless(value)))
            .collect(),
        other => other,
    }
}
