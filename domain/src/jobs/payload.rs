//! What a job was given: its fields by kind, checked before a person's edit is taken; personal data masked until asked for.
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use super::find::Job;
use super::kind::Kind;
use crate::actor::Actor;
use crate::audit::{self, By, Entry};
use crate::{Error, Result, Violation};

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Integer,
}

/// One field of a kind's payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub of: FieldType,
    pub required: bool,
}

impl Kind {
    /// The fields of the payload; a task's is its bulk action's, so that it has none of its own.
    pub fn fields(self) -> &'static [Field] {
        match self {
            Self::ImportCases => &[Field {
                name: "importId",
                of: FieldType::Integer,
                required: true,
            }],
            Self::Probe
            | Self::TouchCase
            | Self::SetStartFee
            | Self::ComputeIssuerFee
            | Self::SyncToRegister
            | Self::ReconcileCaseList
            | Self::ExpireSessions
            | Self::ArchiveTasks
            | Self::EvaluateAlerts
            | Self::SendMail
            | Self::SendWebhook
            | Self::SendDailyDigests => &[],
        }
    }

    /// Whether a payload has exactly these fields; errors name `payload.field`.
    pub fn check_payload(self, payload: &Map<String, Value>) -> Result<()> {
        let mut wrong = Vec::new();
        let mut say = |name: &str, message: &str| {
            wrong.push(Violation {
                path: format!("payload.{name}"),
                message: message.to_owned(),
                code: None,
            });
        };
        for name in payload.keys() {
            if !self.fields().iter().any(|field| field.name == name) {
                say(name, "Tundmatu väli.");
            }
        }
        for field in self.fields() {
            match (payload.get(field.name), field.of) {
                (None | Some(Value::Null), _) if field.required => {
                    say(field.name, "Väli on kohustuslik.")
                }
                (None | Some(Value::Null), _) => {}
                (Some(value), FieldType::Integer) if value.as_i64().is_some_and(|id| id > 0) => {}
                (Some(_), FieldType::Integer) => {
                    say(field.name, "Väärtus peab olema positiivne täisarv.")
                }
            }
        }
        if wrong.is_empty() {
            Ok(())
        } else {
            Err(Error::Invalid(wrong))
        }
    }
}

/// The payload as a person reads it: of a task the action's arguments and the case with its debtor. Not masked.
pub async fn payload(conn: &mut PgConnection, job: &Job) -> Result<Value> {
    let Some(action) = &job.action else {
        return Ok(job.args.clone().unwrap_or_else(|| json!({})));
    };
    let args = sqlx::query_scalar!("select args from bulk_actions where id = $1", action.id.0)
        .fetch_one(&mut *conn)
        .await?;
    let case = match job.case_id {
        None => None,
        Some(id) => {
            sqlx::query!(
                "select debtor_name, debtor_code, claimant_name, claimant_code from case_list where case_id = $1",
                id.0
            )
            .fetch_optional(conn)
            .await?
        }
    };
    let mut payload = json!({"bulkAction": action.id, "type": action.kind, "args": args});
    if let Some(case) = case {
        payload["case"] = json!({
            "number": job.case_number.map(|number| number.to_string()),
            "debtor": {"name": case.debtor_name, "code": case.debtor_code},
            "claimant": {"name": case.claimant_name, "code": case.claimant_code},
        });
    }
    Ok(payload)
}

/// The payload with personal data, on record.
pub async fn unmask(conn: &mut PgConnection, actor: &Actor, job: &Job) -> Result<Value> {
    let found = payload(conn, job).await?;
    let entry = Entry::new(job.bureau.id, "unmask", "Job", job.id.0);
    let by = By {
        job_id: Some(job.id),
        ..By::from(actor)
    };
    audit::write(conn, &by, entry).await?;
    Ok(found)
}

/// What stands for a hidden text: as many marks as it has characters, so that a tree keeps its shape.
const MARK: char = '▮';

