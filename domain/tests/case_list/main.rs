//! The case list against a naive oracle in memory: random filters, sorts and pages, for a bailiff, a bailiff who looks at every
//! bureau, and the chamber.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
mod chance;
mod oracle;
mod requests;

use std::collections::HashMap;
use std::str::FromStr;

use chance::Chance;
use domain::cases::list::{self, Filters, Sort, View, Wanted};
use domain::cases::{CaseStatus, Number};
use domain::demo::{self, Plan};
use domain::ids::{CaseId, RoleId, TenantId, UserId};
use domain::page::Page;
use domain::testing::Database;
use domain::{Actor, Role, cases, db};
use oracle::Case;
use sqlx::{Connection, PgConnection, PgPool};

/// Makes ties, blanks, odd spellings and other wild cards of the search languages.
const DISTURB: &str = r"
    update people set name = 'Ülo_Õ%\Ž' where id % 17 = 0;
    update people set code = null where id % 13 = 0;
    update people set date_death = '2024-02-29' where id % 7 = 0;
    update cases set index = id + 99000, year = 1999, date_opened = '1999-12-31' where id % 19 = 0;
    update cases set statement_number = null, reference_no = null, start_fee_initial_cents = id % 4 * 500 where id % 5 = 0;
    delete from claims where case_id % 23 = 0";

pub async fn disturbed(count: i64) -> (Database, PgConnection) {
    let database = Database::new().await;
    let mut conn = PgConnection::connect_with(&database.options())
        .await
        .unwrap();
    let plan = Plan {
        cases: count,
        bureaus: 3,
        password_hash: "none".into(),
    };
    demo::load(&mut conn, &plan).await.unwrap();
    sqlx::raw_sql(DISTURB).execute(&mut conn).await.unwrap();
    let ids: Vec<i64> = sqlx::query_scalar("select id from cases")
        .fetch_all(&mut conn)
        .await
        .unwrap();
    let ids: Vec<CaseId> = ids.into_iter().map(CaseId).collect();
    cases::refresh_list(&mut conn, &ids).await.unwrap();
    sqlx::raw_sql("analyze case_list")
        .execute(&mut conn)
        .await
        .unwrap();
    (database, conn)
}

pub fn actor(role: Role, tenant: i64) -> Actor {
    Actor {
        user_id: UserId(1),
        username: "test".into(),
        role_id: RoleId(1),
        role,
        tenant_id: TenantId(tenant),
        tenant_code: "101".into(),
        request_id: "test".into(),
    }
}

async fn compare(
    pool: &PgPool,
    all: &[Case],
    statuses: &HashMap<i64, CaseStatus>,
    tenants: &[i64],
    chance: &mut Chance,
) {
    let role = *chance.one(&[Role::Kt, Role::Kt, Role::Koda, Role::Dev]);
    let who = actor(role, *chance.one(tenants));
    let asked = requests::random(all, chance);
    let filters = Filters::from_json(&asked.filters, "filters")
        .unwrap_or_else(|e| panic!("{}: {e:?}", asked.filters));
    let view = View::of(&who, &filters);
    let sort = Sort {
        column: asked.column,
        direction: asked.direction,
    };
    let expected = oracle::answer(all, &who, &asked);

    let wanted = Wanted {
        columns: list::Column::defaults(),
        sort,
        filters: filters.clone(),
        view,
    };
    let mut tx = db::begin(pool, view.scope(&who)).await.unwrap();
    let page = Page::new(asked.page, asked.limit, list::MOST_ROWS).unwrap();
    // Few entries a walk, so that matches at the far end of an index occur.
    let walk = 1 << chance.below(14);
    let found = list::page_walking(&mut tx, &wanted, page, walk)
        .await
        .unwrap();
    let ids: Vec<i64> = found.rows.iter().map(|row| row.id().unwrap().0).collect();
    let from = usize::try_from(page.offset).unwrap().min(expected.len());
    let until = (from + usize::try_from(page.limit).unwrap()).min(expected.len());
    assert_eq!(ids, expected[from..until], "{who:?} {asked:?}");
    let total = i64::try_from(expected.len()).unwrap();
    let ends = page.offset + page.limit >= total;
    assert_eq!(found.total, ends.then_some(total), "{who:?} {asked:?}");
    assert_eq!(list::count(&mut tx, &filters, view).await.unwrap(), total);
    let by_status = list::count_by_status(&mut tx, &filters, view)
        .await
        .unwrap();
    let mut expected_by_status: HashMap<CaseStatus, i64> = HashMap::new();
    for id in &expected {
        *expected_by_status.entry(statuses[id]).or_default() += 1;
    }
    assert_eq!(
        by_status.into_iter().collect::<HashMap<_, _>>(),
        expected_by_status
    );
    tx.rollback().await.unwrap();
}

