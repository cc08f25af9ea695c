//! Failed jobs by their error, and what is known of each group.
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use domain::error_groups::{self, ErrorGroup, Note, Wanted};
use domain::jobs::Queue;
use domain::{Actor, Scope, clock, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{AllowedAction, Collection, Item, Ld, Links, Resource};
use crate::error::{Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Json, Path, Query};
use crate::jobs::eyes;
use crate::jobs::wire::CountAnswer;
use crate::who::allowed;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(note))
}

const MOST: usize = 100;

#[derive(Debug, Serialize, ToSchema)]
pub struct NoteAnswer {
    text: String,
    by: String,
    at: DateTime<Utc>,
}

impl From<&Note> for NoteAnswer {
    fn from(note: &Note) -> Self {
        Self {
            text: note.text.clone(),
            by: note.by.clone(),
            at: note.at,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorGroupAnswer {
    key: String,
    #[schema(value_type = String)]
    queue: Queue,
    kind: String,
    code: String,
    /// What is alike in the errors.
    text: String,
    count: CountAnswer,
    first_seen_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
    /// Codes, at most ten.
    bureaus: Vec<String>,
    /// Failures of each of the last 24 hours, oldest first.
    trend: Vec<i64>,
    note: Option<NoteAnswer>,
    allowed_actions: Vec<AllowedAction>,
}

impl Resource for ErrorGroupAnswer {
    const TYPE: &'static str = "ErrorGroup";
    const PATH: &'static str = "/v2/error_groups";

    fn key(&self) -> String {
        self.key.clone()
    }
}

impl ErrorGroupAnswer {
    pub fn new(actor: &Actor, group: &ErrorGroup) -> Self {
        Self {
            key: group.key.clone(),
            queue: group.queue,
            kind: group.kind.clone(),
            code: group.code.clone(),
            text: group.words.clone(),
            count: group.count.into(),
            first_seen_at: group.first_seen_at,
            last_seen_at: group.last_seen_at,
            bureaus: group.bureaus.clone(),
            trend: group.trend.clone(),
            note: group.note.as_ref().map(NoteAnswer::from),
            allowed_actions: allowed(error_groups::rights(actor)),
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// Failures not older than this, by default 24, at most 2160.
    hours: Option<i64>,
    #[param(value_type = Option<String>)]
    queue: Option<Queue>,
    /// A bureau's code.
    bureau: Option<String>,
    /// With (1) or without (0) a note.
    known: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NoteInput {
    /// Null or blank: not known any more.
    note: Option<String>,
}

/// Groups with the most failures first, at most 100; shared for a moment, its age in the header.
#[utoipa::path(get, path = "/v2/error_groups", tag = "operations", params(ListQuery), responses(
    (status = 200, body = Collection<ErrorGroupAnswer>), (status = 304), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    links: Links,
    Query(query): Query<ListQuery>,
) -> Result<Response> {
    let key = format!("errors {} {query:?}", eyes(&actor));
    let wanted = Wanted {
        hours: query.hours.unwrap_or(24),
        queue: query.queue,
        bureau: query.bureau,
        known: query.known,
    };
    let made = app
        .shared
        .get(key, async || {
            let mut tx = db::begin(&app.pool, actor.scope()).await?;
            let (_, groups) = error_groups::list(&mut tx, &wanted, MOST, clock::now()).await?;
            tx.commit().await?;
            let rows = groups
                .iter()
                .map(|group| ErrorGroupAnswer::new(&actor, group));
            Ok(links.whole(rows.collect()))
        })
        .await?;
    polled.shared(&made)
}

/// Marks a group as known, with what is to be said of it.
#[utoipa::path(put, path = "/v2/error_groups/{key}/note", tag = "operations", params(("key" = String, Path)), request_body = NoteInput,
    responses((status = 200, body = Item<ErrorGroupAnswer>), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 422, body = Violations)))]
async fn note(
    State(app): State<App>,
    actor: Actor,
    Path(key): Path<String>,
    Json(input): Json<NoteInput>,
) -> Result<Ld<Item<ErrorGroupAnswer>>> {
    let mut tx = db::begin(&app.pool, Scope::Queue).await?;
    error_groups::set_note(&mut tx, &actor, &key, input.note.as_deref()).await?;
    // Before it is kept: a group that is not there any more gets no note.
    let group = error_groups::find(&mut tx, &key, clock::now()).await?;
    tx.commit().await?;
    app.shared.forget();
    Ok(Ld(Item::new(ErrorGroupAnswer::new(&actor, &group))))
}
