//! What a person wants to be told of by mail.
use axum::extract::State;
use domain::mail::{self, Kind, Preference};
use domain::{Actor, Scope, db};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::collection::Ld;
use crate::error::{Error, Result, Violations};
use crate::extract::Json;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get, update))
}

#[derive(Serialize, ToSchema)]
struct MailPreferencesAnswer {
    #[serde(rename = "@id")]
    iri: &'static str,
    #[serde(rename = "@type")]
    of: &'static str,
    /// Where mails go; null: no address is known, and nothing is sent.
    email: Option<String>,
    kinds: Vec<MailKindAnswer>,
}

#[derive(Serialize, ToSchema)]
struct MailKindAnswer {
    /// bulk_action, import, operator_action, alert_fired, alert_recovered or daily_digest.
    #[schema(value_type = String)]
    kind: Kind,
    wanted: bool,
    /// What holds for this person without a choice.
    default: bool,
}

impl MailPreferencesAnswer {
    fn new((email, kinds): (Option<String>, Vec<Preference>)) -> Self {
        let kinds = kinds.into_iter().map(|one| MailKindAnswer {
            kind: one.kind,
            wanted: one.wanted,
            default: one.default,
        });
        Self {
            iri: "/v2/mail_preferences",
            of: "MailPreferences",
            email,
            kinds: kinds.collect(),
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MailPreferencesInput {
    kinds: Vec<MailChoiceInput>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MailChoiceInput {
    kind: String,
    wanted: bool,
}

/// The actor's own preferences, every kind with its default.
#[utoipa::path(get, path = "/v2/mail_preferences", tag = "mail", responses((status = 200, body = MailPreferencesAnswer)))]
async fn get(State(app): State<App>, actor: Actor) -> Result<Ld<MailPreferencesAnswer>> {
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    let found = mail::preferences(&mut tx, actor.user_id).await?;
    tx.commit().await?;
    Ok(Ld(MailPreferencesAnswer::new(found)))
}

/// Saves the actor's own choices; a kind that is not named stays as it is.
#[utoipa::path(put, path = "/v2/mail_preferences", tag = "mail", request_body = MailPreferencesInput, responses(
    (status = 200, body = MailPreferencesAnswer), (status = 422, body = Violations)))]
async fn update(
    State(app): State<App>,
    actor: Actor,
    Json(input): Json<MailPreferencesInput>,
) -> Result<Ld<MailPreferencesAnswer>> {
    let choices = choices(&input.kinds)?;
    let mut tx = db::begin(&app.auth_pool, Scope::Auth).await?;
    mail::save_preferences(&mut tx, &actor, &choices).await?;
    let saved = mail::preferences(&mut tx, actor.user_id).await?;
    tx.commit().await?;
    Ok(Ld(MailPreferencesAnswer::new(saved)))
}

fn choices(input: &[MailChoiceInput]) -> Result<Vec<(Kind, bool)>> {
    let mut choices: Vec<(Kind, bool)> = Vec::new();
    for (place, choice) in input.iter().enumerate() {
        let wrong = |said: &str| Error::invalid(format!("kinds[{place}].kind"), said);
        let kind = Kind::parse(&choice.kind).ok_or_else(|| wrong("Tundmatu kirja liik."))?;
        if choices.iter().any(|(known, _)| *known == kind) {
            return Err(wrong("Kirja liik on nimetatud mitu korda."));
        }
        choices.push((kind, choice.wanted));
    }
    Ok(choices)
}
