//! What a preview foretells of an operator action, and what then happens.
use domain::jobs::Queue;
use serde_json::{Value, json};

use super::points::{Ground, id};
use crate::bulk_actions::world::failed;

/// The reasons of an answer with their numbers.
fn reasons(answer: &Value) -> Vec<(String, i64)> {
    let skipped = answer["skipped"].as_array().unwrap().iter();
    let mut reasons: Vec<_> = skipped
        .map(|one| {
            let word = one["reason"].as_str().unwrap().to_owned();
            (word, one["count"].as_i64().unwrap())
        })
        .collect();
    reasons.sort();
    reasons
}

#[tokio::test]
async fn point_06_a_preview_foretells_each_reason_that_the_action_then_finds() {
    let ground = Ground::new(5).await;
    // The chamber's own action over the bureau's cases fails.
    ground.koda.launch(9, json!({})).await;
    let claimed = ground.world.claim_all(Queue::Register).await;
    ground.world.end(&claimed, |_| failed()).await;
    // One task has succeeded, one may have taken effect, and three others are each other's double.
    for statement in [
        "update jobs set state = 'ok' where id = (select min(id) from jobs)",
        "insert into outward_calls (job_id, tenant_id, subject, operation, intent, class, state, message_id)
         select id, tenant_id, 'case:' || case_id, 'proov', 1, 'once', 'unknown', gen_random_uuid()
         from jobs where kind = 'ComputeIssuerFee' order by id desc limit 1",
        "insert into jobs (tenant_id, queue, kind, state, finished_at, unique_key)
         select (select tenant_id from jobs order by id limit 1), 'bulk', 'ComputeIssuerFee', 'failed', now(), 'sama'
         from generate_series(1, 3)",
    ] {
        sqlx::raw_sql(statement)
            .execute(&ground.world.admin)
            .await
            .unwrap();
    }
    let order = json!({"kind": "retry", "filter": {"bureau": "101"}});
    let preview = ground
        .kt
        .post("/v2/operator_actions/preview", order.clone())
        .await;
    let preview = preview.json();
    let expected = [
        ("already_queued", 2),
        ("ok", 1),
        ("others", 5),
        ("unknown_outcome", 1),
    ]
    .map(|(word, count)| (word.to_owned(), count));
    assert_eq!(reasons(&preview), expected, "{preview}");
    assert_eq!(
        (&preview["count"]["value"], &preview["skippedCount"]),
        (&json!(13), &json!({"value": 9, "kind": "exact"}))
    );
    let made = id(&ground.kt.post("/v2/operator_actions", order).await);
    ground.work(made).await;
    let told = ground.kt.get(&format!("/v2/operator_actions/{made}")).await;
    let told = told.json();
    assert_eq!(reasons(&told), expected, "as foretold: {told}");
    assert_eq!(
        (&told["counts"]["skipped"], &told["counts"]["sent"]),
        (&json!(9), &json!(4))
    );
}
