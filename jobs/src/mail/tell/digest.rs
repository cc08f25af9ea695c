//! Many events of one kind in one mail: what waited after the fifth mail within ten minutes.
use domain::mail::{AlertFacts, BulkActionFacts, ImportFacts, Kind, OperatorActionFacts};
use serde_json::Value;

use super::{Voice, alert, bulk_action, import, operator_action, read, status_word};
use crate::mail::sheet::{Block, Line, Sheet, Tone, bar, rank};
use crate::mail::words::{Language, number};

fn line(voice: Voice<'_>, kind: Kind, facts: &Value) -> Option<Line> {
    let language = voice.language;
    let (line, path) = match kind {
        Kind::BulkAction => {
            let facts: BulkActionFacts = read(facts)?;
            let line = Line::new(
                bulk_action::name(language, facts.kind),
                bulk_action::result(language, &facts),
            );
            (
                line.toned(Tone::of_status(facts.status)),
                bulk_action::path(&facts),
            )
        }
        Kind::Import => {
            let facts: ImportFacts = read(facts)?;
            let line = Line::new(import::file(&facts), import::result(language, &facts));
            (
                line.toned(Tone::of_status(facts.status)),
                import::path(&facts),
            )
        }
        Kind::OperatorAction => {
            let facts: OperatorActionFacts = read(facts)?;
            let line = Line::new(
                operator_action::name(language, &facts),
                operator_action::result(language, &facts),
            );
            (
                line.toned(Tone::of_status(facts.status)),
                operator_action::path(&facts),
            )
        }
        Kind::AlertFired | Kind::AlertRecovered => {
            let facts: AlertFacts = read(facts)?;
            let tone = if kind == Kind::AlertFired {
                Tone::Err
            } else {
                Tone::Ok
            };
            let line = Line::new(alert::name(voice, &facts), language.moment(facts.at));
            (line.toned(tone), facts.path)
        }
        Kind::DailyDigest => return None,
    };
    Some(line.linked(voice.site.page(&path)))
}

/// How many of what ended, for a title, and where all of it is seen.
fn subject(voice: Voice<'_>, kind: Kind, total: i64) -> (String, &'static str) {
    let language = voice.language;
    let (words, path) = match kind {
        Kind::BulkAction => (
            language.pick("masstegevust lõppes", "bulk actions ended"),
            "/bulk_actions",
        ),
        Kind::Import => (
            language.pick("importi lõppes", "imports ended"),
            "/case_list",
        ),
        Kind::OperatorAction => (
            language.pick("hulgitegevust lõppes", "operator actions ended"),
            "/operator_actions",
        ),
        Kind::AlertFired => (language.pick("häiret algas", "alerts fired"), "/alerts"),
        Kind::AlertRecovered => (language.pick("häiret lõppes", "alerts are over"), "/alerts"),
        Kind::DailyDigest => (language.pick("kokkuvõtet", "digests"), "/dashboard"),
    };
    (format!("{}\u{a0}{words}", number(total)), path)
}

pub(super) fn sheet(
    voice: Voice<'_>,
    kind: Kind,
    total: i64,
    by_status: &[(i16, i64)],
    items: &[Value],
) -> Sheet {
    let language = voice.language;
    let mut by_status = by_status.to_vec();
    by_status.sort_by_key(|(status, _)| rank(*status));
    let (title, path) = subject(voice, kind, total);
    let failed: i64 = by_status
        .iter()
        .filter(|(s, _)| *s == 3)
        .map(|(_, n)| *n)
        .sum();
    let clean = by_status.iter().all(|(status, _)| *status == 2);
    let tone = match kind {
        Kind::AlertFired => Tone::Err,
        _ if failed > 0 => Tone::Err,
        _ if !clean => Tone::Warn,
        _ => Tone::Ok,
    };
    let counts = by_status.iter().map(|(status, n)| {
        Line::new(status_word(language, *status), number(*n)).toned(Tone::of_status(*status))
    });
    let counts: Vec<Line> = counts.collect();
    let lines: Vec<Line> = items
        .iter()
        .filter_map(|facts| line(voice, kind, facts))
        .collect();
    let more = total - i64::try_from(lines.len()).unwrap_or(i64::MAX);
    let shares: Vec<(Tone, i64)> = by_status
        .iter()
        .map(|(s, n)| (Tone::of_status(*s), *n))
        .collect();
    let mut blocks = Vec::new();
    if !counts.is_empty() {
        blocks.push(Block {
            lines: counts,
            ..Block::default()
        });
    }
    blocks.push(Block {
        head: if failed > 0 {
            voice.pick("Ebaõnnestunud kõigepealt", "Failed ones first")
        } else {
            voice.pick("Viimased", "The latest")
        }
        .to_owned(),
        lines,
        more: if more > 0 {
            match language {
                Language::Et => format!("Ja veel {}.", number(more)),
                Language::En => format!("And {} more.", number(more)),
            }
        } else {
            String::new()
        },
    });
    Sheet {
        subject: if failed > 0 {
            format!(
                "{title}, {} {}",
                voice.pick("neist vigadega", "with errors:"),
                number(failed)
            )
        } else {
            title.clone()
        },
        tone,
        badge: voice.pick("Kokkuvõte", "Digest").to_owned(),
        title,
        lead: voice
            .pick(
                "Ühte liiki kirju tuli kümne minuti jooksul üle viie; ülejäänud on siin koos.",
                "More than five mails of a kind came within ten minutes; the rest is here in one.",
            )
            .to_owned(),
        bar: bar(&shares),
        blocks,
        button: voice.pick("Ava nimekiri", "Open the list").to_owned(),
        href: voice.site.page(path),
        why: voice
            .pick(
                "Saite selle kirja, sest soovite seda liiki teateid.",
                "You get this mail because you want to be told of these.",
            )
            .to_owned(),
    }
}
