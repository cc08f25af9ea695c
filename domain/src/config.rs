//! Settings from the environment: a default each, and one plain sentence when one is wrong.
use std::ops::RangeInclusive;

use sqlx::postgres::PgConnectOptions;

/// A text; none when unset or empty.
pub fn get(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}

/// A text, or its default when unset or empty.
pub fn text(name: &str, default: &str) -> String {
    get(name).unwrap_or_else(|| default.to_owned())
}

/// A whole number within its bounds.
pub fn number(name: &str, default: usize, bounds: RangeInclusive<usize>) -> Result<usize, String> {
    let value = text(name, &default.to_string());
    match value.trim().parse() {
        Ok(number) if bounds.contains(&number) => Ok(number),
        _ => Err(format!(
            "{name} must be a whole number from {} to {}, not '{value}'.",
            bounds.start(),
            bounds.end()
        )),
    }
}

/// This process's own database login: the first line of the file that `DATABASE_URL_FILE` names, or else `DATABASE_URL`, which
/// in a shell may be the administrator's. `get` gives settings that are not empty.
pub fn database(get: &dyn Fn(&str) -> Option<String>) -> Result<PgConnectOptions, String> {
    let url = match (get("DATABASE_URL_FILE"), get("DATABASE_URL")) {
        (Some(file), _) => {
            let text = std::fs::read_to_string(&file)
                .map_err(|e| format!("DATABASE_URL_FILE {file} cannot be read: {e}."))?;
            text.lines().next().unwrap_or_default().to_owned()
        }
        (None, Some(url)) => url,
        (None, None) => return Err("DATABASE_URL_FILE or DATABASE_URL must be set.".into()),
    };
    url.trim()
        .parse()
        .map_err(|e| format!("The database's URL cannot be read: {e}."))
}

/// The host's name, for the page of workers: `HOSTNAME`, or else what the system calls it.
pub fn host() -> String {
    let system = hostname::get().unwrap_or_default();
    text("HOSTNAME", &system.to_string_lossy())
}
