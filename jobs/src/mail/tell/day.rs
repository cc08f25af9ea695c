//! The daily digest: what ended yesterday.
use domain::mail::{DayFacts, Ended};

use super::{Voice, status_word};
use crate::mail::sheet::{Block, Line, Sheet, Tone, rank};
use crate::mail::words::number;

fn ended(voice: Voice<'_>, head: &str, list: &[Ended]) -> Option<Block> {
    let mut list = list.to_vec();
    list.sort_by_key(|ended| rank(ended.status));
    let lines: Vec<Line> = list
        .iter()
        .map(|ended| {
            Line::new(
                status_word(voice.language, ended.status),
                number(ended.count),
            )
            .toned(Tone::of_status(ended.status))
        })
        .collect();
    (!lines.is_empty()).then(|| Block {
        head: head.to_owned(),
        lines,
        more: String::new(),
    })
}

fn errors(voice: Voice<'_>, facts: &DayFacts) -> Option<Block> {
    let lines = facts.errors.iter().map(|error| {
        let words = if error.words.is_empty() {
            voice.pick("Teadmata viga", "Unknown error")
        } else {
            &error.words
        };
        Line::new(words, number(error.count)).toned(Tone::Err)
    });
    let named: i64 = facts.errors.iter().map(|error| error.count).sum();
    let more = facts.failed_jobs - named;
    (facts.failed_jobs > 0).then(|| Block {
        head: format!(
            "{}: {}",
            voice.pick("Ebaõnnestunud tööd", "Failed jobs"),
            number(facts.failed_jobs)
        ),
        lines: lines.collect(),
        more: if more > 0 {
            format!(
                "{}: {}",
                voice.pick("Muid vigu", "Other errors"),
                number(more)
            )
        } else {
            String::new()
        },
    })
}

pub(super) fn sheet(voice: Voice<'_>, facts: &DayFacts) -> Sheet {
    let day = voice.language.day(facts.day);
    let blocks = [
        ended(
            voice,
            voice.pick("Masstegevused", "Bulk actions"),
            &facts.bulk_actions,
        ),
        ended(voice, voice.pick("Impordid", "Imports"), &facts.imports),
        ended(
            voice,
            voice.pick("Hulgitegevused", "Operator actions"),
            &facts.operator_actions,
        ),
        errors(voice, facts),
    ];
    let blocks: Vec<Block> = blocks.into_iter().flatten().collect();
    let whose = if facts.bureaus.is_empty() {
        voice.pick("kõik bürood", "all bureaus").to_owned()
    } else {
        facts.bureaus.join(", ")
    };
    let lead = if blocks.is_empty() {
        format!(
            "{}: {whose}.",
            voice.pick("Sel päeval ei lõppenud midagi", "Nothing ended on that day")
        )
    } else {
        format!(
            "{}: {whose}.",
            voice.pick("Mis sel päeval lõppes", "What ended on that day")
        )
    };
    let failed = facts.failed_jobs > 0
        || facts
            .bulk_actions
            .iter()
            .chain(&facts.imports)
            .chain(&facts.operator_actions)
            .any(|e| e.status == 3);
    Sheet {
        subject: format!(
            "{}: {day}",
            voice.pick("Päeva kokkuvõte", "The day in short")
        ),
        tone: if failed { Tone::Warn } else { Tone::Ok },
        badge: if failed {
            voice.pick("Oli vigu", "There were errors")
        } else {
            voice.pick("Vigadeta", "No errors")
        }
        .to_owned(),
        title: day,
        lead,
        bar: Vec::new(),
        blocks,
        button: voice.pick("Ava töölaud", "Open the dashboard").to_owned(),
        href: voice.site.page("/dashboard"),
        why: voice
            .pick(
                "Saite selle kirja, sest soovisite päeva kokkuvõtet.",
                "You get this mail because you asked for the daily digest.",
            )
            .to_owned(),
    }
}
