//! The seeded national rows as they are read.
use serde_json::json;

use crate::site::Site;

#[tokio::test]
async fn v2_collections_have_their_shape() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    for (path, kind) in [
        ("/v2/claim_types", "ClaimType"),
        ("/v2/feature_flags", "FeatureFlag"),
        ("/v2/classifier_values", "ClassifierValue"),
    ] {
        let all = site.get(&format!("{path}?limit=100"), &token).await;
        assert_eq!(
            all.header("content-type"),
            Some("application/ld+json; charset=utf-8")
        );
        assert_eq!(
            (&all.body["@type"], &all.body["@context"], &all.body["@id"]),
            (
                &json!("Collection"),
                &json!(format!("/contexts/{kind}")),
                &json!(path)
            )
        );
        let total = all.body["totalItems"].as_i64().unwrap();
        assert!(total > 4);

        // The walk along `next` gives every id once.
        let (mut next, mut ids) = (format!("{path}?limit=4"), Vec::new());
        loop {
            let page = site.get(&next, &token).await;
            assert_eq!(page.body["totalItems"], total, "{next}");
            for member in page.body["member"].as_array().unwrap() {
                assert_eq!(member["@id"], json!(format!("{path}/{}", member["id"])));
                assert_eq!(member["@type"], kind);
                ids.push(member["id"].as_i64().unwrap());
            }
            match page.body["view"]["next"].as_str() {
                Some(link) => next = link.to_owned(),
                None => break,
            }
        }
        assert_eq!(i64::try_from(ids.len()).unwrap(), total);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(i64::try_from(ids.len()).unwrap(), total);

        let past = site.get(&format!("{path}?page=1000"), &token).await;
        assert_eq!(
            (past.status.as_u16(), &past.body["member"]),
            (200, &json!([]))
        );
    }
}

#[tokio::test]
async fn classifiers_are_found_by_tag_and_name() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    let bases = site
        .get(
            "/v2/classifier_values?classifier.tag=close_basis&active=1",
            &token,
        )
        .await;
    let members = bases.body["member"].as_array().unwrap();
    assert_eq!(members.len(), 10);
    assert_eq!(
        (&members[0]["name"], &members[0]["metadata"][0]),
        (&json!("Aegumine"), &json!({"key": "expire", "value": "1"}))
    );

    let found = site
        .get("/classifier?where=%7B%22name%22%3A%22Riik%22%7D", &token)
        .await;
    assert_eq!(
        (
            &found.body["items"][0]["tag"],
            &found.body["total_item_count"]
        ),
        (&json!("country"), &json!(1))
    );
    let id = found.body["items"][0]["id"].as_i64().unwrap();
    let countries = site
        .get(
            &format!("/classifier-value?where=%7B%22classifier%22%3A{id}%7D"),
            &token,
        )
        .await;
    assert_eq!(countries.body["items"][0]["name"], "Eesti");
    assert!(
        site.get("/classifier?where=%7B%22name%22%3A%22Puudub%22%7D", &token)
            .await
            .body["items"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    // Without a classifier the last come first.
    let all = site.get("/classifier-value?limit=500", &token).await;
    let places: Vec<i64> = all.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["order_idx"].as_i64().unwrap())
        .collect();
    assert!(places.is_sorted_by(|a, b| a >= b));
}

#[tokio::test]
async fn banks_come_in_their_order() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    let list = site
        .get("/bank?order[idx]=asc&limit=50&active=1", &token)
        .await;
    let items = list.body["items"].as_array().unwrap();
    assert_eq!(
        (
            &items[0]["swift"],
            &items[0]["is_preselected"],
            &list.body["items_per_page"]
        ),
        (&json!("HABAEE2X"), &json!(true), &json!(50))
    );
    assert_eq!(items.len(), 11);
    let one = site.get(&format!("/bank/{}", items[0]["id"]), &token).await;
    assert_eq!(one.body, items[0]);
    let by_swift = site
        .get(
            "/bank?where=%7B%22swift%22%3A%5B%2274000091%22%2C%22EEUHEE2X%22%5D%7D",
            &token,
        )
        .await;
    assert_eq!(by_swift.body["total_item_count"], 2);
    let known = items[0]["id"].to_string();
    for id in [
        "0",
        "-1",
        &format!("+{known}"),
        &format!("%2B{known}"),
        &format!("0{known}"),
        "9223372036854775808",
        "1e3",
        "0x1",
        "1%20",
        "%00",
        "ca0d2d1e-0000-4000-8000-000000000000",
    ] {
        assert_eq!(
            site.get(&format!("/bank/{id}"), &token).await.status,
            404,
            "{id}"
        );
    }
}

