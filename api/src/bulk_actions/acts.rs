//! What a person does to a bulk action under way: cancel, pause, resume, pace, confirm its result.
use axum::extract::State;
use domain::bulk_actions::{self as actions, Pace, scope_to_act};
use domain::ids::BulkActionId;
use domain::{Actor, db};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::answer;
use super::wire::ActionAnswer;
use crate::app::App;
use crate::collection::{Item, Ld};
use crate::error::{Problem, Result, Violations};
use crate::extract::{Json, Path};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(cancel))
        .routes(routes!(success))
        .routes(routes!(fail))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(pace))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PaceInput {
    per_second: Option<i32>,
    parallel: Option<i32>,
}

/// Cancels: what waits at once, what runs before its next step.
#[utoipa::path(put, path = "/v2/bulk_action/{id}/cancel", tag = "bulk actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<ActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn cancel(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
) -> Result<Ld<Item<ActionAnswer>>> {
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    actions::cancel(&mut tx, &actor, id).await?;
    tx.commit().await?;
    // A last task that ended meanwhile could not see the cancel yet, nor the cancel that it had ended.
    let close = async {
        let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
        actions::close_finished(&mut tx, &[id]).await?;
        tx.commit().await.map_err(domain::Error::from)
    };
    if let Err(error) = close.await {
        tracing::warn!(error = %error, "a cancelled action was not closed, the sweeper will");
    }
    Ok(Ld(answer(&app, &actor, id).await?))
}

/// Asks to call the action done; the rows decide.
#[utoipa::path(put, path = "/v2/bulk_action/{id}/success", tag = "bulk actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<ActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn success(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
) -> Result<Ld<Item<ActionAnswer>>> {
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    let confirmed = actions::confirm_success(&mut tx, &actor, id).await;
    tx.commit().await?;
    confirmed?;
    Ok(Ld(answer(&app, &actor, id).await?))
}

/// Asks to call the action failed; the rows decide.
#[utoipa::path(put, path = "/v2/bulk_action/{id}/fail", tag = "bulk actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<ActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn fail(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
) -> Result<Ld<Item<ActionAnswer>>> {
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    let confirmed = actions::confirm_failed(&mut tx, &actor, id).await;
    tx.commit().await?;
    confirmed?;
    Ok(Ld(answer(&app, &actor, id).await?))
}

/// Holds the action: no further task starts.
#[utoipa::path(put, path = "/v2/bulk_action/{id}/pause", tag = "bulk actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<ActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn pause(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
) -> Result<Ld<Item<ActionAnswer>>> {
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    actions::pause(&mut tx, &actor, id).await?;
    tx.commit().await?;
    Ok(Ld(answer(&app, &actor, id).await?))
}

/// Lets a held action go on.
#[utoipa::path(put, path = "/v2/bulk_action/{id}/resume", tag = "bulk actions", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<ActionAnswer>), (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
async fn resume(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
) -> Result<Ld<Item<ActionAnswer>>> {
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    actions::resume(&mut tx, &actor, id).await?;
    tx.commit().await?;
    Ok(Ld(answer(&app, &actor, id).await?))
}

/// Sets how fast the action runs from now on; null takes a limit away.
#[utoipa::path(put, path = "/v2/bulk_action/{id}/pace", tag = "bulk actions", params(("id" = i64, Path)),
    request_body = PaceInput, responses((status = 200, body = Item<ActionAnswer>), (status = 403, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Violations)))]
async fn pace(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<BulkActionId>,
    Json(input): Json<PaceInput>,
) -> Result<Ld<Item<ActionAnswer>>> {
    let pace = Pace {
        per_second: input.per_second,
        parallel: input.parallel,
    };
    let mut tx = db::begin(&app.pool, scope_to_act(&actor)).await?;
    actions::set_pace(&mut tx, &actor, id, pace).await?;
    tx.commit().await?;
    Ok(Ld(answer(&app, &actor, id).await?))
}
