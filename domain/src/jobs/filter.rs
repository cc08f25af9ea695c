//! What a list of jobs is narrowed by, and how that becomes a question to the database: words become ids first.
use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use super::{Kind, Queue, State};
use crate::actor::Actor;
use crate::cases::Number;
use crate::clock::start_of_day_in_estonia;
use crate::{Error, Result, Role};

/// An interval of time with both ends in it: instants, or legal days in Estonia.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// All that is set must hold; the empty one takes every job. Kept with an operator action as it was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct JobFilter {
    /// A job's id, a case number, or words of a case: number, names, codes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub state: Vec<State>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queue: Vec<Queue>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kind: Vec<String>,
    /// A bureau's code, e.g. 101.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bureau: Option<String>,
    /// A part of the name of the bureau's bailiff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bailiff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_number: Option<String>,
    /// A part of the debtor's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debtor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bulk_action: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator_action: Option<i64>,
    /// The key of a group of errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_group: Option<String>,
    /// A part of an error's words or code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// A part of the payload, among the newest 20,000 jobs that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Range>,
    /// Of the present or last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Range>,
}

/// The longest text that is searched for, in characters.
const LONGEST: usize = 200;
/// The most cases that words may stand for: more is no search.
const MOST_CASES: i64 = 5_000;
/// The most groups of errors that words may stand for.
const MOST_GROUPS: i64 = 500;

/// What the function `job_query` takes; none: nothing can match.
pub(crate) type Want = Option<Value>;

impl JobFilter {
    /// Turns words into ids, under the scope in which the jobs are read.
    pub(crate) async fn want(&self, conn: &mut PgConnection, actor: &Actor) -> Result<Want> {
        let mut want = Map::new();
        let mut cases: Option<Vec<i64>> = None;
        if !self.state.is_empty() {
            want.insert("states".into(), json!(self.state));
        }
        if let Some(kinds) = self.kinds()? {
            want.insert("kinds".into(), json!(kinds));
        }
        for (name, path, range) in [
            ("created", "createdAt", &self.created_at),
            ("started", "startedAt", &self.started_at),
            ("finished", "finishedAt", &self.finished_at),
        ] {
            if let Some(range) = range {
                let (from, until) = range.read(path)?;
                if from.is_some() || until.is_some() {
                    want.insert(name.into(), json!({"from": from, "until": until}));
                }
            }
        }
        if let Some(tenants) = self.tenants(conn).await? {
            if tenants.is_empty() {
                return Ok(None);
            }
            want.insert("tenants".into(), json!(tenants));
        }
        for (name, id) in [
            ("action", self.bulk_action),
            ("operator_action", self.operator_action),
        ] {
            if let Some(id) = id {
                want.insert(name.into(), json!(id));
            }
        }
        if let Some(text) = text("search", &self.search)? {
            // Eight digits are a job's id or a registry code.
            let of_code = match (whole(text), text.len()) {
                (Some(_), 8) => of_words(conn, actor, "search", text).await?,
                _ => Vec::new(),
            };
            match whole(text) {
                Some(id) if of_code.is_empty() => {
                    want.insert("ids".into(), json!([id]));
                }
                Some(_) => both(&mut cases, of_code),
                None => both(&mut cases, of_words(conn, actor, "search", text).await?),
            }
        }
        if let Some(number) = text("caseNumber", &self.case_number)? {
            both(&mut cases, of_number(conn, number).await?);
        }
        if let Some(name) = text("debtor", &self.debtor)? {
            both(&mut cases, of_debtor(conn, actor, name).await?);
        }
        if let Some(cases) = cases {
            if cases.is_empty() {
                return Ok(None);
            }
            want.insert("cases".into(), json!(cases));
        }
        let mut keys = text("errorGroup", &self.error_group)?.map(|key| vec![key.to_owned()]);
        if let Some(part) = text("error", &self.error)? {
            let found = of_error(conn, part).await?;
            match &mut keys {
                Some(keys) => keys.retain(|key| found.contains(key)),
                None => keys = Some(found),
            }
        }
        if let Some(keys) = keys {
            if keys.is_empty() {
                return Ok(None);
            }
            want.insert("keys".into(), json!(keys));
        }
        if let Some(part) = text("payload", &self.payload)? {
            want.insert("args".into(), json!(anywhere(part)));
        }
        Ok(Some(Value::Object(want)))
    }

