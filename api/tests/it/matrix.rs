//! Every route against every kind of caller, by the rows of `matrix.tsv`; a route without its row fails.
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::site::{Answer, Site};

const TABLE: &str = include_str!("../matrix.tsv");
const CALLERS: [&str; 7] = [
    "",
    "stranger",
    "taitur2",
    "taitur2/KT/102",
    "taitur/KT/101",
    "koda/koda/koda",
    "arendaja/dev/koda",
];
/// Nobody's id, for the comparison of 404s.
const MISSING: &str = "900000000000000";

struct Row<'a> {
    method: &'a str,
    path: &'a str,
    sample: &'a str,
    body: &'a str,
    expected: Vec<u16>,
}

fn rows() -> Vec<Row<'static>> {
    let lines = TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [method, path, sample, body, expected @ ..] = cells.as_slice() else {
                panic!("a short row: {line}")
            };
            let expected: Vec<u16> = expected
                .iter()
                .map(|cell| cell.parse().unwrap_or_else(|_| panic!("{cell} in {line}")))
                .collect();
            assert_eq!(expected.len(), CALLERS.len(), "{line}");
            Row {
                method,
                path,
                sample,
                body: if *body == "-" { "" } else { body },
                expected,
            }
        })
        .collect()
}

/// Each `{name}` as an id of the site, or all as an id of nothing.
fn fill(site: &Site, text: &str, missing: bool) -> String {
    let mut filled = text.to_owned();
    for (name, id) in &site.ids {
        let id = if missing {
            MISSING.to_owned()
        } else {
            id.to_string()
        };
        filled = filled.replace(&format!("{{{name}}}"), &id);
    }
    filled
}

fn routes() -> BTreeSet<(String, String)> {
    let document = serde_json::to_value(api::app::document()).unwrap();
    let mut routes = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            routes.insert((method.to_uppercase(), path.clone()));
        }
    }
    routes
}

#[test]
fn every_route_has_its_row() {
    let known: BTreeSet<_> = rows()
        .iter()
        .map(|row| (row.method.to_owned(), row.path.to_owned()))
        .collect();
    let routes = routes();
    let without: Vec<_> = routes.difference(&known).collect();
    let gone: Vec<_> = known.difference(&routes).collect();
    assert!(
        without.is_empty() && gone.is_empty(),
        "routes without a row in matrix.tsv: {without:?}; rows without a route: {gone:?}"
    );
}