#[tokio::test]
async fn a_bureaus_own_setting_takes_the_place_of_the_global_one() {
    let site = Site::new().await;
    site.arrange(
        "insert into settings (tenant_id, type, name, value)
         select id, 'prepare_valid', 'Ettevalmistuse kehtivus', '{\"days\":3}' from bureaus where code = '101'",
    )
    .await;
    let (own, other, koda) = (
        site.token("taitur/KT/101").await,
        site.token("taitur2/KT/102").await,
        site.token("koda/koda/koda").await,
    );
    let days = |answer: &crate::site::Answer| {
        assert_eq!(answer.body["total_item_count"], 1);
        answer.body["items"][0]["value"]["days"].as_i64().unwrap()
    };
    let bureau = site.id("bureau101");
    for path in [
        "/setting?type=prepare_valid",
        "/setting/current-bureau?type=prepare_valid",
    ] {
        assert_eq!(days(&site.get(path, &own).await), 3, "{path}");
        assert_eq!(days(&site.get(path, &other).await), 7, "{path}");
    }
    assert_eq!(
        days(&site.get("/setting/global?type=prepare_valid", &own).await),
        7
    );
    assert_eq!(
        days(
            &site
                .get(
                    &format!("/setting?tenant_id={bureau}&type=prepare_valid"),
                    &koda
                )
                .await
        ),
        3
    );
    assert_eq!(
        site.get(&format!("/setting?tenant_id={bureau}"), &other)
            .await
            .status,
        404
    );
    assert_eq!(
        site.get("/setting?tenant_id=999999", &koda).await.status,
        404
    );

    let layouts = site.get("/setting?type=arrest_document_layout", &own).await;
    let types: Vec<i64> = layouts.body["items"][0]["value"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["file_type"].as_i64().unwrap())
        .collect();
    assert_eq!(types, [0, 7, 35]);
    let resolvers = site.get("/setting?type=case_resolver", &own).await;
    assert_eq!(
        resolvers.body["items"][0]["value"][0]["name"],
        "Harju Maakohus"
    );
}

#[tokio::test]
async fn flags_are_on_by_environment_and_address() {
    let site = Site::new().await;
    site.arrange(
        "update feature_flags set emails = '{taitur@naidis.ee}' where name = 'FF_EARREST_SEND';
         insert into feature_flags (name, description, tenant_id) select 'FF_BUREAU', 'Büroo oma', id from bureaus where code = '101'",
    )
    .await;
    for (who, expected) in [
        (
            "taitur/KT/101",
            vec![
                "FF_BUREAU",
                "FF_EARREST_SEND",
                "FF_FILTERS_V1",
                "FF_PROBLEM_MANAGEMENT",
            ],
        ),
        (
            "taitur2/KT/102",
            vec!["FF_FILTERS_V1", "FF_PROBLEM_MANAGEMENT"],
        ),
        (
            "koda/koda/koda",
            vec!["FF_FILTERS_V1", "FF_PROBLEM_MANAGEMENT"],
        ),
    ] {
        let flags = site
            .get("/v2/feature_flags?page=1&limit=100", &site.token(who).await)
            .await;
        let members = flags.body["member"].as_array().unwrap();
        let on: Vec<&str> = members
            .iter()
            .filter(|flag| flag["enabled"] == true)
            .map(|flag| flag["name"].as_str().unwrap())
            .collect();
        assert_eq!(on, expected, "{who}");
        if who.contains("KT") {
            assert!(members.iter().all(|flag| flag["emails"] == json!([])));
        }
    }
}

#[tokio::test]
async fn a_bailiff_sees_his_own_bureau_alone() {
    let site = Site::new().await;
    let kt = site.token("taitur/KT/101").await;
    let list = site.get("/bureau", &kt).await;
    assert_eq!(
        (
            &list.body["items"][0]["code"],
            &list.body["total_item_count"]
        ),
        (&json!("101"), &json!(1))
    );
    assert_eq!(
        site.get(&format!("/bureau/{}", site.id("bureau101")), &kt)
            .await
            .status,
        200
    );
    assert_eq!(
        site.get(&format!("/bureau/{}", site.id("bureau102")), &kt)
            .await
            .status,
        404
    );
    let koda = site.token("koda/koda/koda").await;
    assert_eq!(site.get("/bureau", &koda).await.body["total_item_count"], 3);
    assert_eq!(
        site.get(&format!("/bureau/{}", site.id("bureau102")), &koda)
            .await
            .status,
        200
    );
}