    /// The kinds asked for by name or by their queue; none: all.
    fn kinds(&self) -> Result<Option<Vec<&'static str>>> {
        if self.kind.is_empty() && self.queue.is_empty() {
            return Ok(None);
        }
        let named: Vec<Kind> = self
            .kind
            .iter()
            .map(|name| {
                Kind::parse(name).ok_or_else(|| Error::invalid("kind", "Tundmatu töö liik."))
            })
            .collect::<Result<_>>()?;
        let kinds = Kind::ALL
            .into_iter()
            .filter(|kind| named.is_empty() || named.contains(kind))
            .filter(|kind| self.queue.is_empty() || self.queue.contains(&kind.queue()));
        Ok(Some(kinds.map(Kind::as_str).collect()))
    }

    async fn tenants(&self, conn: &mut PgConnection) -> Result<Option<Vec<i64>>> {
        let (code, bailiff) = (
            text("bureau", &self.bureau)?,
            text("bailiff", &self.bailiff)?,
        );
        if code.is_none() && bailiff.is_none() {
            return Ok(None);
        }
        let ids = sqlx::query_scalar!(
            "select id from bureaus
             where ($1::text is null or code = $1) and ($2::text is null or fold(bailiff_name) like fold($2))",
            code,
            bailiff.map(anywhere),
        )
        .fetch_all(conn)
        .await?;
        Ok(Some(ids))
    }
}

/// Years that a time may lie in.
const YEARS: RangeInclusive<i32> = 1900..=2100;

impl Range {
    /// As instants; the second is the first one after the interval.
    pub(crate) fn read(
        &self,
        path: &str,
    ) -> Result<(Option<DateTime<Utc>>, Option<DateTime<Utc>>)> {
        let end =
            |name: &str, value: &Option<String>, later: u64| -> Result<Option<DateTime<Utc>>> {
                let Some(text) = value else { return Ok(None) };
                let wrong = || {
                    Error::invalid(
                        format!("{path}.{name}"),
                        "Aeg antakse kujul 2026-11-27 või 2026-11-27T08:00:00Z.",
                    )
                };
                if let Ok(day) = text.parse::<NaiveDate>() {
                    if !YEARS.contains(&day.year()) {
                        return Err(wrong());
                    }
                    let day = day.checked_add_days(Days::new(later)).ok_or_else(wrong)?;
                    return Ok(Some(start_of_day_in_estonia(day)));
                }
                let at = DateTime::parse_from_rfc3339(text)
                    .map_err(|_| wrong())?
                    .to_utc();
                if !YEARS.contains(&at.year()) {
                    return Err(wrong());
                }
                // PostgreSQL counts microseconds: the first after an instant is one of them later.
                Ok(Some(
                    at + chrono::TimeDelta::microseconds(i64::try_from(later).unwrap_or(0)),
                ))
            };
        Ok((
            end("after", &self.after, 0)?,
            end("before", &self.before, 1)?,
        ))
    }
}

/// A trimmed text, none when it is blank.
fn text<'a>(path: &str, value: &'a Option<String>) -> Result<Option<&'a str>> {
    let Some(text) = value
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    else {
        return Ok(None);
    };
    if text.chars().count() > LONGEST || text.contains('\0') {
        return Err(Error::invalid(path, "Otsing võib olla kuni 200 märki."));
    }
    Ok(Some(text))
}

fn whole(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits && text.len() < 11)
}

/// The pattern of `like` for a part anywhere in a text.
pub(crate) fn anywhere(part: &str) -> String {
    let escaped = part
        .replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_");
    format!("%{escaped}%")
}

/// Cases must match every word at once.
fn both(known: &mut Option<Vec<i64>>, found: Vec<i64>) {
    match known {
        Some(known) => known.retain(|id| found.contains(id)),
        None => *known = Some(found),
    }
}

async fn of_number(conn: &mut PgConnection, text: &str) -> Result<Vec<i64>> {
    let number: Number = text
        .parse()
        .map_err(|_| Error::invalid("caseNumber", "Toimiku number on kujul 101/2024/7."))?;
    let ids = sqlx::query_scalar!(
        "select case_id from case_list where prefix = $1 and year = $2 and index = $3",
        number.prefix,
        number.year,
        number.index,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids)
}

