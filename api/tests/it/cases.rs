//! The case list as it is read: shapes, bounds, refusals, whose rows, and the CSV.
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use domain::cases::refresh_list;
use domain::ids::CaseId;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket};

use crate::site::{Answer, Site};

const TABLE: &str = "/v2/enforcement_cases/data_table";
const COUNT: &str = "/v2/enforcement_cases/case_table_cases_count";

/// `$1` bureau's code, `$2` how many: number k of year 2020, every third closed, one debtor each.
const CASES: &str = r#"
    with b as (select id, code::smallint as prefix from bureaus where code = $1),
    claimant as (insert into people (tenant_id, type, code, name) select id, 2, '12345678', '=cmd|Näidis "Laen" OÜ' from b returning id),
    debtors as (
      insert into people (tenant_id, type, code, name)
      select b.id, 1, '3900101' || lpad(n::text, 4, '0'), 'Õunapuu ' || n from b, generate_series(1, $2) n returning id, code),
    made as (
      insert into cases (tenant_id, prefix, year, index, state, status, claimant_id, debtor_id, date_opened, start_fee_initial_cents,
                         statement_number, register_id)
      select b.id, b.prefix, 2020, right(d.code, 4)::int, 'open', case when right(d.code, 4)::int % 3 = 0 then 1 else 0 end,
             claimant.id, d.id, '2020-02-09', 1500, 'TA' || right(d.code, 4), 'TR1'
      from b, claimant, debtors d returning id, tenant_id)
    insert into claims (tenant_id, case_id, main_claim, type, claim_type_id, sum_full_cents)
    select tenant_id, id, true, 0, (select min(id) from claim_types), 10050 from made returning case_id"#;

async fn cases(site: &Site, bureau: &str, count: i64) {
    let mut tx = site.admin.begin().await.unwrap();
    // The statement's own rows are not seen by its joins, so the keys are checked at its end.
    let ids: Vec<i64> = sqlx::query_scalar(CASES)
        .bind(bureau)
        .bind(count)
        .fetch_all(&mut *tx)
        .await
        .unwrap();
    // Without figures of its tables PostgreSQL joins thousands of cases by scans.
    sqlx::raw_sql("analyze people, cases, claims")
        .execute(&mut *tx)
        .await
        .unwrap();
    let ids: Vec<CaseId> = ids.into_iter().map(CaseId).collect();
    refresh_list(&mut tx, &ids).await.unwrap();
    tx.commit().await.unwrap();
}

async fn ask(site: &Site, token: &str, body: Value) -> Answer {
    site.call("POST", TABLE, token, &body.to_string()).await
}

async fn csv(site: &Site, token: &str, body: Value) -> Answer {
    let request = Request::post(format!("/api{TABLE}"))
        .header("host", "127.0.0.1:8080")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .header("accept", "text/csv");
    site.send(request.body(Body::from(body.to_string())).unwrap())
        .await
}

