//! A case selection from its making to its end.
use serde_json::json;

use super::points::{Ground, id};

#[tokio::test]
async fn a_selection_grows_narrows_the_list_and_is_forgotten_without_its_cases() {
    let ground = Ground::new(4).await;
    let made = id(&ground
        .kt
        .post(
            "/v2/case_selections",
            json!({"caseNumbers": ["101/2024/1"]}),
        )
        .await);
    let path = format!("/v2/case_selections/{made}");
    let add = format!("{path}/add_cases");
    let listed = async || {
        let narrowed = json!({"filters": {"caseSelection": made}});
        let count = ground
            .kt
            .post("/v2/enforcement_cases/case_table_cases_count", narrowed);
        count.await.json()["count"].clone()
    };
    // One of them is in it already.
    let grown = ground
        .kt
        .put(
            &add,
            json!({"caseNumbers": ["101/2024/1", "101/2024/2", "101/2024/4"]}),
        )
        .await;
    assert_eq!(
        (grown.status.as_u16(), &grown.json()["count"]),
        (200, &json!(3))
    );
    assert_eq!(listed().await, 3);

    let unknown = ground
        .kt
        .put(&add, json!({"caseNumbers": ["101/2024/3", "101/2024/99"]}))
        .await;
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    assert_eq!(listed().await, 3, "all or none");

    for (client, status) in [(&ground.kt2, 404), (&ground.kt, 204), (&ground.kt, 404)] {
        let answer = client.call("DELETE", &path, &[], None).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
    }
    assert_eq!(ground.kt.get(&path).await.status, 404);
    let all = ground
        .kt
        .post(
            "/v2/enforcement_cases/case_table_cases_count",
            json!({"filters": {}}),
        )
        .await;
    assert_eq!(all.json()["count"], 4, "the cases stay");
}
