//! A database of its own for each test, copied from a migrated template; the pools connect as the processes' logins.
use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};

use crate::db::{self, setup::MIGRATOR};

/// A test's own database; dropped when it goes out of scope.
pub struct Database {
    pub name: String,
    admin: PgConnectOptions,
}

impl Database {
    /// Copies the template; makes it first when it is missing. Needs `DATABASE_URL` of an administrator and trusted logins.
    pub async fn new() -> Self {
        let url = std::env::var("DATABASE_URL").expect("DATABASE_URL names a PostgreSQL for tests");
        let admin = PgConnectOptions::from_str(&url)
            .expect("DATABASE_URL is readable")
            .disable_statement_logging();
        let mut conn = admin.connect().await.expect("PostgreSQL answers");
        let mark: i64 = MIGRATOR.iter().fold(0, |sum, m| {
            m.checksum.iter().fold(sum, |sum: i64, byte| {
                sum.wrapping_mul(31).wrapping_add(i64::from(*byte))
            })
        });
        let template = format!("toimik_template_{:x}", mark.unsigned_abs());
        let name = format!("toimik_test_{}", uuid::Uuid::new_v4().simple());
        // One lock for making the template and copying it: PostgreSQL copies only a database that nobody uses.
        conn.execute("select pg_advisory_lock(7201002)")
            .await
            .expect("lock");
        let known: bool =
            sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
                .bind(&template)
                .fetch_one(&mut conn)
                .await
                .expect("pg_database");
        if !known {
            make_template(&mut conn, &admin, &template)
                .await
                .expect("template");
        }
        let copy = format!("create database {name} template {template} strategy file_copy");
        conn.execute(AssertSqlSafe(copy))
            .await
            .expect("copy of the template");
        conn.close().await.expect("close");
        Self { name, admin }
    }

    /// A pool under a process's own login: `api`, `jobs` or `scheduler`.
    pub fn pool(&self, process: &str) -> PgPool {
        db::pool(self.options().username(&format!("toimik_{process}")), 10)
    }

    /// A pool under the administrator, for arranging and judging only.
    pub fn admin(&self) -> PgPool {
        PgPoolOptions::new()
            .max_connections(4)
            .connect_lazy_with(self.options())
    }

    /// Connection options of this database, as the administrator.
    pub fn options(&self) -> PgConnectOptions {
        self.admin.clone().database(&self.name)
    }
}

async fn make_template(
    conn: &mut sqlx::PgConnection,
    admin: &PgConnectOptions,
    name: &str,
) -> Result<(), sqlx::Error> {
    let building = format!("{name}_building");
    conn.execute(AssertSqlSafe(format!(
        "drop database if exists {building} with (force)"
    )))
    .await?;
    conn.execute(AssertSqlSafe(format!("create database {building}")))
        .await?;
    let mut inner = admin.clone().database(&building).connect().await?;
    MIGRATOR
        .run(&mut inner)
        .await
        .map_err(|e| sqlx::Error::Migrate(Box::new(e)))?;
    inner.close().await?;
    conn.execute(AssertSqlSafe(format!(
        "alter database {building} rename to {name}"
    )))
    .await?;
    Ok(())
}

impl Drop for Database {
    fn drop(&mut self) {
        let (admin, name) = (self.admin.clone(), self.name.clone());
        let work = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .ok()?;
            runtime.block_on(async {
                let mut conn = admin.connect().await.ok()?;
                conn.execute(AssertSqlSafe(format!(
                    "drop database if exists {name} with (force)"
                )))
                .await
                .ok()
            })
        });
        drop(work.join());
    }
}

/// Groups failed jobs whose state a test wrote by hand, as their end would have.
pub async fn group_failures(admin: &PgPool) -> Result<(), sqlx::Error> {
    let mut tx = admin.begin().await?;
    for statement in [
        "set local role toimik_queue",
        "update jobs set error_key = error_key(kind, error_code, output) where state = 'failed' and error_key is null",
        "select group_failures(array(select id from jobs where state = 'failed'))",
    ] {
        sqlx::query(statement).execute(&mut *tx).await?;
    }
    tx.commit().await
}
