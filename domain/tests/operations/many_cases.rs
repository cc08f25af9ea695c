//! Jobs of many cases are looked for in another way than those of a few; both find the same.
use domain::jobs::State;
use serde_json::{Value, json};

use crate::finding::ground;

#[tokio::test]
async fn thousands_of_cases_find_what_the_few_of_them_with_jobs_find() {
    let ground = ground(5).await;
    let few: Vec<i64> = ground.cases.iter().map(|case| case.0).take(7).collect();
    let many: Vec<i64> = few.iter().copied().chain(900_000..904_000).collect();
    let wants = [
        json!({}),
        json!({"states": ["failed"]}),
        json!({"states": ["queued", "ok"]}),
        json!({"states": ["running"]}),
        json!({"kinds": ["ComputeIssuerFee"]}),
        json!({"created": {"until": ground.start}}),
    ];
    let mut found = 0;
    for actor in [ground.world.kt(), ground.world.chamber()] {
        let mut tx = ground.world.reading(&actor).await;
        for want in &wants {
            let of = |cases: &[i64]| {
                let mut want = want.clone();
                want["cases"] = json!(cases);
                want
            };
            // Fewer than there are, all there are, and from the middle on.
            for (before, most) in [(None, 3_i64), (None, 1_000), (Some(150_i64), 2)] {
                let mut ids = Vec::new();
                for want in [of(&few), of(&many)] {
                    let page: Vec<i64> = sqlx::query_scalar("select job_ids($1, $2, $3)")
                        .bind(want)
                        .bind(before)
                        .bind(most)
                        .fetch_all(&mut *tx)
                        .await
                        .unwrap();
                    ids.push(page);
                }
                assert_eq!(ids[0], ids[1], "{want} {before:?} {most}");
                assert!(ids[0].is_sorted_by(|a, b| a > b), "{want}");
                found += ids[0].len();
            }
            let mut counted: Vec<Vec<(State, i64)>> = Vec::new();
            for want in [of(&few), of(&many)] {
                counted.push(
                    sqlx::query_as("select state, jobs from job_counts($1, 10001)")
                        .bind::<Value>(want)
                        .fetch_all(&mut *tx)
                        .await
                        .unwrap(),
                );
            }
            assert_eq!(counted[0], counted[1], "{want}");
        }
    }
    assert!(found > 100, "{found} jobs were found in all");
}
