//! A run of a bulk action ended.
use domain::mail::BulkActionFacts;

use super::{Voice, status_word};
use crate::mail::sheet::{Block, Line, Sheet, Tone, bar};
use crate::mail::words::{Language, number};

/// What the console calls the type.
pub(super) fn name(language: Language, kind: i16) -> &'static str {
    match kind {
        1 => language.pick("Sea alustamise tasu", "Set the start fee"),
        2 => language.pick("Lõpeta toimikud", "Close cases"),
        3 => language.pick("Arvuta uus põhitasu", "Compute a new issuer fee"),
        4 => language.pick("Eemalda arestid", "Remove arrests"),
        5 => language.pick("Kinnita arestide eemaldamine", "Confirm removing arrests"),
        6 => language.pick("Sea arestid", "Set arrests"),
        7 => language.pick("Kinnita arestide seadmine", "Confirm setting arrests"),
        8 => language.pick("Valideeri toimikud", "Validate cases"),
        9 => language.pick(
            "Sünkrooni täitmisregistriga",
            "Synchronise with the national register",
        ),
        _ => language.pick("Masstegevus", "Bulk action"),
    }
}

pub(super) fn path(facts: &BulkActionFacts) -> String {
    format!("/bulk_actions/{}", facts.id)
}

pub(super) fn cases(language: Language, n: i64) -> String {
    language.count(n, ("toimik", "toimikut"), ("case", "cases"))
}

/// What a reader wants first: how many failed, else how many there were.
pub(super) fn result(language: Language, facts: &BulkActionFacts) -> String {
    match facts.status {
        3 if facts.failed < facts.total() => format!(
            "{} {}",
            language.pick("ebaõnnestus", "failed in"),
            cases(language, facts.failed)
        ),
        5 if facts.warning > 0 => format!(
            "{} {}",
            language.pick("hoiatusega", "warnings in"),
            cases(language, facts.warning)
        ),
        _ => cases(language, facts.total()),
    }
}

pub(super) fn sheet(voice: Voice<'_>, facts: &BulkActionFacts) -> Sheet {
    let language = voice.language;
    let name = name(language, facts.kind);
    let all_failed = facts.status == 3 && facts.failed == facts.total();
    let opening = match facts.status {
        3 if all_failed => voice.pick("Masstegevus ebaõnnestus", "Bulk action failed"),
        3 => voice.pick(
            "Masstegevus lõppes vigadega",
            "Bulk action ended with errors",
        ),
        4 => voice.pick("Masstegevus katkestatud", "Bulk action cancelled"),
        5 => voice.pick(
            "Masstegevus lõppes hoiatustega",
            "Bulk action ended with warnings",
        ),
        _ => voice.pick("Masstegevus lõpetatud", "Bulk action finished"),
    };
    let badge = match facts.status {
        3 if !all_failed => voice.pick("Lõppes vigadega", "Ended with errors"),
        5 => voice.pick("Lõppes hoiatustega", "Ended with warnings"),
        status => status_word(language, status),
    };
    let mut lead = format!(
        "{} {}",
        voice.pick("Lõppes", "Ended on"),
        language.moment(facts.finished_at)
    );
    if let Some(started) = facts.started_at {
        let span = language.span(facts.finished_at - started);
        lead.push_str(&match (language, facts.run) {
            (Language::Et, 1) => format!(", kestis {span}"),
            (Language::En, 1) => format!(", after {span}"),
            // The start is the first run's.
            (Language::Et, run) => format!(", {run}. kord"),
            (Language::En, run) => format!(", run {run}"),
        });
    }
    lead.push_str(&format!(
        ". {} {}.",
        voice.pick("Käivitas", "Ordered by"),
        facts.ordered_by
    ));
    let parts = [
        (Tone::Ok, voice.pick("Õnnestunud", "Succeeded"), facts.ok),
        (
            Tone::Warn,
            voice.pick("Hoiatusega", "With a warning"),
            facts.warning,
        ),
        (
            Tone::Err,
            voice.pick("Ebaõnnestunud", "Failed"),
            facts.failed,
        ),
        (
            Tone::Quiet,
            voice.pick("Katkestatud", "Cancelled"),
            facts.cancelled,
        ),
    ];
    let shown = parts.iter().filter(|(_, _, n)| *n > 0);
    let mut lines: Vec<Line> = shown
        .map(|(tone, word, n)| Line::new(*word, number(*n)).toned(*tone))
        .collect();
    lines.push(
        Line::new(
            voice.pick("Toimikuid kokku", "Cases in all"),
            number(facts.total()),
        )
        .strong(),
    );
    Sheet {
        subject: format!("{opening}: {name}, {}", result(language, facts)),
        tone: Tone::of_status(facts.status),
        badge: badge.to_owned(),
        title: name.to_owned(),
        lead,
        bar: bar(&parts.map(|(tone, _, n)| (tone, n))),
        blocks: vec![Block {
            lines,
            ..Block::default()
        }],
        button: voice
            .pick("Ava masstegevus", "Open the bulk action")
            .to_owned(),
        href: voice.site.page(&path(facts)),
        why: voice
            .pick(
                "Saite selle kirja, sest käivitasite selle masstegevuse.",
                "You get this mail because you ordered this bulk action.",
            )
            .to_owned(),
    }
}
