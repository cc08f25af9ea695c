//! What a mail shows, whatever its kind: one sheet, drawn as HTML and as plain text by the templates beside the crate.
use askama::Template;

use super::words::{Language, one_line};

/// Where the tones come from: the console's palette, as mail clients read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Ok,
    Warn,
    Err,
    Quiet,
}

impl Tone {
    /// By the number of a result.
    pub fn of_status(status: i16) -> Self {
        match status {
            2 => Self::Ok,
            3 => Self::Err,
            5 => Self::Warn,
            _ => Self::Quiet,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Err => "err",
            Self::Quiet => "quiet",
        }
    }

    fn style(self) -> &'static str {
        match self {
            Self::Ok => "background:#e1f5e9;color:#1d6642",
            Self::Warn => "background:#fceecb;color:#834e06",
            Self::Err => "background:#ffe5e3;color:#b7191c",
            Self::Quiet => "background:#e9eaee;color:#595c63",
        }
    }

    fn solid(self) -> &'static str {
        match self {
            Self::Ok => "#4ba579",
            Self::Warn => "#e8a328",
            Self::Err => "#df2a2a",
            Self::Quiet => "#b7bac2",
        }
    }
}

/// One mail's content. Texts of others stand in it as they are: the templates escape them.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub subject: String,
    pub tone: Tone,
    pub badge: String,
    pub title: String,
    pub lead: String,
    /// Shares of a whole, in percent.
    pub bar: Vec<(Tone, u8)>,
    pub blocks: Vec<Block>,
    pub button: String,
    pub href: String,
    pub why: String,
}

#[derive(Debug, Clone, Default)]
pub struct Block {
    pub head: String,
    pub lines: Vec<Line>,
    /// How many more there are.
    pub more: String,
}

#[derive(Debug, Clone)]
pub struct Line {
    pub tone: Option<Tone>,
    pub label: String,
    pub value: String,
    pub href: Option<String>,
    pub strong: bool,
}

impl Line {
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            tone: None,
            label: label.into(),
            value: value.into(),
            href: None,
            strong: false,
        }
    }

    pub fn toned(self, tone: Tone) -> Self {
        Self {
            tone: Some(tone),
            ..self
        }
    }

    pub fn strong(self) -> Self {
        Self {
            strong: true,
            ..self
        }
    }

    pub fn linked(self, href: String) -> Self {
        Self {
            href: Some(href),
            ..self
        }
    }
}

/// Where a result stands in a list: well, with warnings, failed, cancelled.
pub fn rank(status: i16) -> usize {
    [2, 5, 3, 4]
        .iter()
        .position(|known| *known == status)
        .unwrap_or(usize::MAX)
}

/// Shares in whole percents; whatever there is at all is seen.
pub fn bar(parts: &[(Tone, i64)]) -> Vec<(Tone, u8)> {
    let total: i64 = parts.iter().map(|(_, n)| *n).sum();
    if total == 0 {
        return Vec::new();
    }
    let shares = parts.iter().filter(|(_, n)| *n > 0).map(|(tone, n)| {
        let percent = n.saturating_mul(100) / total;
        (*tone, u8::try_from(percent).unwrap_or(100).max(1))
    });
    shares.collect()
}

/// A mail as it goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub subject: String,
    pub text: String,
    pub html: String,
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    language: &'a str,
    sheet: &'a Sheet,
    choose: &'a str,
    preferences: &'a str,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    sheet: &'a Sheet,
    choose: &'a str,
    preferences: &'a str,
}

/// Characters of a subject.
const SUBJECT: usize = 150;

/// Draws the sheet; `preferences` is the page where a person chooses what to be told of.
pub fn render(
    sheet: &Sheet,
    language: Language,
    preferences: &str,
) -> Result<Rendered, askama::Error> {
    let choose = language.pick("Muuda kirjade seadeid", "Change which mails you get");
    let mut sheet = sheet.clone();
    sheet.subject = one_line(&sheet.subject, SUBJECT);
    sheet.title = one_line(&sheet.title, 300);
    sheet.lead = one_line(&sheet.lead, 1_000);
    for line in sheet.blocks.iter_mut().flat_map(|block| &mut block.lines) {
        line.label = one_line(&line.label, 300);
        line.value = one_line(&line.value, 300);
    }
    let (sheet, preferences) = (&sheet, preferences);
    let html = Html {
        language: language.code(),
        sheet,
        choose,
        preferences,
    };
    let text = Text {
        sheet,
        choose,
        preferences,
    };
    Ok(Rendered {
        html: html.render()?,
        text: text.render()? + "\n",
        subject: sheet.subject.clone(),
    })
}
