//! Migrations, and the passwords of the three logins.
use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use super::migrations;

pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");

const LOGINS: [&str; 3] = ["api", "jobs", "scheduler"];

/// Migrates, gives the logins passwords, and returns (process, URL) of each. A login keeps the password of the URL that
/// `earlier` knows, so that running processes stay connected. `tell` gets a sentence when it has to wait. Errors are one plain
/// sentence.
pub async fn migrate(
    admin_url: &str,
    earlier: &dyn Fn(&str) -> Option<String>,
    tell: &dyn Fn(&str),
) -> Result<Vec<(&'static str, String)>, String> {
    let options = PgConnectOptions::from_str(admin_url)
        .map_err(|e| format!("DATABASE_URL cannot be read: {e}."))?;
    let mut conn = options
        .connect()
        .await
        .map_err(|e| format!("The database does not answer: {e}."))?;
    migrations::apply(&mut conn, &MIGRATOR, tell)
        .await
        .map_err(|e| format!("A migration failed: {e}."))?;
    // One after the other: two that set the same login at once are an error of PostgreSQL's.
    sqlx::raw_sql("select pg_advisory_lock(7201003)")
        .execute(&mut conn)
        .await
        .map_err(|e| format!("The logins cannot be set: {e}."))?;
    let mut urls = Vec::new();
    for name in LOGINS {
        let password = earlier(name)
            .and_then(|url| password_of(&url))
            .unwrap_or_else(|| uuid::Uuid::new_v4().simple().to_string());
        set_password(&mut conn, name, &password)
            .await
            .map_err(|e| format!("The login of {name} cannot be set: {e}."))?;
        let own = options
            .clone()
            .username(&format!("toimik_{name}"))
            .password(&password);
        urls.push((name, url_of(&own)));
    }
    conn.close().await.map_err(|e| e.to_string())?;
    Ok(urls)
}

/// sqlx 0.9.0 writes the files of certificates as `file: path`.
fn url_of(options: &PgConnectOptions) -> String {
    let mut url = options.to_url_lossy();
    let pairs: Vec<(String, String)> = url
        .query_pairs()
        .map(|(name, value)| {
            let value = value.strip_prefix("file:").map_or(&*value, str::trim_start);
            (name.into_owned(), value.to_owned())
        })
        .collect();
    url.query_pairs_mut().clear().extend_pairs(pairs);
    url.to_string()
}

/// The password of a URL that was written here: letters and digits only.
fn password_of(url: &str) -> Option<String> {
    let (user, _) = url.split_once("://")?.1.split_once('@')?;
    let (_, password) = user.split_once(':')?;
    let ours = password.len() == 32 && password.bytes().all(|b| b.is_ascii_alphanumeric());
    ours.then(|| password.to_owned())
}

async fn set_password(conn: &mut PgConnection, name: &str, password: &str) -> sqlx::Result<()> {
    // Letters and digits only, so that quoting is safe.
    let text = format!("alter role toimik_{name} login password '{password}'");
    sqlx::raw_sql(AssertSqlSafe(text))
        .execute(conn)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::{PgConnectOptions, password_of, url_of};

    #[test]
    fn a_certificate_of_the_administrators_url_is_the_processes_too() {
        let given = "postgres://toimik_api:secret@db.example.ee/toimik?sslmode=verify-full&sslrootcert=/etc/toimik/our%20ca.pem";
        let options: PgConnectOptions = given.parse().expect("a URL");
        let written = url_of(&options);
        let root = "sslrootcert=%2Fetc%2Ftoimik%2Four+ca.pem";
        assert!(written.contains(root), "{written}");
        assert!(written.contains("sslmode=verify-full"), "{written}");
        let read: PgConnectOptions = written.parse().expect("a URL");
        assert_eq!(url_of(&read), written);
    }

    #[test]
    fn only_a_password_made_here_is_kept() {
        let made = "0123456789abcdef0123456789abcdef";
        for (url, kept) in [
            (
                format!("postgres://toimik_api:{made}@127.0.0.1:5432/toimik"),
                Some(made.to_owned()),
            ),
            ("postgres://toimik_api:it''s@127.0.0.1/toimik".into(), None),
            ("postgres://toimik_api@127.0.0.1/toimik".into(), None),
            ("".into(), None),
        ] {
            assert_eq!(password_of(&url), kept, "{url}");
        }
    }
}
