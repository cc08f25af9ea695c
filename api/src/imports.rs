//! Imports of cases: the upload, streamed to the file store, and what became of it.
mod upload;

use axum::extract::{DefaultBodyLimit, Extension, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use domain::ids::ImportId;
use domain::imports::{self, Found, Import};
use domain::page::Listed;
use domain::{Actor, db};
use object_store::ObjectStoreExt;
use object_store::path::Path as StorePath;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::collection::{Collection, Item, Links, Resource, page};
use crate::error::{Message, Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::{Path, Query};
use crate::gate::Known;
use crate::idempotency::Once;

pub fn routes() -> OpenApiRouter<App> {
    // The upload counts its own bytes: the framework's limit would hold the whole body first.
    let taking = OpenApiRouter::new()
        .routes(routes!(create))
        .layer(DefaultBodyLimit::disable());
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
        .merge(taking)
}

#[derive(Serialize, ToSchema)]
struct ImportAnswer {
    id: i64,
    #[serde(rename = "tenantId")]
    tenant_id: i64,
    /// taavi or etaitur.
    #[serde(rename = "type")]
    source: String,
    /// 1 in progress, 2 ok, 3 failed, 4 cancelled, 5 with warnings.
    status: i16,
    percent: i16,
    /// Null until the whole file has been read.
    rows: Option<i32>,
    #[serde(rename = "rowsDone")]
    rows_done: i32,
    added: i32,
    updated: i32,
    unchanged: i32,
    #[serde(rename = "errorCount")]
    error_count: i32,
    #[serde(rename = "warningCount")]
    warning_count: i32,
    /// Why it failed as a whole.
    message: Option<String>,
    #[serde(rename = "fileName")]
    file_name: String,
    #[serde(rename = "fileBytes")]
    file_bytes: i64,
    #[serde(rename = "createdByName")]
    created_by_name: Option<String>,
    #[serde(rename = "jobId")]
    job_id: Option<i64>,
    #[serde(rename = "createdAt")]
    created_at: DateTime<Utc>,
    #[serde(rename = "startedAt")]
    started_at: Option<DateTime<Utc>>,
    #[serde(rename = "finishedAt")]
    finished_at: Option<DateTime<Utc>>,
}

impl From<Import> for ImportAnswer {
    fn from(import: Import) -> Self {
        Self {
            id: import.id.0,
            tenant_id: import.tenant_id.0,
            source: import.source,
            status: import.status,
            percent: import.percent,
            rows: import.rows,
            rows_done: import.rows_done,
            added: import.added,
            updated: import.updated,
            unchanged: import.unchanged,
            error_count: import.error_count,
            warning_count: import.warning_count,
            message: import.message,
            file_name: import.file_name,
            file_bytes: import.file_bytes,
            created_by_name: import.created_by_name,
            job_id: import.job_id.map(|id| id.0),
            created_at: import.created_at,
            started_at: import.started_at,
            finished_at: import.finished_at,
        }
    }
}

impl Resource for ImportAnswer {
    const TYPE: &'static str = "Import";
    const PATH: &'static str = "/v2/imports";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

/// With what was wrong in the file: at most 10,000 of each, the counts tell all.
#[derive(Serialize, ToSchema)]
struct WholeImportAnswer {
    #[serde(flatten)]
    import: ImportAnswer,
    errors: Vec<FoundAnswer>,
    warnings: Vec<FoundAnswer>,
}

impl Resource for WholeImportAnswer {
    const TYPE: &'static str = ImportAnswer::TYPE;
    const PATH: &'static str = ImportAnswer::PATH;

    fn key(&self) -> String {
        self.import.key()
    }
}

#[derive(Serialize, ToSchema)]
struct FoundAnswer {
    /// The header is row 1.
    row: i32,
    case_number: Option<String>,
    column: Option<String>,
    message: String,
}

impl From<Found> for FoundAnswer {
    fn from(found: Found) -> Self {
        Self {
            row: found.row,
            case_number: found.case_number,
            column: found.column,
            message: found.message,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    page: Option<i64>,
    limit: Option<i64>,
    #[serde(rename = "itemsPerPage")]
    items_per_page: Option<i64>,
}

/// The form of an upload.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct UploadForm {
    /// taavi or etaitur.
    r#type: String,
    /// A CSV file of at most 104,857,600 bytes.
    #[schema(format = Binary, content_media_type = "text/csv")]
    file: String,
}

#[derive(Serialize, ToSchema)]
struct TakenAnswer {
    id: i64,
    message: String,
}

/// The imports of the bureau, newest first; the chamber and operators see all.
#[utoipa::path(get, path = "/v2/imports", tag = "imports", params(ListQuery), responses(
    (status = 200, body = Collection<ImportAnswer>), (status = 304), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<ListQuery>,
    links: Links,
    polled: Polled,
) -> Result<Response> {
    let page = page(query.page, query.limit, query.items_per_page, 30, 100)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = imports::list(&mut tx, page).await?;
    tx.commit().await?;
    let rows = listed.rows.into_iter().map(ImportAnswer::from).collect();
    polled.answer(&links.collection(
        page,
        Listed {
            rows,
            total: listed.total,
        },
    ))
}

/// One import with its errors and warnings.
#[utoipa::path(get, path = "/v2/imports/{id}", tag = "imports", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<WholeImportAnswer>), (status = 304), (status = 404, body = Problem)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<ImportId>,
    polled: Polled,
) -> Result<Response> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let (import, found) = imports::get(&mut tx, id).await?;
    tx.commit().await?;
    let (warnings, errors): (Vec<Found>, Vec<Found>) =
        found.into_iter().partition(|found| found.warning);
    polled.answer(&Item::new(WholeImportAnswer {
        import: import.into(),
        errors: errors.into_iter().map(FoundAnswer::from).collect(),
        warnings: warnings.into_iter().map(FoundAnswer::from).collect(),
    }))
}

/// Takes a CSV file of cases; a job reads it. Repeating the call under its Idempotency-Key gives the same answer.
#[utoipa::path(post, path = "/import/taavi", tag = "imports", params(("Idempotency-Key" = Option<String>, Header)),
    request_body(content = UploadForm, content_type = "multipart/form-data"), responses(
    (status = 202, body = TakenAnswer), (status = 400, body = Message), (status = 403, body = Message),
    (status = 408, body = Message), (status = 409, body = Message), (status = 413, body = Message),
    (status = 415, body = Message), (status = 422, body = Violations), (status = 507, body = Message)))]
