//! A list as a file for an Estonian spreadsheet: read and sent batch by batch, memory flat; texts can't become formulas.
use std::future::Future;

use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures::stream::{self, StreamExt};

use crate::error::{Error, Result};

/// Rows read at once.
pub const BATCH: i64 = 1_000;
/// A spreadsheet would run a cell that begins so.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Some rows, and where the next ones begin.
pub struct Batch {
    pub rows: Vec<Vec<String>>,
    pub after: Option<i64>,
}

impl Batch {
    /// Of rows that were read up to [`BATCH`]; a short batch is the last. `key` says after which row the next begins.
    pub fn of<T>(found: &[T], key: impl Fn(&T) -> i64, row: impl Fn(&T) -> Vec<String>) -> Self {
        let full = i64::try_from(found.len()).is_ok_and(|count| count == BATCH);
        Self {
            rows: found.iter().map(row).collect(),
            after: found.last().map(key).filter(|_| full),
        }
    }
}

/// The answer. The first batch, from `start`, is read before it begins, so that a refusal is still a refusal.
pub async fn stream<F, Fut>(
    file_name: &str,
    titles: &[&str],
    start: i64,
    read: F,
) -> Result<Response>
where
    F: Fn(i64) -> Fut + Send + 'static,
    Fut: Future<Output = Result<Batch>> + Send + 'static,
{
    let first = read(start).await?;
    let mut begin = "\u{feff}".as_bytes().to_vec();
    begin.extend(lines(&[titles
        .iter()
        .map(|title| (*title).to_owned())
        .collect()])?);
    begin.extend(lines(&first.rows)?);
    let rest = stream::try_unfold((first.after, read), move |(after, read)| async move {
        let Some(after) = after else { return Ok(None) };
        let batch = read(after).await.map_err(broken)?;
        let bytes = lines(&batch.rows).map_err(broken)?;
        Ok::<_, std::io::Error>(Some((Bytes::from(bytes), (batch.after, read))))
    });
    let begin = stream::once(async move { Ok(Bytes::from(begin)) });
    let mut response = Body::from_stream(begin.chain(rest)).into_response();
    let disposition = format!("attachment; filename={file_name}");
    let disposition =
        HeaderValue::from_str(&disposition).map_err(|error| Error::internal(error.to_string()))?;
    let headers = response.headers_mut();
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/csv; charset=utf-8"),
    );
    headers.insert(CONTENT_DISPOSITION, disposition);
    Ok(response)
}

fn broken(error: Error) -> std::io::Error {
    std::io::Error::other(format!("{error:?}"))
}

fn lines(rows: &[Vec<String>]) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(b';')
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    for row in rows {
        writer
            .write_record(row.iter().map(|cell| text(cell)))
            .map_err(|error| Error::internal(error.to_string()))?;
    }
    writer
        .into_inner()
        .map_err(|error| Error::internal(error.to_string()))
}

fn text(value: &str) -> String {
    if value.starts_with(FORMULA) {
        format!("'{value}")
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn cells_that_a_spreadsheet_would_run_are_text() {
        for (value, cell) in [
            ("=1+1", "'=1+1"),
            ("－5", "'－5"),
            ("101/2024/7", "101/2024/7"),
            ("", ""),
        ] {
            assert_eq!(text(value), cell);
        }
    }
}
