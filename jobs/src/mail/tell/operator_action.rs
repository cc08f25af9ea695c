//! An operator action ended.
use domain::mail::OperatorActionFacts;

use super::{Voice, status_word};
use crate::mail::sheet::{Block, Line, Sheet, Tone, bar};
use crate::mail::words::{Language, number};

pub(super) fn name(language: Language, facts: &OperatorActionFacts) -> &'static str {
    if facts.kind == "cancel" {
        language.pick("Tööde katkestamine", "Cancelling jobs")
    } else {
        language.pick("Tööde kordamine", "Retrying jobs")
    }
}

pub(super) fn path(facts: &OperatorActionFacts) -> String {
    format!("/operator_actions/{}", facts.id)
}

pub(super) fn result(language: Language, facts: &OperatorActionFacts) -> String {
    let jobs = |n| language.count(n, ("töö", "tööd"), ("job", "jobs"));
    match facts.status {
        3 => format!(
            "{} {}",
            language.pick("ebaõnnestus", "failed:"),
            jobs(facts.failed)
        ),
        5 => format!(
            "{} {}",
            language.pick("vahele jäi", "skipped:"),
            jobs(facts.skipped)
        ),
        _ => jobs(facts.total),
    }
}

pub(super) fn sheet(voice: Voice<'_>, facts: &OperatorActionFacts) -> Sheet {
    let language = voice.language;
    let name = name(language, facts);
    let opening = match facts.status {
        3 => voice.pick(
            "Hulgitegevus lõppes vigadega",
            "Operator action ended with errors",
        ),
        4 => voice.pick("Hulgitegevus peatatud", "Operator action stopped"),
        5 => voice.pick(
            "Hulgitegevus lõppes osaliselt",
            "Operator action ended in part",
        ),
        _ => voice.pick("Hulgitegevus lõpetatud", "Operator action finished"),
    };
    let badge = match facts.status {
        3 => voice.pick("Lõppes vigadega", "Ended with errors"),
        4 => voice.pick("Peatatud", "Stopped"),
        5 => voice.pick("Lõppes osaliselt", "Ended in part"),
        status => status_word(language, status),
    };
    let parts = [
        (Tone::Ok, voice.pick("Tehtud", "Done"), facts.done),
        (
            Tone::Err,
            voice.pick("Ebaõnnestunud", "Failed"),
            facts.failed,
        ),
        (
            Tone::Quiet,
            voice.pick("Vahele jäetud", "Skipped"),
            facts.skipped,
        ),
    ];
    let shown = parts.iter().filter(|(_, _, n)| *n > 0);
    let mut lines: Vec<Line> = shown
        .map(|(tone, word, n)| Line::new(*word, number(*n)).toned(*tone))
        .collect();
    lines.push(Line::new(voice.pick("Töid kokku", "Jobs in all"), number(facts.total)).strong());
    Sheet {
        subject: format!(
            "{opening}: {}, {}",
            name.to_lowercase(),
            result(language, facts)
        ),
        tone: Tone::of_status(facts.status),
        badge: badge.to_owned(),
        title: name.to_owned(),
        lead: format!(
            "{} {}. {} {}.",
            voice.pick("Lõppes", "Ended on"),
            language.moment(facts.finished_at),
            voice.pick("Käivitas", "Ordered by"),
            facts.ordered_by
        ),
        bar: bar(&parts.map(|(tone, _, n)| (tone, n))),
        blocks: vec![Block {
            lines,
            ..Block::default()
        }],
        button: voice
            .pick("Ava hulgitegevus", "Open the operator action")
            .to_owned(),
        href: voice.site.page(&path(facts)),
        why: voice
            .pick(
                "Saite selle kirja, sest käivitasite selle hulgitegevuse.",
                "You get this mail because you ordered this operator action.",
            )
            .to_owned(),
    }
}