async fn run(cases: i64, comparisons: u32, seed: u64) {
    let (database, mut conn) = disturbed(cases).await;
    let all = oracle::load(&mut conn).await;
    assert_eq!(i64::try_from(all.len()).unwrap(), cases);
    let tenants: Vec<i64> = sqlx::query_scalar("select id from bureaus where not is_chamber")
        .fetch_all(&mut conn)
        .await
        .unwrap();
    let pool = database.pool("api");
    let statuses: HashMap<i64, CaseStatus> =
        all.iter().map(|case| (case.id, case.status)).collect();
    let mut chance = Chance::new(seed);
    for _ in 0..comparisons {
        compare(&pool, &all, &statuses, &tenants, &mut chance).await;
    }
}

#[tokio::test]
async fn small_lists_equal_the_oracle() {
    run(120, 1_500, 1).await;
}

#[tokio::test]
async fn middling_lists_equal_the_oracle() {
    run(700, 1_500, 2).await;
}

#[tokio::test]
async fn other_lists_equal_the_oracle() {
    run(700, 1_500, 3).await;
}

/// Deep enough that pages are read from the far end.
#[tokio::test]
async fn long_lists_equal_the_oracle() {
    run(7_000, 600, 4).await;
}

#[tokio::test]
async fn an_export_holds_everything_once_and_in_order() {
    let (database, mut conn) = disturbed(5_000).await;
    let all = oracle::load(&mut conn).await;
    let tenants: Vec<i64> =
        sqlx::query_scalar("select id from bureaus where not is_chamber order by code")
            .fetch_all(&mut conn)
            .await
            .unwrap();
    let pool = database.pool("api");
    let mut chance = Chance::new(5);
    for role in [Role::Kt, Role::Koda] {
        for column in [
            "number",
            "debtor_name",
            "total_claims",
            "date_closed",
            "main_claim_type",
        ] {
            let who = actor(role, tenants[0]);
            let mut asked = requests::random(&all, &mut chance);
            asked.filters = serde_json::json!({});
            asked.column = list::Column::named(column, "sort").unwrap();
            let wanted = Wanted {
                columns: list::COLUMNS.iter().collect(),
                sort: Sort {
                    column: asked.column,
                    direction: asked.direction,
                },
                filters: Filters::default(),
                view: View::of(&who, &Filters::default()),
            };
            let mut export = list::Export::begin(&pool, &who, wanted).await.unwrap();
            let mut ids = Vec::new();
            loop {
                let rows = export.next().await.unwrap();
                if rows.is_empty() {
                    break;
                }
                for row in rows.iter() {
                    assert!(row.cells().all(|cell| cell.is_ok()));
                    ids.push(row.id().unwrap().0);
                }
            }
            assert_eq!(i64::try_from(ids.len()).unwrap(), export.total);
            export.finish().await.unwrap();
            assert_eq!(ids, oracle::answer(&all, &who, &asked), "{column}");
        }
    }
}

