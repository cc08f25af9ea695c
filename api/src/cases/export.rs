//! The CSV export: one page, or the whole result from a cursor, read ahead of the client by two parts at most.
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::cases::list::{self, Export, Rows};
use domain::{Actor, clock, db};
use futures::StreamExt;
use futures::channel::mpsc;
use futures::sink::SinkExt;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::csv;
use super::table::TableRequest;
use crate::app::App;
use crate::error::{Error, Result};

const TOTAL: HeaderName = HeaderName::from_static("x-total-count");
/// A client that takes nothing for so long has left.
const PATIENCE: Duration = Duration::from_secs(50);
/// Each holds a connection as long as its client reads.
static RUNNING: Semaphore = Semaphore::const_new(3);

/// One page; the titles on the first only.
pub async fn page(app: &App, actor: &Actor, request: TableRequest) -> Result<Response> {
    let page = request.paged()?;
    let wanted = request.wanted(actor)?;
    let mut tx = db::begin(&app.pool, wanted.view.scope(actor)).await?;
    let found = list::page(&mut tx, &wanted, page).await?;
    tx.commit().await?;
    let mut out = Vec::new();
    if page.offset == 0 {
        out.extend_from_slice(csv::BOM);
        csv::header(&mut out, &wanted.columns);
    }
    for row in found.rows.iter() {
        csv::row(&mut out, row)?;
    }
    answer(Body::from(out))
}

/// Everything that matches, as a stream.
pub async fn whole(app: &App, actor: &Actor, request: TableRequest) -> Result<Response> {
    let wanted = request.wanted(actor)?;
    let Ok(place) = RUNNING.try_acquire() else {
        return Err(Error::busy("three exports are running"));
    };
    let mut first = csv::BOM.to_vec();
    csv::header(&mut first, &wanted.columns);
    let export = Export::begin(&app.pool, actor, wanted).await?;
    let total = export.total;
    let (sender, receiver) = mpsc::channel::<domain::Result<Rows>>(1);
    tokio::spawn(read(export, sender, place));
    let rest = receiver.map(|part| {
        part.and_then(|rows| {
            let mut out = Vec::with_capacity(rows.len() * 200);
            for row in rows.iter() {
                csv::row(&mut out, row)?;
            }
            Ok(Bytes::from(out))
        })
    });
    let head = futures::stream::once(async move { Ok(Bytes::from(first)) });
    let mut response = answer(Body::from_stream(head.chain(rest)))?;
    response
        .headers_mut()
        .insert(TOTAL, HeaderValue::from(total));
    Ok(response)
}

/// Reads parts until the end, or until nobody takes them; leaving the function closes the cursor.
async fn read(
    mut export: Export,
    mut sender: mpsc::Sender<domain::Result<Rows>>,
    _place: SemaphorePermit<'static>,
) {
    loop {
        let part = export.next().await;
        let last = !matches!(&part, Ok(rows) if !rows.is_empty());
        if let Err(error) = &part {
            tracing::error!(error = %error, "an export broke off");
        }
        if last && part.is_ok() {
            let _ = export.finish().await;
            return;
        }
        match tokio::time::timeout(PATIENCE, sender.send(part)).await {
            Ok(Ok(())) if !last => {}
            _ => return,
        }
    }
}

fn answer(body: Body) -> Result<Response> {
    let name = format!(
        "toimikud_{}.csv",
        clock::time_in_estonia(clock::now()).format("%Y%m%d_%H%M%S")
    );
    let disposition = format!("attachment; filename=\"{name}\"; filename*=UTF-8''{name}");
    let disposition =
        HeaderValue::from_str(&disposition).map_err(|error| Error::internal(error.to_string()))?;
    let headers = [
        (
            CONTENT_TYPE,
            HeaderValue::from_static("text/csv; charset=utf-8"),
        ),
        (CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, body).into_response())
}
