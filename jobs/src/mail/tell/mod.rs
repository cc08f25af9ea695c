//! What a mail of each kind says, in both languages: from the facts of its notice to a sheet.
mod alert;
mod bulk_action;
mod day;
mod digest;
mod import;
mod operator_action;

use domain::mail::{Kind, Letter, Told};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::sheet::Sheet;
use super::words::Language;

/// The console's pages.
#[derive(Debug, Clone)]
pub struct Site(String);

impl Site {
    /// `url` is `TOIMIK_URL`: http or https, without a path of its own.
    pub fn new(url: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "TOIMIK_URL is the console's address, as https://toimik.example.ee, not '{url}'."
            )
        };
        let parsed = url::Url::parse(url).map_err(|_| wrong())?;
        let plain = matches!(parsed.scheme(), "http" | "https")
            && parsed.path() == "/"
            && parsed.query().is_none()
            && parsed.fragment().is_none()
            && parsed.username().is_empty();
        if plain && parsed.has_host() {
            Ok(Self(url.trim_end_matches('/').to_owned()))
        } else {
            Err(wrong())
        }
    }

    /// The address of a page; what is not a path of ours leads to the first page.
    pub fn page(&self, path: &str) -> String {
        let ours = path.starts_with('/')
            && !path.starts_with("//")
            && !path.contains('\\')
            && !path.chars().any(|c| c.is_control() || c.is_whitespace());
        format!("{}{}", self.0, if ours { path } else { "/" })
    }

    pub fn preferences(&self) -> String {
        self.page("/mail_preferences")
    }
}

/// Languages and addresses that every kind needs.
#[derive(Debug, Clone, Copy)]
pub struct Voice<'a> {
    pub language: Language,
    pub site: &'a Site,
}

impl Voice<'_> {
    fn pick<'a>(&self, et: &'a str, en: &'a str) -> &'a str {
        self.language.pick(et, en)
    }
}

/// The sheet of a letter; none where its facts cannot be read.
pub fn sheet(letter: &Letter, site: &Site) -> Option<Sheet> {
    let voice = Voice {
        language: Language::of(&letter.to.language),
        site,
    };
    match &letter.told {
        Told::One(facts) => one(voice, letter.kind, facts),
        Told::Many {
            total,
            by_status,
            items,
        } => Some(digest::sheet(voice, letter.kind, *total, by_status, items)),
    }
}

fn one(voice: Voice<'_>, kind: Kind, facts: &Value) -> Option<Sheet> {
    Some(match kind {
        Kind::BulkAction => bulk_action::sheet(voice, &read(facts)?),
        Kind::Import => import::sheet(voice, &read(facts)?),
        Kind::OperatorAction => operator_action::sheet(voice, &read(facts)?),
        Kind::AlertFired => alert::fired(voice, &read(facts)?),
        Kind::AlertRecovered => alert::recovered(voice, &read(facts)?),
        Kind::DailyDigest => day::sheet(voice, &read(facts)?),
    })
}

fn read<T: DeserializeOwned>(facts: &Value) -> Option<T> {
    serde_json::from_value(facts.clone()).ok()
}

/// The word of a result.
fn status_word(language: Language, status: i16) -> &'static str {
    match status {
        2 => language.pick("Õnnestus", "Succeeded"),
        3 => language.pick("Ebaõnnestus", "Failed"),
        4 => language.pick("Katkestatud", "Cancelled"),
        5 => language.pick("Hoiatustega", "With warnings"),
        _ => language.pick("Lõppes", "Ended"),
    }
}
