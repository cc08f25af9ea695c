//! Which database logins a process starts under: its own, never one that walks around row security.
#![allow(clippy::unwrap_used, reason = "a test says enough by failing")]
use domain::db;
use domain::testing::Database;
use sqlx::AssertSqlSafe;

#[tokio::test]
async fn strong_logins_are_refused() {
    let database = Database::new().await;
    for process in ["api", "jobs", "scheduler"] {
        db::check_login(&database.pool(process)).await.unwrap();
    }
    let refused = async |pool: sqlx::PgPool, why: &str| {
        let sentence = db::check_login(&pool).await.unwrap_err();
        assert!(sentence.contains(why), "{sentence}");
    };
    let strong = "owner or superuser";
    refused(db::pool(database.options(), 1), strong).await;
    // Roles are the server's, not the database's: of this test alone, and gone with it.
    let admin = database.admin();
    let login = format!("toimik_test_{}", uuid::Uuid::new_v4().simple());
    for (right, why) in [
        (
            format!("create role {login} login bypassrls in role toimik_queue"),
            strong,
        ),
        (
            format!("create role {login} login in role toimik_owner, toimik_queue"),
            strong,
        ),
        (format!("create role {login} login superuser"), strong),
        (
            format!("create role {login} login inherit in role toimik_queue"),
            "NOINHERIT",
        ),
    ] {
        sqlx::raw_sql(AssertSqlSafe(right))
            .execute(&admin)
            .await
            .unwrap();
        refused(db::pool(database.options().username(&login), 1), why).await;
        sqlx::raw_sql(AssertSqlSafe(format!("drop role {login}")))
            .execute(&admin)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn what_keeps_a_process_from_its_database_is_said() {
    let database = Database::new().await;
    let refusal = async |options| db::check_login(&db::pool(options, 1)).await.unwrap_err();
    let own = database.options().username("toimik_api");
    let empty = refusal(own.clone().database("postgres")).await;
    assert!(empty.contains("run migrate first"), "{empty}");
    let nowhere = refusal(own.database("toimik_nowhere")).await;
    assert!(
        nowhere.contains("\"toimik_nowhere\" does not exist"),
        "{nowhere}"
    );
}

#[tokio::test]
async fn what_a_process_sets_itself_stays() {
    let database = Database::new().await;
    let own = database.options().username("toimik_scheduler").options([
        ("statement_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "4s"),
    ]);
    let pool = db::pool(own, 1);
    for (setting, value) in [
        ("statement_timeout", "4s"),
        ("idle_in_transaction_session_timeout", "4s"),
        ("lock_timeout", "5s"),
    ] {
        let found: String = sqlx::query_scalar("select current_setting($1)")
            .bind(setting)
            .fetch_one(&pool)
            .await
            .unwrap();
        assert_eq!(found, value, "{setting}");
    }
}

/// A begin that was cancelled half-way leaves a transaction that sqlx knows nothing of.
#[tokio::test]
async fn no_connection_comes_back_within_a_transaction() {
    let db = Database::new().await;
    let pool = db::pool(db.options().username("toimik_api"), 1);
    for left in [
        "begin; set local role toimik_chamber",
        "begin; select 1 / 0",
        "select 1",
    ] {
        let mut conn = pool.acquire().await.expect("a connection");
        drop(sqlx::raw_sql(left).execute(&mut *conn).await);
        drop(conn);
        // Else the role is still that of the transaction, or nothing is answered in it.
        let role: String = sqlx::query_scalar("select current_user::text")
            .fetch_one(&pool)
            .await
            .expect("an answer");
        assert_eq!(role, "toimik_api", "{left}");
    }
}
