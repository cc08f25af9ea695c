//! Migrations, and the passwords of the three logins.
use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");

const LOGINS: [&str; 3] = ["api", "jobs", "scheduler"];

/// Migrates, gives the logins new passwords, and returns (process, URL) of each. Errors are one plain sentence.
pub async fn migrate(admin_url: &str) -> Result<Vec<(&'static str, String)>, String> {
    let options = PgConnectOptions::from_str(admin_url)
        .map_err(|e| format!("DATABASE_URL cannot be read: {e}."))?;
    let mut conn = options
        .connect()
        .await
        .map_err(|e| format!("The database does not answer: {e}."))?;
    MIGRATOR
        .run(&mut conn)
        .await
        .map_err(|e| format!("A migration failed: {e}."))?;
    let mut urls = Vec::new();
    for name in LOGINS {
        let password = uuid::Uuid::new_v4().simple().to_string();
        set_password(&mut conn, name, &password)
            .await
            .map_err(|e| format!("The login of {name} cannot be set: {e}."))?;
        let own = options
            .clone()
            .username(&format!("toimik_{name}"))
            .password(&password);
        urls.push((name, own.to_url_lossy().to_string()));
    }
    conn.close().await.map_err(|e| e.to_string())?;
    Ok(urls)
}

async fn set_password(conn: &mut PgConnection, name: &str, password: &str) -> sqlx::Result<()> {
    // Letters and digits only, so that quoting is safe.
    let text = format!("alter role toimik_{name} login password '{password}'");
    sqlx::raw_sql(AssertSqlSafe(text))
        .execute(conn)
        .await
        .map(drop)
}