async fn of_words(
    conn: &mut PgConnection,
    actor: &Actor,
    path: &str,
    words: &str,
) -> Result<Vec<i64>> {
    if words.parse::<Number>().is_ok() {
        return of_number(conn, words).await;
    }
    let ids = sqlx::query_scalar!(
        r#"select search_case_ids($1, $2, $3) as "id!""#,
        words,
        actor.role != Role::Kt,
        MOST_CASES + 1,
    )
    .fetch_all(conn)
    .await?;
    enough(path, ids)
}

async fn of_debtor(conn: &mut PgConnection, actor: &Actor, name: &str) -> Result<Vec<i64>> {
    const LOOKED_AT: i64 = MOST_CASES * 4;
    let found = sqlx::query!(
        r#"with named as materialized (select search_case_ids($1, $2, $3) as id)
           select array(select l.case_id from case_list l join named n on n.id = l.case_id where l.debtor_key like fold($4)) as "ids!",
                  (select count(*) from named) as "named!""#,
        name,
        actor.role != Role::Kt,
        LOOKED_AT,
        anywhere(name),
    )
    .fetch_one(conn)
    .await?;
    // Beyond the bound a debtor would be missing without a word.
    if found.named >= LOOKED_AT {
        return Err(too_many("debtor"));
    }
    enough("debtor", found.ids)
}

fn too_many(path: &str) -> Error {
    Error::invalid(
        path,
        "Otsingule vastab üle 5 000 toimiku. Täpsusta otsingut.",
    )
}

fn enough(path: &str, ids: Vec<i64>) -> Result<Vec<i64>> {
    if i64::try_from(ids.len()).unwrap_or(i64::MAX) > MOST_CASES {
        return Err(too_many(path));
    }
    Ok(ids)
}

async fn of_error(conn: &mut PgConnection, part: &str) -> Result<Vec<String>> {
    let keys = sqlx::query_scalar!(
        r#"select error_keys(fold($1), $2) as "key!""#,
        anywhere(part),
        MOST_GROUPS + 1,
    )
    .fetch_all(conn)
    .await?;
    if i64::try_from(keys.len()).unwrap_or(i64::MAX) > MOST_GROUPS {
        return Err(Error::invalid(
            "error",
            "Otsingule vastab üle 500 vearühma. Täpsusta otsingut.",
        ));
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_whole_and_instants_exact() {
        let read = |after: &str, before: &str| {
            let range = Range {
                after: Some(after.into()),
                before: Some(before.into()),
            };
            range
                .read("createdAt")
                .map(|(a, b)| format!("{} {}", a.unwrap_or_default(), b.unwrap_or_default()))
        };
        // Winter and summer time, and the day on which the clocks change.
        for (after, before, expected) in [
            (
                "2026-11-27",
                "2026-11-27",
                "2026-11-26 22:00:00 UTC 2026-11-27 22:00:00 UTC",
            ),
            (
                "2026-06-01",
                "2026-06-02",
                "2026-05-31 21:00:00 UTC 2026-06-02 21:00:00 UTC",
            ),
            (
                "2026-10-25",
                "2026-10-25",
                "2026-10-24 21:00:00 UTC 2026-10-25 22:00:00 UTC",
            ),
            (
                "2026-11-27T08:00:00Z",
                "2026-11-27T10:00:00+02:00",
                "2026-11-27 08:00:00 UTC 2026-11-27 08:00:00.000001 UTC",
            ),
        ] {
            assert_eq!(read(after, before).ok().as_deref(), Some(expected));
        }
        for wrong in [
            "eile",
            "2026-13-01",
            "",
            "27.11.2026",
            "0000-01-01",
            "+12000-01-01",
            "1899-12-31T23:59:59Z",
        ] {
            assert!(read(wrong, "2026-11-27").is_err(), "{wrong}");
        }
    }

    #[test]
    fn kinds_follow_queues() {
        let kinds = |queue: &[Queue], kind: &[&str]| {
            let filter = JobFilter {
                queue: queue.to_vec(),
                kind: kind.iter().map(|name| (*name).to_owned()).collect(),
                ..JobFilter::default()
            };
            filter.kinds()
        };
        assert_eq!(kinds(&[], &[]).ok(), Some(None));
        assert_eq!(
            kinds(&[Queue::Register], &[]).ok(),
            Some(Some(vec!["SyncToRegister"]))
        );
        assert_eq!(
            kinds(&[Queue::Register], &["SetStartFee"]).ok(),
            Some(Some(vec![]))
        );
        assert!(kinds(&[], &["Tundmatu"]).is_err());
    }
}
