//! The second wall: what the database shows of another bureau's rows when a query forgets to ask for its own.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
use domain::demo::{self, Plan};
use domain::ids::TenantId;
use domain::testing::Database;
use domain::{Scope, db};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

/// Tables whose rows are a bureau's, by their column `tenant_id`.
const TABLES: &str = "select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'tenant_id'
      and not a.attisdropped";

#[tokio::test]
async fn every_table_of_bureaus_is_walled() {
    let admin = Database::new().await;
    let open = format!("{TABLES} and not (c.relrowsecurity and c.relforcerowsecurity)");
    let open: Vec<String> = sqlx::query_scalar(AssertSqlSafe(open))
        .fetch_all(&admin.admin())
        .await
        .unwrap();
    assert!(open.is_empty(), "without row security: {open:?}");
}

#[tokio::test]
async fn a_bureau_finds_nothing_of_another() {
    let database = Database::new().await;
    let admin = database.admin();
    let mut conn = PgConnection::connect_with(&database.options())
        .await
        .unwrap();
    let plan = Plan {
        cases: 60,
        bureaus: 3,
        password_hash: "none".into(),
    };
    demo::load(&mut conn, &plan).await.unwrap();
    sqlx::raw_sql(
        "insert into queue_minutes (minute, queue, kind, tenant_id) select now(), 'bulk', 'x', id from bureaus;
         insert into pauses (queue, tenant_id, reason) select 'bulk', id, 'x' from bureaus;
         insert into feature_flags (name, description, tenant_id) select 'x' || id, 'x', id from bureaus;
         insert into settings (tenant_id, type, name, value) select id, 'x', 'x', '1' from bureaus;
         insert into jobs (tenant_id, queue, kind) select id, 'bulk', 'x' from bureaus;
         insert into queue_depths (minute, queue, tenant_id, waiting) select now(), 'bulk', id, 1 from bureaus;
         insert into operator_actions (tenant_id, kind, filter, total, created_by, created_by_role)
           select b.id, 'retry', '{}', 1, (select min(id) from users), 'KT' from bureaus b;
         insert into operator_action_items (action_id, job_id, tenant_id) select id, 1, tenant_id from operator_actions;
         insert into saved_views (tenant_id, user_id, page, name, query, shared)
           select b.id, (select min(id) from users), 'jobs', 'x', 'x', true from bureaus b;
         insert into browser_errors (tenant_id, user_id, message) select id, 1, 'x' from bureaus;
         insert into case_selections (tenant_id, created_by) select b.id, (select min(id) from users) from bureaus b;
         insert into case_selection_cases (selection_id, case_id, tenant_id) select id, 1, tenant_id from case_selections;
         insert into notices (tenant_id, user_id, kind, object_class, object_id, run, facts)
           select id, 1, 'import', 'x', id, 1, '{}' from bureaus;
         insert into audit (tenant_id, action, object_class) select id, 'x', 'x' from bureaus",
    )
    .execute(&admin)
    .await
    .unwrap();
    let own: i64 = sqlx::query_scalar("select id from bureaus where code = '101'")
        .fetch_one(&admin)
        .await
        .unwrap();
    let tables: Vec<String> = sqlx::query_scalar(AssertSqlSafe(format!(
        "{TABLES} and has_table_privilege('toimik_bureau', c.oid, 'select')"
    )))
    .fetch_all(&admin)
    .await
    .unwrap();
    assert!(tables.len() > 15, "{tables:?}");
    let mut tx = db::begin(&database.pool("api"), Scope::Bureau(TenantId(own)))
        .await
        .unwrap();
    let (mut filled, mut found) = (0, Vec::new());
    for table in &tables {
        let others = format!("select count(*) from {table} where tenant_id <> {own}");
        let all: i64 = sqlx::query_scalar(AssertSqlSafe(others.clone()))
            .fetch_one(&admin)
            .await
            .unwrap();
        filled += usize::from(all > 0);
        let seen: i64 = sqlx::query_scalar(AssertSqlSafe(others))
            .fetch_one(&mut *tx)
            .await
            .unwrap();
        if seen > 0 {
            found.push(format!("{table}: {seen} of {all}"));
        }
    }
    assert!(filled >= 20, "only {filled} tables hold others' rows");
    assert!(found.is_empty(), "{found:?}");

    let changed = sqlx::query("update case_counters set last_index = 0 where prefix <> 101")
        .execute(&mut *tx)
        .await
        .unwrap();
    assert_eq!(changed.rows_affected(), 0, "another bureau's numbers");
    for secret in [
        "select personal_code from users",
        "select password_hash from users",
        "select count(*) from user_roles",
        "select count(*) from sessions",
    ] {
        sqlx::query("savepoint s").execute(&mut *tx).await.unwrap();
        let refused = sqlx::query(secret).execute(&mut *tx).await.unwrap_err();
        let code = refused.as_database_error().and_then(|error| error.code());
        assert_eq!(code.as_deref(), Some("42501"), "{secret}");
        sqlx::query("rollback to s")
            .execute(&mut *tx)
            .await
            .unwrap();
    }
}
