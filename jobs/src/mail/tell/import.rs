//! An import ended.
use domain::mail::ImportFacts;

use super::{Voice, status_word};
use crate::mail::sheet::{Block, Line, Sheet, Tone};
use crate::mail::words::{Language, number, one_line};

pub(super) fn path(facts: &ImportFacts) -> String {
    format!("/case_list?import={}", facts.id)
}

pub(super) fn file(facts: &ImportFacts) -> String {
    one_line(&facts.file_name, 60)
}

pub(super) fn result(language: Language, facts: &ImportFacts) -> String {
    match facts.status {
        3 if facts.errors > 0 => {
            language.count(facts.errors.into(), ("viga", "viga"), ("error", "errors"))
        }
        3 | 4 => language
            .pick("midagi ei muudetud", "nothing was changed")
            .to_owned(),
        5 => language.count(
            facts.warnings.into(),
            ("hoiatus", "hoiatust"),
            ("warning", "warnings"),
        ),
        _ => language.count(
            facts.rows.unwrap_or_default().into(),
            ("rida", "rida"),
            ("row", "rows"),
        ),
    }
}

pub(super) fn sheet(voice: Voice<'_>, facts: &ImportFacts) -> Sheet {
    let language = voice.language;
    let opening = match facts.status {
        3 => voice.pick("Import ebaõnnestus", "Import failed"),
        4 => voice.pick("Import katkestati", "Import was cancelled"),
        5 => voice.pick("Import lõppes hoiatustega", "Import ended with warnings"),
        _ => voice.pick("Import lõpetatud", "Import finished"),
    };
    let mut lead = format!(
        "{} {}.",
        voice.pick("Lõppes", "Ended on"),
        language.moment(facts.finished_at)
    );
    if matches!(facts.status, 3 | 4) {
        lead.push_str(voice.pick(
            " Ühtegi toimikut ei lisatud ega muudetud.",
            " No case was added or changed.",
        ));
    }
    let mut lines = Vec::new();
    if let Some(message) = &facts.message {
        lines.push(Line::new(message.as_str(), "").toned(Tone::Err));
    }
    if !matches!(facts.status, 3 | 4) {
        for (word, n) in [
            (voice.pick("Lisatud toimikuid", "Cases added"), facts.added),
            (
                voice.pick("Muudetud toimikuid", "Cases changed"),
                facts.updated,
            ),
            (
                voice.pick("Muutmata toimikuid", "Cases unchanged"),
                facts.unchanged,
            ),
        ] {
            lines.push(Line::new(word, number(n.into())));
        }
    }
    if facts.errors > 0 {
        lines.push(
            Line::new(voice.pick("Vigu", "Errors"), number(facts.errors.into())).toned(Tone::Err),
        );
    }
    if facts.warnings > 0 {
        lines.push(
            Line::new(
                voice.pick("Hoiatusi", "Warnings"),
                number(facts.warnings.into()),
            )
            .toned(Tone::Warn),
        );
    }
    if let Some(rows) = facts.rows {
        lines.push(
            Line::new(
                voice.pick("Ridu failis", "Rows in the file"),
                number(rows.into()),
            )
            .strong(),
        );
    }
    Sheet {
        subject: format!("{opening}: {}, {}", file(facts), result(language, facts)),
        tone: Tone::of_status(facts.status),
        badge: match facts.status {
            5 => voice.pick("Lõppes hoiatustega", "Ended with warnings"),
            status => status_word(language, status),
        }
        .to_owned(),
        title: format!("{} {}", voice.pick("Import:", "Import of"), facts.file_name),
        lead,
        bar: Vec::new(),
        blocks: vec![Block {
            lines,
            ..Block::default()
        }],
        button: voice.pick("Ava import", "Open the import").to_owned(),
        href: voice.site.page(&path(facts)),
        why: voice
            .pick(
                "Saite selle kirja, sest alustasite selle impordi.",
                "You get this mail because you started this import.",
            )
            .to_owned(),
    }
}
