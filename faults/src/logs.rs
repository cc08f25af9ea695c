//! What the processes wrote while everything around them broke: no password, nothing of persons, no panic.
use std::path::Path;

use anyhow::{Context, Result};
use sqlx::{ConnectOptions, PgPool};
use tokio::process::Command;

/// Reads a folder of logs for what the database knows of persons; the browser tests ask it too.
const CHECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/check-logs");

/// Everything in the folder of logs that must not be there, once each with the file's name.
pub async fn judge(folder: &Path, admin: &PgPool) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        for word in [
            crate::site::PASSWORD,
            "panicked at",
            "\"a panic\"",
            "a handler panicked",
        ] {
            if text.contains(word) {
                wrong.push(format!("{name} says \"{word}\""));
            }
        }
    }
    let mut url = admin.connect_options().to_url_lossy();
    // sqlx's own word, which psql does not know.
    let known: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| name != "statement-cache-capacity")
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    url.query_pairs_mut().clear().extend_pairs(known);
    let checked = Command::new(CHECK)
        .arg(folder)
        .env("DATABASE_URL", url.as_str())
        .output()
        .await
        .context("scripts/check-logs does not start")?;
    let said = String::from_utf8_lossy(&checked.stderr);
    if !checked.status.success() {
        wrong.extend(said.lines().map(str::to_owned));
    }
    Ok(wrong)
}
