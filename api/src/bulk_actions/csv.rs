//! The results of an action as a file: one row a task, streamed batch by batch, memory flat.
use axum::body::{Body, Bytes};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::bulk_actions::{self as actions, Action, Status, Task, TaskFilter};
use domain::ids::{BulkActionId, JobId};
use domain::jobs::State;
use domain::{Actor, clock, db};
use futures::stream::{self, StreamExt};

use crate::app::App;
use crate::error::{Error, Result};

const BATCH: i64 = 1_000;
const HEAD: &str = "\u{feff}staatus;toimiku number;tulemus\r\n";
/// A spreadsheet would run a cell that begins so.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// The answer; the first batch is read before it starts, so that a refusal is still a refusal.
pub async fn stream(
    app: &App,
    actor: &Actor,
    action: &Action,
    filter: TaskFilter,
) -> Result<Response> {
    let (app, actor, id) = (app.clone(), actor.clone(), action.id);
    let first = batch(&app, &actor, id, &filter, JobId(0)).await?;
    let mut begin = HEAD.as_bytes().to_vec();
    begin.extend(lines(&first)?);
    let rest = stream::try_unfold(more(&first), move |after| {
        let (app, actor, filter) = (app.clone(), actor.clone(), filter.clone());
        async move {
            let Some(after) = after else { return Ok(None) };
            let tasks = batch(&app, &actor, id, &filter, after)
                .await
                .map_err(broken)?;
            let bytes = lines(&tasks).map_err(broken)?;
            Ok::<_, std::io::Error>(Some((Bytes::from(bytes), more(&tasks))))
        }
    });
    let begin = stream::once(async move { Ok(Bytes::from(begin)) });
    let mut response = Body::from_stream(begin.chain(rest)).into_response();
    let disposition = format!("attachment; filename={}", file_name(action));
    let disposition =
        HeaderValue::from_str(&disposition).map_err(|error| Error::internal(error.to_string()))?;
    response.headers_mut().insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/csv; charset=utf-8"),
    );
    response
        .headers_mut()
        .insert(CONTENT_DISPOSITION, disposition);
    Ok(response)
}

async fn batch(
    app: &App,
    actor: &Actor,
    id: BulkActionId,
    filter: &TaskFilter,
    after: JobId,
) -> Result<Vec<Task>> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let tasks = actions::tasks_after(&mut tx, id, filter, after, BATCH).await?;
    tx.commit().await?;
    Ok(tasks)
}

/// Where the next batch begins; none after a short one.
fn more(tasks: &[Task]) -> Option<JobId> {
    let full = i64::try_from(tasks.len()).is_ok_and(|count| count == BATCH);
    tasks.last().map(|task| task.id).filter(|_| full)
}

fn broken(error: Error) -> std::io::Error {
    std::io::Error::other(format!("{error:?}"))
}

fn lines(tasks: &[Task]) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(b';')
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    for task in tasks {
        let number = task
            .case_number
            .map(|number| number.to_string())
            .unwrap_or_default();
        let row = [word(task.state), &text(&number), &text(&task.output)];
        writer
            .write_record(row)
            .map_err(|error| Error::internal(error.to_string()))?;
    }
    writer
        .into_inner()
        .map_err(|error| Error::internal(error.to_string()))
}

fn word(state: State) -> &'static str {
    Status::from_number(state.wire().into()).map_or("", Status::label)
}

fn text(value: &str) -> String {
    if value.starts_with(FORMULA) {
        format!("'{value}")
    } else {
        value.to_owned()
    }
}

/// From type and creation time: `arvuta_uus_pohitasu_20261127_102801.csv`.
fn file_name(action: &Action) -> String {
    let plain = |letter: char| match letter {
        'õ' | 'ö' => 'o',
        'ä' => 'a',
        'ü' => 'u',
        'a'..='z' => letter,
        _ => '_',
    };
    let word: String = action
        .kind
        .label()
        .to_lowercase()
        .chars()
        .map(plain)
        .collect();
    format!(
        "{word}_{}.csv",
        clock::time_in_estonia(action.created_at).format("%Y%m%d_%H%M%S")
    )
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