#[test]
fn wrong_filters_are_named() {
    for (filters, path) in [
        (serde_json::json!([]), "filters"),
        (serde_json::json!({"bogus": 1}), "filters.bogus"),
        (
            serde_json::json!({"caseSelection": 0}),
            "filters.caseSelection",
        ),
        (
            serde_json::json!({"status": ["open", "nope"]}),
            "filters.status[1]",
        ),
        (
            serde_json::json!({"status": {"$ne": null}}),
            "filters.status[0]",
        ),
        (serde_json::json!({"number": "x"}), "filters.number"),
        (serde_json::json!({"number": 7}), "filters.number"),
        (
            serde_json::json!({"claimant.type": "robot"}),
            "filters.claimant.type[0]",
        ),
        (
            serde_json::json!({"debtor.regCode": "ä"}),
            "filters.debtor.regCode",
        ),
        (
            serde_json::json!({"debtor.name": "x".repeat(201)}),
            "filters.debtor.name",
        ),
        (
            serde_json::json!({"debtor.name": "a\u{0}b"}),
            "filters.debtor.name",
        ),
        (
            serde_json::json!({"mainClaimType": ["/v2/people/1"]}),
            "filters.mainClaimType[0]",
        ),
        (
            serde_json::json!({"balance.cents": {"$gt": 1}}),
            "filters.balance.cents.$gt",
        ),
        (
            serde_json::json!({"balance.cents": {"gt": 1.5}}),
            "filters.balance.cents.gt",
        ),
        (
            serde_json::json!({"balance.cents": {"gt": i64::MAX}}),
            "filters.balance.cents.gt",
        ),
        (
            serde_json::json!({"balance.cents": {"lt": i64::MIN}}),
            "filters.balance.cents.lt",
        ),
        (
            serde_json::json!({"balance.cents": {"lte": i64::MIN.to_string()}}),
            "filters.balance.cents.lte",
        ),
        (
            serde_json::json!({"balance.cents": {"gte": i64::MIN}}),
            "filters.balance.cents.gte",
        ),
        (
            serde_json::json!({"dateOpened": {"before": "1899-12-31"}}),
            "filters.dateOpened.before",
        ),
        (
            serde_json::json!({"dateOpened": {"strictly_after": "2101-01-01"}}),
            "filters.dateOpened.strictly_after",
        ),
        (
            serde_json::json!({"balance.cents": {"between": "1..2..3"}}),
            "filters.balance.cents.between",
        ),
        (
            serde_json::json!({"balance.cents": {"between": "-9223372036854775808..1"}}),
            "filters.balance.cents.between",
        ),
        (
            serde_json::json!({"balance.cents": 5}),
            "filters.balance.cents",
        ),
        (
            serde_json::json!({"dateOpened": {"after": "2024-02-30"}}),
            "filters.dateOpened.after",
        ),
        (
            serde_json::json!({"dateOpened": {"after": "+999999-01-01"}}),
            "filters.dateOpened.after",
        ),
        (
            serde_json::json!({"dateOpened": {"since": "2024-02-03"}}),
            "filters.dateOpened.since",
        ),
        (
            serde_json::json!({"globalSearchTerm": "x".repeat(201)}),
            "filters.globalSearchTerm",
        ),
        (
            serde_json::json!({"includeAllBailiffs": "yes"}),
            "filters.includeAllBailiffs",
        ),
        (
            serde_json::json!({"exists": {"password": true}}),
            "filters.exists.password",
        ),
        (
            serde_json::json!({"exists": {"dateClosed": 1}}),
            "filters.exists.dateClosed",
        ),
        (serde_json::json!({"nope": null}), "filters.nope"),
        (
            serde_json::json!({"balance.cents": {"gt": "100"}}),
            "filters.balance.cents.gt",
        ),
        (
            serde_json::json!({"balance.cents": {"between": "+1..5"}}),
            "filters.balance.cents.between",
        ),
        (
            serde_json::json!({"mainClaimType": "/v2/claim_types/+1"}),
            "filters.mainClaimType[0]",
        ),
        (
            serde_json::json!({"globalSearchTerm": "\u{301}"}),
            "filters.globalSearchTerm",
        ),
        (
            serde_json::json!({"claimant.name": " \u{20DD}\u{362} "}),
            "filters.claimant.name",
        ),
        (
            serde_json::json!({"balance.cents": {"like": null}}),
            "filters.balance.cents.like",
        ),
        (
            serde_json::json!({"dateOpened": {"on": null}}),
            "filters.dateOpened.on",
        ),
        (
            serde_json::json!({"exists": {"nope": null}}),
            "filters.exists.nope",
        ),
    ] {
        let Err(domain::Error::Invalid(violations)) = Filters::from_json(&filters, "filters")
        else {
            panic!("{filters} was taken");
        };
        assert_eq!(
            violations
                .iter()
                .map(|v| v.path.as_str())
                .collect::<Vec<_>>(),
            [path],
            "{filters}"
        );
    }
}

/// Whatever folds to nothing in the database is named as wrong, and finds nothing were it let through.
#[tokio::test]
async fn what_folds_to_nothing_finds_nothing() {
    let (database, mut conn) = disturbed(120).await;
    let vanishing: Vec<String> = sqlx::query_scalar(
        "select chr(n) from generate_series(33, 1114111) n
         where n not between 55296 and 57343 and btrim(fold(chr(n))) = ''",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap();
    assert!(vanishing.len() > 100, "{}", vanishing.len());
    for mark in &vanishing {
        for text in [mark.clone(), format!("{mark} {mark}")] {
            let asked = serde_json::json!({"debtor.name": text});
            assert!(Filters::from_json(&asked, "filters").is_err(), "{text:?}");
        }
    }
    let pool = database.pool("api");
    for role in [Role::Kt, Role::Koda] {
        for (part, marks) in (0..3).flat_map(|part| [(part, "\u{301}"), (part, "\u{301} \u{20e0}")])
        {
            let mut filters = Filters::default();
            match part {
                0 => filters.search = Some(marks.into()),
                1 => filters.claimant.name = Some(marks.into()),
                _ => filters.debtor.name = Some(marks.into()),
            }
            let who = actor(role, 2);
            let view = View::of(&who, &filters);
            let mut tx = db::begin(&pool, view.scope(&who)).await.unwrap();
            let found = list::count(&mut tx, &filters, view).await.unwrap();
            assert_eq!(found, 0, "{role:?} {part} {marks:?}");
        }
    }
}

#[test]
fn nothing_chosen_is_no_filter() {
    let filters = serde_json::json!({
        "status": [], "number": "", "claimant.type": ["private", "juridical"], "debtor.name": "  ", "balance.cents": {}, "exists": {},
        "dateOpened": null, "mainClaimType": null
    });
    assert!(Filters::from_json(&filters, "filters").unwrap().is_empty());
    assert!(
        Filters::from_json(&serde_json::Value::Null, "filters")
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_number_starts_as_typed() {
    let start = list::number_start::NumberStart::from_str("101/1999/").unwrap();
    assert!(start.holds(Number {
        prefix: 101,
        year: 1999,
        index: 5
    }));
    assert_eq!(
        CaseStatus::from_name("being_closed"),
        Some(CaseStatus::BeingClosed)
    );
}
