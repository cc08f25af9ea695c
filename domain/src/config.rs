//! Settings from the environment: a default each, and one plain sentence when one is wrong.
use std::ops::RangeInclusive;

/// A text, or its default when unset or empty.
pub fn text(name: &str, default: &str) -> String {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
        .unwrap_or_else(|| default.to_owned())
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

/// This process's own database login: `DATABASE_URL`, or the first line of the file that `DATABASE_URL_FILE` names.
pub fn database_url() -> Result<String, String> {
    if let Ok(url) = std::env::var("DATABASE_URL") {
        return Ok(url);
    }
    let file = std::env::var("DATABASE_URL_FILE")
        .map_err(|_| "DATABASE_URL or DATABASE_URL_FILE must be set.".to_owned())?;
    let text = std::fs::read_to_string(&file)
        .map_err(|e| format!("DATABASE_URL_FILE {file} cannot be read: {e}."))?;
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}