#[tokio::test]
async fn every_caller_gets_what_the_matrix_says() {
    let mut site = Site::new().await;
    site.work().await;
    let mut wrong = Vec::new();
    for row in rows() {
        let mut before = fingerprint(&site).await;
        for (caller, expected) in CALLERS.iter().zip(&row.expected) {
            let answer = ask(&site, &row, caller, false).await;
            let got = answer.status.as_u16();
            let after = fingerprint(&site).await;
            if [401, 403, 404].contains(&got) && after != before {
                wrong.push(format!(
                    "{} {} as {caller:?}: refused with {got}, and something changed",
                    row.method, row.path
                ));
            }
            before = after;
            if got != *expected {
                wrong.push(format!(
                    "{} {} as {caller:?}: {got}, not {expected}: {}",
                    row.method, row.path, answer.text
                ));
            }
            if got == 404 {
                let missing = ask(&site, &row, caller, true).await;
                if bare(&missing) != bare(&answer) {
                    wrong.push(format!(
                        "{} {} as {caller:?}: another bureau's object is told from a missing one",
                        row.method, row.path
                    ));
                }
            }
        }
        site.arrange("delete from login_failures").await;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A method that a path doesn't have names those that it has.
#[tokio::test]
async fn every_path_names_its_methods() {
    let site = Site::new().await;
    let mut paths: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (method, path) in routes() {
        let methods = paths.entry(path).or_default();
        if method == "GET" {
            methods.insert("HEAD".into());
        }
        methods.insert(method);
    }
    let mut asked = 0;
    for (path, methods) in &paths {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] {
            if methods.contains(method) {
                continue;
            }
            asked += 1;
            let answer = site.call(method, &path.replace("{id}", "1"), "", "").await;
            let named: BTreeSet<String> = answer
                .header("allow")
                .unwrap_or_default()
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect();
            assert_eq!(
                (answer.status.as_u16(), &named),
                (405, methods),
                "{method} {path}"
            );
        }
    }
    assert!(asked > 100, "{asked}");
}

/// CSV is an answer where the document says so, and nowhere else.
#[tokio::test]
async fn only_routes_with_csv_are_asked_for_it() {
    let mut site = Site::new().await;
    site.work().await;
    let document = serde_json::to_value(api::app::document()).unwrap();
    let (mut with, mut wrong) = (0, Vec::new());
    for row in rows().iter().filter(|row| row.path.starts_with("/v2/")) {
        let operation = &document["paths"][row.path][row.method.to_lowercase()];
        let csv = operation["responses"]["200"]["content"]["text/csv"].is_object();
        with += usize::from(csv);
        let path = format!("/api{}", fill(&site, row.sample, false));
        let request = axum::http::Request::builder()
            .method(row.method)
            .uri(path)
            .header("accept", "text/csv");
        let answer = site
            .send(request.body(axum::body::Body::empty()).unwrap())
            .await;
        let expected = if csv { 401 } else { 406 };
        if answer.status.as_u16() != expected {
            wrong.push(format!("{} {}: {}", row.method, row.path, answer.status));
        }
    }
    assert_eq!(with, 4);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An unknown query parameter is refused everywhere, also where none is known.
#[tokio::test]
async fn no_route_takes_an_unknown_parameter() {
    let mut site = Site::new().await;
    site.work().await;
    let token = site.token("koda/koda/koda").await;
    let (mut asked, mut wrong) = (0, Vec::new());
    for row in rows() {
        // As the chamber, where it is allowed the call at all; signing out would end the token.
        if !(200..300).contains(&row.expected[5]) || row.path == "/auth/logout" {
            continue;
        }
        asked += 1;
        let path = fill(&site, row.sample, false);
        let joint = if path.contains('?') { '&' } else { '?' };
        let body = fill(&site, row.body, false);
        let answer = site
            .call(
                row.method,
                &format!("{path}{joint}tundmatu=1"),
                &token,
                &body,
            )
            .await;
        if answer.status.as_u16() != 422 || !answer.text.contains("tundmatu") {
            wrong.push(format!("{} {}: {}", row.method, row.path, answer.text));
        }
    }
    assert!(asked > 15, "{asked}");
    let head = site.call("HEAD", "/bureau?page=1", &token, "").await;
    assert_eq!(head.status.as_u16(), 200, "a head takes what a get takes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All rows but those of sessions, counted tries and the audit, which a refusal may write.
async fn fingerprint(site: &Site) -> String {
    let tables = [
        "users",
        "user_roles",
        "bureaus",
        "banks",
        "settings",
        "people",
        "cases",
        "claims",
        "case_list",
        "bulk_actions",
        "jobs",
        "imports",
        "operator_actions",
        "operator_action_items",
        "pauses",
        "saved_views",
        "case_selections",
        "error_groups",
    ];
    let each = tables.map(|table| {
        format!(
            "(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from {table} t)"
        )
    });
    sqlx::query_scalar(AssertSqlSafe(format!("select {}", each.join(" || "))))
        .fetch_one(&site.admin)
        .await
        .unwrap()
}

async fn ask(site: &Site, row: &Row<'_>, caller: &str, missing: bool) -> Answer {
    let token = match caller {
        "" => String::new(),
        "stranger" => "s".repeat(43),
        who => site.token(who).await,
    };
    // The names in a body stay: only the object asked for is another one.
    site.call(
        row.method,
        &fill(site, row.sample, missing),
        &token,
        &fill(site, row.body, false),
    )
    .await
}

fn bare(answer: &Answer) -> (u16, Value) {
    let mut body = answer.body.clone();
    if let Some(body) = body.as_object_mut() {
        body.remove("requestId");
        body.remove("traceId");
    }
    (answer.status.as_u16(), body)
}

#[test]
fn request_bodies_take_no_unknown_field() {
    let document = serde_json::to_value(api::app::document()).unwrap();
    let mut open = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(content) = operation
                .pointer("/requestBody/content")
                .and_then(Value::as_object)
            else {
                continue;
            };
            for (kind, body) in content.iter().filter(|(kind, _)| kind.contains("json")) {
                let name = body
                    .pointer("/schema/$ref")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let schema = document
                    .pointer(name.trim_start_matches('#'))
                    .unwrap_or(&body["schema"]);
                if schema["additionalProperties"] != false {
                    open.push(format!("{method} {path} {kind}"));
                }
            }
        }
    }
    assert!(open.is_empty(), "without deny_unknown_fields: {open:?}");
}
