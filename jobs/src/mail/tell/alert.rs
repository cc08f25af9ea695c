//! An alert fired, or is over.
use domain::mail::AlertFacts;

use super::Voice;
use crate::mail::sheet::{Block, Line, Sheet, Tone};
use crate::mail::words::{number, one_line};

pub(super) fn fired(voice: Voice<'_>, facts: &AlertFacts) -> Sheet {
    let lead = format!(
        "{} {}.",
        voice.pick("Häire algas", "The alert fired on"),
        voice.language.moment(facts.at)
    );
    sheet(
        voice,
        facts,
        Said {
            tone: Tone::Err,
            opening: voice.pick("Häire", "Alert"),
            lead,
        },
    )
}

pub(super) fn recovered(voice: Voice<'_>, facts: &AlertFacts) -> Sheet {
    let mut lead = format!(
        "{} {}",
        voice.pick("Häire lõppes", "The alert was over on"),
        voice.language.moment(facts.at)
    );
    if let Some(since) = facts.since {
        let span = voice.language.span(facts.at - since);
        lead.push_str(&format!("{} {span}", voice.pick(", kestis", ", after")));
    }
    lead.push('.');
    sheet(
        voice,
        facts,
        Said {
            tone: Tone::Ok,
            opening: voice.pick("Häire möödas", "Alert over"),
            lead,
        },
    )
}

struct Said<'a> {
    tone: Tone,
    opening: &'a str,
    lead: String,
}

/// What is wrong, in words.
pub(super) fn name(voice: Voice<'_>, facts: &AlertFacts) -> String {
    let subject = one_line(facts.subject.as_deref().unwrap_or_default(), 60);
    let said = match (facts.measure.as_str(), subject.as_str()) {
        ("oldestWaiting", queue) => voice
            .pick(
                "Töö ootab liiga kaua järjekorras {}",
                "A job waits too long in the queue {}",
            )
            .replace("{}", queue),
        ("failedShare", queue) => voice
            .pick(
                "Palju ebaõnnestumisi järjekorras {}",
                "Many failures in the queue {}",
            )
            .replace("{}", queue),
        ("noConsumers", queue) => voice
            .pick(
                "Keegi ei tööta järjekorraga {}",
                "Nobody works the queue {}",
            )
            .replace("{}", queue),
        ("breakerOpen", register) => voice
            .pick("Register {} ei vasta", "The register {} does not answer")
            .replace("{}", register),
        ("cronLate", "") => voice
            .pick("Ajastatud töö hilineb", "A scheduled job is late")
            .to_owned(),
        ("cronLate", cron) => voice
            .pick("Ajastatud töö {} hilineb", "The scheduled job {} is late")
            .replace("{}", cron),
        ("backlogGrowing", queue) => voice
            .pick("Järjekord {} kasvab", "The queue {} grows")
            .replace("{}", queue),
        (measure, subject) => format!("{measure} {subject}"),
    };
    match &facts.bureau {
        Some(code) => format!(
            "{said} ({} {})",
            voice.pick("büroo", "bureau"),
            one_line(code, 10)
        ),
        None => said,
    }
}

/// A value with its unit; none of a measure that is yes or no.
fn amount(voice: Voice<'_>, facts: &AlertFacts, value: i64) -> Option<String> {
    let number = number(value);
    match facts.measure.as_str() {
        "oldestWaiting" | "cronLate" => Some(format!("{number}\u{a0}min")),
        "failedShare" => Some(format!("{number}\u{a0}%")),
        "backlogGrowing" => Some(voice.language.count(
            value,
            ("töö 15 minutiga", "tööd 15 minutiga"),
            ("job in 15 minutes", "jobs in 15 minutes"),
        )),
        _ => None,
    }
}

fn sheet(voice: Voice<'_>, facts: &AlertFacts, said: Said<'_>) -> Sheet {
    let mut lines = Vec::new();
    if let Some(value) = amount(voice, facts, facts.value) {
        lines.push(Line::new(voice.pick("Mõõdetud kuni", "Measured up to"), value).strong());
    }
    if let Some(threshold) = amount(voice, facts, facts.threshold) {
        lines.push(Line::new(
            voice.pick("Lubatud kuni", "Allowed up to"),
            threshold,
        ));
    }
    if facts.minutes > 0 {
        let minutes = format!("{}\u{a0}min", number(facts.minutes));
        lines.push(Line::new(voice.pick("Pidi kestma", "Had to last"), minutes));
    }
    let title = name(voice, facts);
    Sheet {
        subject: format!("{}: {title}", said.opening),
        tone: said.tone,
        badge: said.opening.to_owned(),
        title,
        lead: said.lead,
        bar: Vec::new(),
        blocks: vec![Block {
            lines,
            ..Block::default()
        }],
        button: voice
            .pick("Vaata, mis toimub", "See what is happening")
            .to_owned(),
        href: voice.site.page(&facts.path),
        why: voice
            .pick(
                "Saite selle kirja, sest saate häirete teateid.",
                "You get this mail because you are told of alerts.",
            )
            .to_owned(),
    }
}
