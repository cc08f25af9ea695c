//! What an error of the database tells a log: never a value.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
use domain::Error;
use domain::testing::Database;
use sqlx::AssertSqlSafe;

#[tokio::test]
async fn an_error_about_data_is_told_by_its_code() {
    let database = Database::new().await;
    let admin = database.admin();
    let name = "Kanaarilind";
    for (statement, told) in [
        (
            format!("select '{name}'::integer"),
            "database: 22P02 ".to_owned(),
        ),
        (
            format!(
                "insert into bureaus (code, name, bailiff_name)
                 select v, v, v from (values ('{name}')) b (v)"
            ),
            "database: 23514 bureaus_code_check".into(),
        ),
        (
            format!("do $$ begin raise exception '{name}'; end $$"),
            "database: P0001 ".into(),
        ),
        (format!("select {name}"), "database: 42703 ".into()),
        (
            "begin read only; create table t (i int)".into(),
            "database: 25006 cannot execute CREATE TABLE in a read-only transaction".into(),
        ),
    ] {
        let mut conn = admin.acquire().await.unwrap().detach();
        let failed = sqlx::raw_sql(AssertSqlSafe(statement.clone()))
            .execute(&mut conn)
            .await;
        let error = Error::from(failed.unwrap_err());
        assert_eq!(error.to_string(), told, "{statement}");
    }
}
