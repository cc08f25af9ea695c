//! The record of what people did.
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use chrono::{DateTime, Utc};
use domain::acts::{self, Act, ActFilter};
use domain::jobs::Range;
use domain::{Actor, Role, clock, db};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::accept::wants_csv;
use crate::app::App;
use crate::collection::{Keyset, Resource, keyset_after, keyset_limit};
use crate::csv::{self, BATCH, Batch};
use crate::error::{Problem, Result, Violations};
use crate::etag::Polled;
use crate::extract::Query;
use crate::who::BureauNameAnswer;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditAnswer {
    id: i64,
    at: DateTime<Utc>,
    user_id: Option<i64>,
    username: Option<String>,
    name: Option<String>,
    #[schema(value_type = Option<String>)]
    role: Option<Role>,
    bureau: BureauNameAnswer,
    action: String,
    object_class: String,
    object_id: Option<i64>,
    before: Option<Value>,
    after: Option<Value>,
    message: Option<String>,
    reason: Option<String>,
    request_id: Option<String>,
    job_id: Option<i64>,
}

impl Resource for AuditAnswer {
    const TYPE: &'static str = "AuditEntry";
    const PATH: &'static str = "/v2/audit";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl From<&Act> for AuditAnswer {
    fn from(act: &Act) -> Self {
        Self {
            id: act.id,
            at: act.at,
            user_id: act.user_id,
            username: act.username.clone(),
            name: act.name.clone(),
            role: act.role,
            bureau: BureauNameAnswer::from(&act.bureau),
            action: act.action.clone(),
            object_class: act.object_class.clone(),
            object_id: act.object_id,
            before: act.before.clone(),
            after: act.after.clone(),
            message: act.message.clone(),
            reason: act.reason.clone(),
            request_id: act.request_id.clone(),
            job_id: act.job_id,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// The beginning of a username.
    user: Option<String>,
    /// KT, koda or dev.
    #[param(value_type = Option<String>)]
    role: Option<Role>,
    /// A bureau's code.
    bureau: Option<String>,
    action: Option<String>,
    object_class: Option<String>,
    object_id: Option<i64>,
    job_id: Option<i64>,
    /// A day or an instant, itself included; `before` too.
    #[serde(rename = "at[after]")]
    at_after: Option<String>,
    #[serde(rename = "at[before]")]
    at_before: Option<String>,
    after: Option<String>,
    /// At most 100, by default 50.
    limit: Option<i64>,
}

/// What people did, newest first; as `text/csv` all that matches.
#[utoipa::path(get, path = "/v2/audit", tag = "operations", params(AuditQuery), responses(
    (status = 200, content((Keyset<AuditAnswer> = "application/json"), (String = "text/csv"))), (status = 304),
    (status = 406, body = Problem), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    polled: Polled,
    headers: HeaderMap,
    Query(query): Query<AuditQuery>,
) -> Result<Response> {
    let limit = keyset_limit(query.limit, 50, 100)?;
    let before = keyset_after(query.after.as_deref())?;
    let filter = ActFilter {
        user: query.user,
        role: query.role,
        bureau: query.bureau,
        action: query.action,
        object_class: query.object_class,
        object_id: query.object_id,
        job_id: query.job_id,
        at: Range {
            after: query.at_after,
            before: query.at_before,
        },
    };
    if wants_csv(&headers) {
        return file(app, actor, filter, before.unwrap_or(i64::MAX)).await;
    }
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = acts::list(&mut tx, &filter, before, limit + 1).await?;
    tx.commit().await?;
    polled.answer(&Keyset::new(
        found.iter().map(AuditAnswer::from).collect(),
        limit,
    ))
}

const TITLES: [&str; 10] = [
    "aeg",
    "kasutaja",
    "roll",
    "büroo",
    "tegevus",
    "objekt",
    "objekti id",
    "põhjus",
    "enne",
    "pärast",
];

async fn file(app: App, actor: Actor, filter: ActFilter, before: i64) -> Result<Response> {
    let name = format!(
        "tegevuste_logi_{}.csv",
        clock::time_in_estonia(clock::now()).format("%Y%m%d_%H%M%S")
    );
    csv::stream(&name, &TITLES, before, move |before| {
        let (app, actor, filter) = (app.clone(), actor.clone(), filter.clone());
        async move {
            let mut tx = db::begin(&app.pool, actor.scope()).await?;
            let found = acts::list(&mut tx, &filter, Some(before), BATCH).await?;
            tx.commit().await?;
            Ok(Batch::of(&found, |act| act.id, row))
        }
    })
    .await
}

fn row(act: &Act) -> Vec<String> {
    let json = |value: &Option<Value>| value.as_ref().map(Value::to_string).unwrap_or_default();
    let role = act.role.map_or("", |role| match role {
        Role::Kt => "KT",
        Role::Koda => "koda",
        Role::Dev => "dev",
    });
    vec![
        clock::time_in_estonia(act.at)
            .format("%d.%m.%Y %H:%M:%S")
            .to_string(),
        act.username.clone().unwrap_or_default(),
        role.to_owned(),
        act.bureau.code.clone(),
        act.action.clone(),
        act.object_class.clone(),
        act.object_id.map(|id| id.to_string()).unwrap_or_default(),
        act.reason
            .clone()
            .or_else(|| act.message.clone())
            .unwrap_or_default(),
        json(&act.before),
        json(&act.after),
    ]
}