/// Names of fields that hold personal data.
const PERSONAL: [&str; 16] = [
    "name",
    "firstname",
    "lastname",
    "namefirst",
    "namelast",
    "code",
    "personalcode",
    "regcode",
    "debtorname",
    "claimantname",
    "email",
    "phone",
    "address",
    "accountno",
    "iban",
    "datebirth",
];

/// Hides texts of personal fields, and personal codes and account numbers wherever they stand. True when something was hidden.
pub fn mask(value: &mut Value) -> bool {
    match value {
        Value::Object(fields) => {
            let mut hidden = false;
            for (name, value) in fields {
                let plain: String = name
                    .chars()
                    .filter(|c| c.is_alphanumeric())
                    .collect::<String>()
                    .to_lowercase();
                hidden |= match value {
                    Value::String(text)
                        if PERSONAL.contains(&plain.as_str()) && !text.is_empty() =>
                    {
                        *text = text.chars().map(|_| MARK).collect();
                        true
                    }
                    Value::Number(number) if PERSONAL.contains(&plain.as_str()) => {
                        *value = Value::String(number.to_string().chars().map(|_| MARK).collect());
                        true
                    }
                    other => mask(other),
                };
            }
            hidden
        }
        Value::Array(items) => items
            .iter_mut()
            .fold(false, |hidden, item| mask(item) | hidden),
        Value::String(text) => {
            let masked = mask_text(text);
            let hidden = masked != *text;
            *text = masked;
            hidden
        }
        _ => false,
    }
}

/// Hides what looks like a personal code (11 digits) or an account number within a text.
pub fn mask_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let end = from
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        if is_personal(word) {
            out.extend(word.chars().map(|_| MARK));
        } else {
            out.push_str(word);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn is_personal(word: &str) -> bool {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let account = word.len() >= 15
        && word.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        && word
            .bytes()
            .skip(2)
            .take(2)
            .all(|byte| byte.is_ascii_digit());
    digits && word.len() == 11 || account
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn personal_data_is_hidden_wherever_it_stands() {
        let mut value = json!({
            "bulkAction": 7, "type": 9,
            "case": {"number": "101/2025/3307", "debtor": {"name": "Priit Õun", "code": "39001010005"}},
            "list": ["isik 39001010005, konto EE471000001020145685", "101/2025/3307"],
            "personal_code": 39001010005i64, "importId": 12, "empty": {"name": ""},
        });
        assert!(mask(&mut value));
        let text = value.to_string();
        for leaked in ["Priit", "Õun", "39001010005", "EE47"] {
            assert!(!text.contains(leaked), "{text}");
        }
        assert!(
            text.contains("101/2025/3307") && text.contains("\"importId\":12"),
            "{text}"
        );
        assert_eq!(value["case"]["debtor"]["name"], "▮▮▮▮▮▮▮▮▮");
        assert!(!mask(
            &mut json!({"importId": 12, "number": "101/2025/3307"})
        ));
    }

    #[test]
    fn a_payload_has_exactly_its_fields() {
        let wrong = |kind: Kind, payload: Value| match kind
            .check_payload(payload.as_object().unwrap_or(&Map::new()))
        {
            Ok(()) => Vec::new(),
            Err(Error::Invalid(violations)) => violations.into_iter().map(|v| v.path).collect(),
            Err(other) => panic!("{other}"),
        };
        let none: Vec<String> = Vec::new();
        assert_eq!(wrong(Kind::ImportCases, json!({"importId": 3})), none);
        for (payload, path) in [
            (json!({}), "payload.importId"),
            (json!({"importId": null}), "payload.importId"),
            (json!({"importId": "3"}), "payload.importId"),
            (json!({"importId": 0}), "payload.importId"),
            (json!({"importId": 3, "more": 1}), "payload.more"),
        ] {
            assert_eq!(wrong(Kind::ImportCases, payload), [path]);
        }
        assert_eq!(wrong(Kind::Probe, json!({"x": 1})), ["payload.x"]);
    }
}
