//! Mails as operators see them: to whom, how each stands, and what it says where it was written to a file.
use axum::extract::State;
use chrono::{DateTime, Utc};
use domain::ids::{JobId, MailId};
use domain::mail::{self, Kind, Mail};
use domain::{Actor, db};
use mail_parser::MessageParser;
use object_store::{ObjectStore, ObjectStoreExt};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::{Collection, Item, Ld, Links, Resource, page};
use crate::error::{Problem, Result, Violations};
use crate::extract::{Path, Query};
use crate::who::PersonAnswer;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(get))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MailAnswer {
    id: i64,
    #[schema(value_type = String)]
    kind: Kind,
    to: PersonAnswer,
    /// Where it goes now.
    email: Option<String>,
    /// As it was sent; null until then.
    subject: Option<String>,
    /// Without brackets; the same however often it is sent.
    message_id: String,
    /// How many events it tells of: from two on it is a digest.
    notices: i32,
    created_at: DateTime<Utc>,
    sent_at: Option<DateTime<Utc>>,
    /// waiting, sent, failed or cancelled.
    state: &'static str,
    #[schema(value_type = Option<i64>)]
    job_id: Option<JobId>,
    attempts: i32,
    /// Why it was not sent, or not yet.
    error: Option<String>,
}

impl Resource for MailAnswer {
    const TYPE: &'static str = "Mail";
    const PATH: &'static str = "/v2/mails";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl From<&Mail> for MailAnswer {
    fn from(mail: &Mail) -> Self {
        Self {
            id: mail.id.0,
            kind: mail.kind,
            to: PersonAnswer::new(&mail.to),
            email: mail.email.clone(),
            subject: mail.subject.clone(),
            message_id: mail.message_id.clone(),
            notices: mail.notices,
            created_at: mail.created_at,
            sent_at: mail.sent_at,
            state: mail.state.as_str(),
            job_id: mail.job,
            attempts: mail.attempts,
            error: mail.error.clone(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
struct WholeMailAnswer {
    #[serde(flatten)]
    mail: MailAnswer,
    /// Null where it went to a server, or has not been sent.
    content: Option<MailContentAnswer>,
}

impl Resource for WholeMailAnswer {
    const TYPE: &'static str = MailAnswer::TYPE;
    const PATH: &'static str = MailAnswer::PATH;

    fn key(&self) -> String {
        self.mail.key()
    }
}

#[derive(Debug, Serialize, ToSchema)]
struct MailContentAnswer {
    /// As they stand in the file, in order.
    headers: Vec<MailHeaderAnswer>,
    text: Option<String>,
    /// To be shown in a frame of its own, without scripts.
    html: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct MailHeaderAnswer {
    name: String,
    value: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MailsQuery {
    page: Option<i64>,
    limit: Option<i64>,
    #[serde(rename = "itemsPerPage")]
    items_per_page: Option<i64>,
}

/// Mails of all people, newest first; operators alone.
#[utoipa::path(get, path = "/v2/mails", tag = "mail", params(MailsQuery), responses(
    (status = 200, body = Collection<MailAnswer>), (status = 403, body = Problem), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    links: Links,
    Query(query): Query<MailsQuery>,
) -> Result<Ld<Collection<MailAnswer>>> {
    actor.check_operates()?;
    let page = page(query.page, query.limit, query.items_per_page, 25, 100)?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let found = mail::list(&mut tx, page).await?;
    tx.commit().await?;
    let answers = found.map(|mail| MailAnswer::from(&mail));
    Ok(Ld(links.collection(page, answers)))
}

/// One mail, with what it says where mails go to files.
#[utoipa::path(get, path = "/v2/mails/{id}", tag = "mail", params(("id" = i64, Path)), responses(
    (status = 200, body = Item<WholeMailAnswer>), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn get(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<MailId>,
) -> Result<Ld<Item<WholeMailAnswer>>> {
    actor.check_operates()?;
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let mail = mail::find(&mut tx, id).await?;
    tx.commit().await?;
    let answer = WholeMailAnswer {
        content: content(&*app.store, id).await?,
        mail: MailAnswer::from(&mail),
    };
    Ok(Ld(Item::new(answer)))
}

async fn content(store: &dyn ObjectStore, id: MailId) -> domain::Result<Option<MailContentAnswer>> {
    let file = match store.get(&mail::file_path(id)).await {
        Ok(file) => file.bytes().await?,
        Err(object_store::Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(MessageParser::default().parse(&file).map(|message| {
        let headers = message.headers_raw().map(|(name, value)| MailHeaderAnswer {
            name: name.to_owned(),
            value: value.trim().to_owned(),
        });
        MailContentAnswer {
            headers: headers.collect(),
            text: message.body_text(0).map(|text| text.into_owned()),
            html: message.body_html(0).map(|html| html.into_owned()),
        }
    }))
}
