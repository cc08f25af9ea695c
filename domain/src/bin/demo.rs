//! Loads demo data once: `DATABASE_URL` is the administrator's, `CASES` how many cases (2000), `BUREAUS` over how many bureaus (3).
//! Demo data only: the users share one published password.
use std::str::FromStr;

use domain::Error;
use domain::demo::{self, Plan};
use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;

const PASSWORD: &str = "toimik-demo";

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let outcome = runtime
        .map_err(|e| e.to_string())
        .and_then(|runtime| runtime.block_on(run()));
    match outcome {
        Ok(sentence) => println!("demo: {sentence}"),
        Err(sentence) => {
            eprintln!("demo: {sentence}");
            std::process::exit(1);
        }
    }
}

async fn run() -> Result<String, String> {
    let url = std::env::var("DATABASE_URL").map_err(|_| "DATABASE_URL is not set.".to_owned())?;
    let plan = Plan {
        cases: number("CASES", 2_000)?,
        bureaus: number("BUREAUS", 3)?,
        password_hash: domain::users::hash_password(PASSWORD)
            .map_err(|e| format!("The password cannot be hashed: {e}."))?,
    };
    let options = PgConnectOptions::from_str(&url)
        .map_err(|e| format!("DATABASE_URL cannot be read: {e}."))?;
    let mut conn = options
        .connect()
        .await
        .map_err(|e| format!("The database does not answer: {e}."))?;
    match demo::load(&mut conn, &plan).await {
        Ok(()) => Ok(format!(
            "{} cases over {} bureaus are loaded.",
            plan.cases, plan.bureaus
        )),
        Err(Error::Refused {
            code: "not_empty", ..
        }) => Ok("the database has data already; nothing was changed.".into()),
        Err(error) => Err(format!("The data cannot be loaded: {error}.")),
    }
}

fn number(name: &str, default: i64) -> Result<i64, String> {
    match std::env::var(name) {
        Err(_) => Ok(default),
        Ok(text) if text.is_empty() => Ok(default),
        Ok(text) => text
            .parse()
            .map_err(|_| format!("{name} must be a whole number, not {text:?}.")),
    }
}
