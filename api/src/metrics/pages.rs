//! The series of the pages: made from what the pages show, at most once in fifteen seconds however many ask.
use std::time::{Duration, Instant};

use domain::metrics::{PATIENCE, Sheet};
use domain::{Scope, clock, db};
use tokio::sync::Mutex;

use crate::app::App;
use crate::error::Result;
use crate::operations;

/// How long what was made is shown.
const KEPT: Duration = Duration::from_secs(15);

/// What was made last.
#[derive(Debug, Default)]
pub struct Pages(Mutex<Option<Made>>);

#[derive(Debug, Clone)]
struct Made {
    text: String,
    began: Instant,
    took: Duration,
}

impl Pages {
    /// The text of all series, at most as old as it says. Where the database does not answer in time there are none, so that
    /// nobody takes old numbers for new ones.
    pub async fn text(&self, app: &App) -> String {
        let mut kept = self.0.lock().await;
        let fresh = |made: &&Made| made.began.elapsed() < KEPT;
        let made = match kept.as_ref().filter(fresh) {
            Some(made) => Some(made.clone()),
            None => {
                let made = make(app).await;
                kept.clone_from(&made);
                made
            }
        };
        drop(kept);
        let mut sheet = Sheet::default();
        let help = "1 where the series of the pages could be made";
        sheet.gauge("pages_up", help, f64::from(u8::from(made.is_some())));
        let Some(made) = made else {
            return sheet.text();
        };
        let help = "Age of the series of the pages";
        let age = made.began.elapsed().as_secs_f64();
        sheet.gauge("pages_age_seconds", help, age);
        let help = "What making the series of the pages took";
        sheet.gauge("pages_make_seconds", help, made.took.as_secs_f64());
        sheet.text() + &made.text
    }
}

async fn make(app: &App) -> Option<Made> {
    let began = Instant::now();
    let app = app.clone();
    // A task of its own: a transaction must not be dropped by the time-out or a caller that leaves.
    let task = tokio::spawn(async move { read(&app).await });
    match tokio::time::timeout(PATIENCE, task).await {
        Ok(Ok(Ok(text))) => Some(Made {
            text,
            began,
            took: began.elapsed(),
        }),
        Ok(Ok(Err(error))) => {
            tracing::warn!(
                cause = error.cause(),
                "the series of the pages were not made"
            );
            None
        }
        Ok(Err(_)) | Err(_) => {
            tracing::warn!("the series of the pages were not made in time");
            None
        }
    }
}

/// One transaction; what has series of its own adds them here.
async fn read(app: &App) -> Result<String> {
    let mut sheet = Sheet::default();
    let mut tx = db::begin(&app.pool, Scope::Chamber).await?;
    db::limit(&mut tx, PATIENCE).await?;
    operations::gauges::add(&mut tx, &mut sheet, clock::now()).await?;
    tx.commit().await?;
    Ok(sheet.text())
}
