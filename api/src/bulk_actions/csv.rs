//! The results of an action as a file: one row a task.
use axum::response::Response;
use domain::bulk_actions::{self as actions, Action, Status, Task, TaskFilter};
use domain::ids::JobId;
use domain::{Actor, clock, db};

use crate::app::App;
use crate::csv::{self, BATCH, Batch};
use crate::error::Result;

const TITLES: [&str; 3] = ["staatus", "toimiku number", "tulemus"];

pub async fn stream(
    app: &App,
    actor: &Actor,
    action: &Action,
    filter: TaskFilter,
) -> Result<Response> {
    let (app, actor, id) = (app.clone(), actor.clone(), action.id);
    csv::stream(&file_name(action), &TITLES, 0, move |after| {
        let (app, actor, filter) = (app.clone(), actor.clone(), filter.clone());
        async move {
            let mut tx = db::begin(&app.pool, actor.scope()).await?;
            let tasks = actions::tasks_after(&mut tx, id, &filter, JobId(after), BATCH).await?;
            tx.commit().await?;
            Ok(Batch::of(&tasks, |task| task.id.0, row))
        }
    })
    .await
}

fn row(task: &Task) -> Vec<String> {
    let word = Status::from_number(task.state.wire().into()).map_or("", Status::label);
    let number = task.case_number.map(|number| number.to_string());
    vec![
        word.to_owned(),
        number.unwrap_or_default(),
        task.output.clone(),
    ]
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
