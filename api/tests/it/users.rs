//! Users: who sees whom, and what a person may save.
use serde_json::json;

use crate::site::Site;

#[tokio::test]
async fn a_bailiff_sees_the_people_of_his_bureau_and_their_roles_in_it() {
    let site = Site::new().await;
    let kt = site.token("taitur/KT/101").await;
    let list = site.get("/user/list", &kt).await;
    let names: Vec<&str> = list.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["username"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["mitu", "taitur"]);
    assert_eq!(list.body["total_item_count"], 2);
    let mitu = site.get(&format!("/user/{}", site.id("mitu")), &kt).await;
    assert_eq!(
        mitu.body["roles"].as_array().unwrap().len(),
        1,
        "only his role here"
    );
    let missing = site.get("/user/999999", &kt).await;
    let other = site
        .get(&format!("/user/{}", site.id("taitur2")), &kt)
        .await;
    assert_eq!(
        (other.status.as_u16(), &other.body["message"]),
        (404, &missing.body["message"])
    );

    let koda = site.token("koda/koda/koda").await;
    assert_eq!(
        site.get("/user/list", &koda).await.body["total_item_count"],
        6
    );
    let paged = site.get("/user/list?page=2&limit=4", &koda).await;
    assert_eq!(
        (
            paged.body["items"].as_array().unwrap().len(),
            &paged.body["current_page"],
            &paged.body["items_per_page"]
        ),
        (2, &json!(2), &json!(4))
    );
}

#[tokio::test]
async fn a_person_saves_his_preferences_and_nothing_else() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    let path = format!("/user/{}", site.id("taitur"));
    let put = |body: &str| {
        let (site, path, token, body) = (&site, &path, &token, body.to_owned());
        async move { site.call("PUT", path, token, &body).await }
    };
    let saved = put(r#"{"version":1,"language":"en","row_height":40,"case_table_column_fields":["number","claimant_name"]}"#).await;
    assert_eq!(saved.status, 200, "{}", saved.text);
    assert_eq!(saved.body["version"], 2);
    assert_eq!(
        site.get(&path, &token).await.body["case_table_column_fields"],
        json!(["number", "claimant_name"])
    );

    let stale = put(r#"{"version":1,"language":"et"}"#).await;
    assert_eq!(
        (
            stale.status.as_u16(),
            &stale.body["changedBy"],
            &stale.body["version"]
        ),
        (412, &json!("taitur"), &json!(2))
    );

    for (body, expected) in [
        ("{}", "422 version"),
        (r#"{"language":"et"}"#, "422 version"),
        (r#"{"roles":[]}"#, "422 roles"),
        (r#"{"tenant_id":2}"#, "422 tenant_id"),
        (r#"{"password":"x"}"#, "422 password"),
        (r#"{"id":9}"#, "422 id"),
        (r#"{"name":"Uus"}"#, "422 name"),
        (r#"{"language":"de"}"#, "422 language"),
        (r#"{"row_height":33}"#, "422 row_height"),
        (r#"{"row_height":99999999}"#, "422 row_height"),
        (
            r#"{"case_table_column_fields":["a","a"]}"#,
            "422 case_table_column_fields",
        ),
        (
            r#"{"case_table_column_fields":["number","tundmatu"]}"#,
            "422 case_table_column_fields",
        ),
        (
            r#"{"case_table_column_fields":["a\u0000"]}"#,
            "422 case_table_column_fields.0",
        ),
    ] {
        assert_eq!(put(body).await.sketch(), expected, "{body}");
    }
    let kept: (String, i32) =
        sqlx::query_as("select language, version from users where username = 'taitur'")
            .fetch_one(&site.admin)
            .await
            .unwrap();
    assert_eq!(kept, ("en".to_owned(), 2));

    let same = put(r#"{"version":2,"language":"en","row_height":40}"#).await;
    assert_eq!(
        (same.status.as_u16(), &same.body["version"]),
        (200, &json!(2))
    );
    assert_eq!(site.audited("save_preferences").await, 1);

    let standard = put(r#"{"version":2,"case_table_column_fields":null}"#).await;
    assert_eq!(standard.body["case_table_column_fields"], json!(null));

    // Somebody else's: seen 403, unseen 404.
    assert_eq!(
        site.call("PUT", &format!("/user/{}", site.id("mitu")), &token, "{}")
            .await
            .status,
        403
    );
    assert_eq!(
        site.call(
            "PUT",
            &format!("/user/{}", site.id("taitur2")),
            &token,
            "{}"
        )
        .await
        .status,
        404
    );
}
