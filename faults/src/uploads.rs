//! Files of cases: made by the project's own generator, uploaded as a bailiff does, and followed to the import's end.
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use reqwest::Method;
use serde_json::Value;
use tokio::process::Command;

use crate::site::{Answer, Session};

/// A file of so many cases of bureau 101.
pub async fn make(folder: &Path, rows: u32) -> Result<Vec<u8>> {
    let out = folder.join("cases.csv");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/make_cases.py");
    let done = Command::new("python3")
        .arg(script)
        .args(["--bureau", "101", "--rows", &rows.to_string(), "--out"])
        .arg(&out)
        .status()
        .await?;
    if !done.success() {
        bail!("make_cases.py failed");
    }
    Ok(std::fs::read(out)?)
}

pub async fn send(kt: &Session, csv: &[u8]) -> Result<Answer> {
    let mark = "toimik-faults-boundary";
    let mut body = format!(
        "--{mark}\r\ncontent-disposition: form-data; name=\"type\"\r\n\r\ntaavi\r\n\
         --{mark}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"cases.csv\"\r\ncontent-type: text/csv\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(csv);
    body.extend_from_slice(format!("\r\n--{mark}--\r\n").as_bytes());
    let call = kt
        .request(Method::POST, "/import/taavi")
        .header(
            "content-type",
            format!("multipart/form-data; boundary={mark}"),
        )
        .body(body);
    let answer = call.send().await?;
    kt.read("POST /import/taavi", answer).await
}

/// Waits until the import is over, and gives it.
pub async fn finish(kt: &Session, id: i64, most: Duration) -> Result<Value> {
    let until = Instant::now() + most;
    loop {
        let import = kt.get(&format!("/v2/imports/{id}")).await?.expect(200)?;
        if import["status"] != 1 {
            return Ok(import);
        }
        if Instant::now() > until {
            bail!("the import is not over: {import}");
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