fn numbers(answer: &Answer) -> Vec<&str> {
    answer.body["member"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["number"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_page_has_its_shape_and_its_total_only_at_the_end() {
    let site = Site::new().await;
    cases(&site, "101", 100).await;
    let token = site.token("taitur/KT/101").await;
    let first = ask(&site, &token, json!({})).await;
    assert_eq!(
        first.header("content-type"),
        Some("application/ld+json; charset=utf-8")
    );
    assert_eq!(first.body["@type"], "Collection");
    assert_eq!(first.body.get("totalItems"), None);
    assert_eq!(numbers(&first).len(), 40);
    assert_eq!(numbers(&first)[..2], ["101/2020/100", "101/2020/99"]);
    let row = &first.body["member"][1];
    assert_eq!(row["@id"], format!("/v2/enforcement_cases/{}", row["id"]));
    assert_eq!(row["tenant_id"], site.id("bureau101"));
    assert_eq!(row["status"], "closed");
    assert_eq!(
        row["balance"],
        json!({"cents": 11550, "currency": "EUR", "tarnId": null})
    );
    assert_eq!(row["table_fee"]["cents"], 7500);
    assert_eq!(row["debtor_name"], "Õunapuu 99");
    assert_eq!(
        row.get("main_claim_type"),
        None,
        "not among the first columns"
    );
    assert_eq!(
        (&row["problem_count"], &row["last_transition_error"]),
        (&json!(0), &Value::Null)
    );

    for (body, rows, total) in [
        (json!({"page": 3}), 20, Some(100)),
        (json!({"page": 4}), 0, Some(100)),
        (json!({"limit": 100}), 100, Some(100)),
        (json!({"limit": 1}), 1, None),
        (json!({"limit": 1, "count": true}), 1, Some(100)),
        (
            json!({"limit": 1000, "filters": {"status": ["closed"]}}),
            33,
            Some(33),
        ),
        (json!({"page": 1_000_000}), 0, Some(100)),
        (
            json!({"columns": [], "sort": null, "filters": null, "limit": 99}),
            99,
            None,
        ),
    ] {
        let answer = ask(&site, &token, body.clone()).await;
        assert_eq!(numbers(&answer).len(), rows, "{body}");
        assert_eq!(
            answer.body.get("totalItems").and_then(Value::as_i64),
            total,
            "{body}"
        );
    }
    let sorted = ask(&site, &token, json!({"sort": {"field": "debtor_name", "direction": "asc"}, "limit": 3, "columns": ["date_opened"]})).await;
    assert_eq!(
        numbers(&sorted),
        ["101/2020/1", "101/2020/10", "101/2020/100"]
    );
    assert_eq!(sorted.body["member"][0]["date_opened"], "2020-02-09");
    assert_eq!(sorted.body["member"][0].get("balance"), None);
}

#[tokio::test]
async fn what_is_not_understood_is_named() {
    let site = Site::new().await;
    let token = site.token("taitur/KT/101").await;
    for (body, sketch) in [
        (json!({"limit": 0}), "422 limit"),
        (json!({"limit": 1001}), "422 limit"),
        (json!({"page": 0}), "422 page"),
        (json!({"page": i64::MAX, "limit": 1000}), "422 page"),
        (json!({"page": 1.5}), "422 page"),
        (json!({"bogus": 1}), "422 bogus"),
        (
            json!({"columns": ["number", "password_hash"]}),
            "422 columns[1]",
        ),
        (
            json!({"columns": ["l.case_id) from users --"]}),
            "422 columns[0]",
        ),
        (
            json!({"sort": {"field": "c.number;drop"}}),
            "422 sort.field",
        ),
        (json!({"sort": {"field": "(select 1)"}}), "422 sort.field"),
        (
            json!({"sort": {"field": "number", "direction": "DESC, pg_sleep(5)"}}),
            "422 sort.direction",
        ),
        (json!({"filters": {"bogus": 1}}), "422 filters.bogus"),
        (
            json!({"filters": {"balance.cents": {"$ne": null, "like": 1}}}),
            "422 filters.balance.cents.$ne",
        ),
        (
            json!({"filters": {"exists": {"password_hash": true}}}),
            "422 filters.exists.password_hash",
        ),
        (
            json!({"filters": {"globalSearchTerm": "a".repeat(201)}}),
            "422 filters.globalSearchTerm",
        ),
        (
            json!({"filters": {"caseSelection": "5"}}),
            "422 filters.caseSelection",
        ),
    ] {
        assert_eq!(
            ask(&site, &token, body.clone()).await.sketch(),
            sketch,
            "{body}"
        );
    }
    for (body, sketch) in [
        (json!({"by": "tenant"}), "422 by"),
        (
            json!({"filters": {"status": ["x"]}}),
            "422 filters.status[0]",
        ),
        (json!({"limit": 1}), "422 limit"),
    ] {
        let answer = site.call("POST", COUNT, &token, &body.to_string()).await;
        assert_eq!(answer.sketch(), sketch, "{body}");
    }
    let repeated = site
        .call(
            "POST",
            TABLE,
            &token,
            r#"{"filters":{"number":"1","number":"2"}}"#,
        )
        .await;
    assert_eq!(repeated.status, 400);
}

#[tokio::test]
async fn a_bureau_sees_its_own_and_all_only_when_asked() {
    let site = Site::new().await;
    cases(&site, "101", 6).await;
    cases(&site, "102", 3).await;
    let own = site.token("taitur2/KT/102").await;
    let chamber = site.token("koda/koda/koda").await;
    for (token, filters, rows) in [
        (&own, json!({}), 3),
        (&own, json!({"number": "101/"}), 0),
        (&own, json!({"globalSearchTerm": "101/2020/5"}), 0),
        (&own, json!({"includeAllBailiffs": true}), 9),
        (
            &own,
            json!({"includeAllBailiffs": true, "globalSearchTerm": "OUNAPUU 5"}),
            1,
        ),
        (&own, json!({"debtor.regCode": "39001010003"}), 1),
        (&chamber, json!({}), 9),
        (&chamber, json!({"number": "101/"}), 6),
        (&chamber, json!({"claimant.name": "näidis \"laen"}), 9),
    ] {
        let answer = ask(&site, token, json!({"filters": filters})).await;
        assert_eq!(numbers(&answer).len(), rows, "{filters}");
        let body = json!({"filters": filters, "by": "status"}).to_string();
        let count = site.call("POST", COUNT, token, &body).await;
        assert_eq!(count.body["count"], rows, "{filters}");
        let parts: i64 = count.body["byStatus"]
            .as_object()
            .unwrap()
            .values()
            .map(|n| n.as_i64().unwrap())
            .sum();
        assert_eq!(parts, i64::try_from(rows).unwrap());
    }
    let all = ask(
        &site,
        &own,
        json!({"filters": {"includeAllBailiffs": true}}),
    )
    .await;
    assert_eq!(all.body["member"][0]["tenant"], "Näidisbüroo");
}

#[tokio::test]
async fn names_are_found_in_any_spelling_and_shown_in_their_own() {
    let site = Site::new().await;
    cases(&site, "101", 6).await;
    for (number, name) in [
        (1, "Straße OÜ"),
        (2, "İstanbul Kaubandus"),
        (3, "Þórður 𐐷 Žuk"),
        (4, "100%_õ\\a"),
    ] {
        sqlx::query("update people set name = $2 where code = $1")
            .bind(format!("3900101{number:04}"))
            .bind(name)
            .execute(&site.admin)
            .await
            .unwrap();
    }
    let mut conn = site.admin.acquire().await.unwrap();
    let ids: Vec<i64> = sqlx::query_scalar("select id from cases")
        .fetch_all(&mut *conn)
        .await
        .unwrap();
    let ids: Vec<CaseId> = ids.into_iter().map(CaseId).collect();
    refresh_list(&mut conn, &ids).await.unwrap();
    let token = site.token("taitur/KT/101").await;
    for (term, found) in [
        ("STRASSE", "Straße OÜ"),
        ("straße", "Straße OÜ"),
        ("istanbul", "İstanbul Kaubandus"),
        ("İSTANBUL", "İstanbul Kaubandus"),
        ("zuk", "Þórður 𐐷 Žuk"),
        ("Z\u{30c}uk", "Þórður 𐐷 Žuk"),
        ("𐐷", "Þórður 𐐷 Žuk"),
        ("%_o\u{303}\\", "100%_õ\\a"),
        ("O\u{303}UNAPUU 5", "Õunapuu 5"),
    ] {
        for key in ["debtor.name", "globalSearchTerm"] {
            let answer = ask(&site, &token, json!({"filters": {key: term}})).await;
            assert_eq!(numbers(&answer).len(), 1, "{key} {term}");
            assert_eq!(answer.body["member"][0]["debtor_name"], found, "{term}");
        }
    }
}

#[tokio::test]
async fn columns_are_offered_with_their_titles() {
    let site = Site::new().await;
    let token = site.token("arendaja/dev/koda").await;
    let answer = site.get("/v2/enforcement_cases/columns", &token).await;
    let member = answer.body["member"].as_array().unwrap();
    assert_eq!(
        member[0],
        json!({"field": "number", "title": "Toimiku number", "type": "number", "sortable": true, "default": true})
    );
    for column in member {
        let sort = json!({"sort": {"field": column["field"], "direction": "DESC"}, "columns": [column["field"]]});
        assert_eq!(ask(&site, &token, sort).await.status, 200, "{column}");
    }
}

#[tokio::test]
async fn the_csv_is_whole_or_a_page() {
    let site = Site::new().await;
    cases(&site, "101", 2_100).await;
    let token = site.token("taitur/KT/101").await;
    let columns = json!([
        "number",
        "status",
        "claimant_name",
        "balance",
        "date_opened"
    ]);
    let whole = csv(&site, &token, json!({"columns": columns})).await;
    assert_eq!(
        whole.header("content-type"),
        Some("text/csv; charset=utf-8")
    );
    assert_eq!(whole.header("x-total-count"), Some("2100"));
    let name = whole.header("content-disposition").unwrap();
    assert!(
        name.starts_with("attachment; filename=\"toimikud_2") && name.ends_with(".csv"),
        "{name}"
    );
    let lines: Vec<&str> = whole
        .text
        .strip_prefix('\u{feff}')
        .unwrap()
        .split("\r\n")
        .collect();
    assert_eq!(lines.len(), 2_102);
    assert_eq!(
        lines[0],
        "Toimiku number;Staatus;Sissenõudja nimi;Saldo;Avamise kuupäev"
    );
    assert_eq!(
        lines[1],
        "101/2020/2100;Lõpetatud;\"'=cmd|Näidis \"\"Laen\"\" OÜ\";115,50;09.02.2020"
    );
    assert_eq!(lines[2_101], "");

    for page in [0, 2, -5] {
        let answer = csv(&site, &token, json!({"page": page})).await;
        assert_eq!(answer.sketch(), "422 page", "{page}");
    }
    let page = csv(
        &site,
        &token,
        json!({"columns": columns, "limit": 1000, "page": 3}),
    )
    .await;
    assert_eq!(page.text.lines().count(), 100);
    assert!(page.text.starts_with("101/2020/100;"));
    let first = csv(&site, &token, json!({"columns": columns, "limit": 1})).await;
    assert_eq!(first.text.lines().count(), 2);
    let refused = csv(&site, &token, json!({"columns": ["nope"]})).await;
    assert_eq!(refused.sketch(), "422 columns[0]");
}

/// A client that leaves in the middle of an export ends its cursor and frees the connection.
#[tokio::test]
async fn an_export_ends_with_its_client() {
    let site = Site::new().await;
    // Five parts of 16 MB: neither the connection's buffers nor the parts read ahead hold them all.
    cases(&site, "101", 9_999).await;
    site.arrange("update case_list set statement_number = repeat('x', 8000)")
        .await;
    let token = site.token("taitur/KT/101").await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let run = api::serve::run(listener, site.router.clone(), crate::site::times(), async {
        let _ = stopped.await;
    });
    let server = tokio::spawn(run);

    // The system's own buffer for it may grow to hold all of the answer.
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(65_536).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let body = r#"{"columns":["number","taitis_number"]}"#;
    let call = format!(
        "POST /api{TABLE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\naccept: text/csv\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(call.as_bytes()).await.unwrap();
    let mut some = vec![0; 100_000];
    stream.read_exact(&mut some).await.unwrap();
    let open = "select exists (select from pg_stat_activity where datname = current_database() and usename = 'toimik_api' and xact_start is not null)";
    until(&site, open, true).await;
    drop(stream);
    tokio::time::timeout(Duration::from_secs(5), until(&site, open, false))
        .await
        .expect("the backend is free within five seconds");
    let _ = stop.send(());
    server.await.unwrap();
}

async fn until(site: &Site, question: &'static str, answer: bool) {
    while sqlx::query_scalar::<_, bool>(question)
        .fetch_one(&site.admin)
        .await
        .unwrap()
        != answer
    {
        tokio::task::yield_now().await;
    }
}
