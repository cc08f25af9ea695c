//! Migrations beside those at work: they give way, go through when they can, and build broken indexes anew.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
use domain::db::{migrations, setup};
use domain::testing::Database;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqlSafeStr};
use tokio::sync::mpsc;

/// The project's migrations and one more.
fn with_next(sql: &'static str, no_tx: bool) -> Migrator {
    let next = Migration::new(
        9_000,
        "next".into(),
        MigrationType::Simple,
        sql.into_sql_str(),
        no_tx,
    );
    let mut all: Vec<Migration> = setup::MIGRATOR.iter().cloned().collect();
    all.push(next);
    Migrator::with_migrations(all)
}

#[tokio::test]
async fn one_that_waits_for_a_lock_gives_way_and_goes_through_later() {
    let database = Database::new().await;
    let admin = database.admin();
    let mut holder = admin.begin().await.unwrap();
    sqlx::query("select from jobs for update")
        .execute(&mut *holder)
        .await
        .unwrap();
    let (gave_way, mut seen) = mpsc::unbounded_channel();
    let options = database.options();
    let next = async {
        let mut conn = PgConnection::connect_with(&options).await.unwrap();
        let migrator = with_next("alter table jobs add column of_the_next text", false);
        let tell = |sentence: &str| gave_way.send(sentence.to_owned()).unwrap();
        migrations::apply(&mut conn, &migrator, &tell)
            .await
            .unwrap()
    };
    let others = async {
        let sentence = seen.recv().await.unwrap();
        assert!(sentence.contains("9000"), "{sentence}");
        // Nobody waits behind it for as long as it does.
        sqlx::query("lock table jobs in row exclusive mode")
            .execute(&mut *admin.begin().await.unwrap())
            .await
            .unwrap();
        holder.rollback().await.unwrap();
    };
    let (applied, ()) = tokio::join!(next, others);
    assert_eq!(applied.migrations, 1);
    assert!(applied.gave_way > 0);
    sqlx::query("select of_the_next from jobs")
        .execute(&admin)
        .await
        .unwrap();
}

#[tokio::test]
async fn what_a_broken_build_left_is_built_anew() {
    let database = Database::new().await;
    let admin = database.admin();
    sqlx::raw_sql("create table numbers (number integer); insert into numbers values (1), (1)")
        .execute(&admin)
        .await
        .unwrap();
    let build = "create unique index concurrently if not exists numbers_number on numbers (number)";
    let migrator = with_next(build, true);
    let mut conn = PgConnection::connect_with(&database.options())
        .await
        .unwrap();
    migrations::apply(&mut conn, &migrator, &|_| {})
        .await
        .unwrap_err();
    let valid = "select indisvalid from pg_index where indexrelid = 'numbers_number'::regclass";
    let is_valid = async || {
        let row = sqlx::query_scalar::<_, bool>(AssertSqlSafe(valid));
        row.fetch_one(&admin).await.unwrap()
    };
    assert!(!is_valid().await);
    sqlx::query("delete from numbers")
        .execute(&admin)
        .await
        .unwrap();
    for count in [1, 0] {
        let applied = migrations::apply(&mut conn, &migrator, &|_| {}).await;
        assert_eq!(applied.unwrap().migrations, count);
        assert!(is_valid().await);
    }
}
