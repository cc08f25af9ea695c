//! What the processes wrote while everything around them broke: no password, no personal code, no panic.
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use sqlx::PgPool;

/// Everything in the folder of logs that must not be there, once each with the file's name.
pub async fn judge(folder: &Path, admin: &PgPool) -> Result<Vec<String>> {
    let mut numbers = BTreeMap::new();
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        for word in [crate::site::PASSWORD, "panicked at", "a handler panicked"] {
            if text.contains(word) {
                wrong.push(format!("{name} says \"{word}\""));
            }
        }
        // Personal codes have eleven digits.
        let runs = text.split(|c: char| !c.is_ascii_digit());
        for run in runs.filter(|run| run.len() == 11) {
            numbers.insert(run.to_owned(), name.clone().into_owned());
        }
    }
    let found: Vec<String> = numbers.keys().cloned().collect();
    let personal: Vec<String> = sqlx::query_scalar(
        "select distinct code from people where code = any($1)
         union select bailiff_code from bureaus where bailiff_code = any($1)",
    )
    .bind(&found)
    .fetch_all(admin)
    .await?;
    wrong.extend(personal.iter().map(|code| {
        format!(
            "{} holds a personal code: {}…",
            numbers.get(code).map_or("", String::as_str),
            &code[..3]
        )
    }));
    Ok(wrong)
}