async fn create(
    State(app): State<App>,
    actor: Actor,
    once: Once,
    Extension(known): Extension<Arc<Known>>,
    request: Request,
) -> Result<Response> {
    imports::may_import(&actor)?;
    let form = upload::form(request).await?;
    let upload = upload::receive(&app, &actor, form).await?;
    // Set once: a request has one body.
    let _ = known.body_hash.set(upload.digest.clone());
    let path = StorePath::from(upload.new.file_key.as_str());
    let taken = take(&app, &actor, &once, &upload.new).await;
    // No file without its row: after a lost commit the row itself tells, and in doubt the file stays.
    let keeps = match &taken {
        Ok((_, is_new)) => *is_new,
        Err(_) => imports::has_file(&app.pool, &actor, &upload.new.file_key)
            .await
            .unwrap_or(true),
    };
    if !keeps && let Err(error) = app.store.delete(&path).await {
        tracing::error!(cause = %error, "an uploaded file without an import could not be deleted");
    }
    taken.map(|(response, _)| response)
}

/// The answer, and whether the file now belongs to an import.
async fn take(
    app: &App,
    actor: &Actor,
    once: &Once,
    new: &imports::New,
) -> Result<(Response, bool)> {
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    if let Some(response) = once.answered(&mut tx, actor).await? {
        return Ok((response, false));
    }
    let id = imports::create(&mut tx, actor, new).await?;
    let body = json!({ "id": id.0, "message": "CSV fail on töösse võetud" });
    once.keep(&mut tx, actor, StatusCode::ACCEPTED, &body)
        .await?;
    tx.commit().await?;
    Ok((
        (StatusCode::ACCEPTED, axum::Json(body)).into_response(),
        true,
    ))
}
