//! The jobs of an operator action as a file: one row a job.
use axum::response::Response;
use domain::ids::JobId;
use domain::operator_actions::{self as actions, Item, ItemFilter, ItemState, OperatorAction};
use domain::{Actor, clock, db};

use crate::app::App;
use crate::csv::{self, BATCH, Batch};
use crate::error::Result;

const TITLES: [&str; 7] = [
    "töö",
    "seis",
    "põhjus",
    "büroo",
    "toimiku number",
    "järjekord",
    "liik",
];

pub async fn stream(
    app: &App,
    actor: &Actor,
    action: &OperatorAction,
    filter: ItemFilter,
) -> Result<Response> {
    let (app, actor, id) = (app.clone(), actor.clone(), action.id);
    let name = format!(
        "tegevus_{id}_{}.csv",
        clock::time_in_estonia(action.created_at).format("%Y%m%d_%H%M%S")
    );
    csv::stream(&name, &TITLES, 0, move |after| {
        let (app, actor, filter) = (app.clone(), actor.clone(), filter.clone());
        async move {
            let mut tx = db::begin(&app.pool, actor.scope()).await?;
            let items = actions::items(&mut tx, id, &filter, JobId(after), BATCH).await?;
            tx.commit().await?;
            Ok(Batch::of(&items, |item| item.job_id.0, row))
        }
    })
    .await
}

fn row(item: &Item) -> Vec<String> {
    let word = match item.state {
        ItemState::Waiting => "ootab",
        ItemState::Sent => "töös",
        ItemState::Done => "tehtud",
        ItemState::Failed => "ebaõnnestunud",
        ItemState::Skipped => "vahele jäetud",
    };
    vec![
        item.job_id.to_string(),
        word.to_owned(),
        item.text().unwrap_or_default(),
        item.bureau_code.clone(),
        item.case_number
            .map(|number| number.to_string())
            .unwrap_or_default(),
        item.queue
            .map(|queue| queue.as_str().to_owned())
            .unwrap_or_default(),
        item.kind.clone().unwrap_or_default(),
    ]
}
