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

/// What is wrong, in the words of the page of alerts.
pub(super) fn name(voice: Voice<'_>, facts: &AlertFacts) -> String {
    let subject = one_line(facts.subject.as_deref().unwrap_or_default(), 60);
    let limit = amount(voice, facts, facts.threshold).unwrap_or_default();
    let (et, en) = match facts.measure.as_str() {
        "oldestWaiting" => (
            "Vanim töö järjekorras {} ootab üle []",
            "The oldest job in the queue {} waits for more than []",
        ),
        "failedShare" => (
            "Järjekorras {} ebaõnnestub üle [] töödest",
            "More than [] of the jobs in the queue {} fail",
        ),
        "noConsumers" => (
            "Järjekorras {} ootab töid, aga keegi ei tööta",
            "Jobs wait in the queue {} and nobody works it",
        ),
        "breakerOpen" => ("{} ei vasta", "{} does not answer"),
        "cronLate" if subject.is_empty() => (
            "Mõni ajastatud töö hilineb üle []",
            "A scheduled job is more than [] late",
        ),
        "cronLate" => ("{} hilineb üle []", "{} is more than [] late"),
        "backlogGrowing" => (
            "Järjekord {} kasvab 15 minutiga üle []",
            "The queue {} grows by more than [] in 15 minutes",
        ),
        _ => ("{}", "{}"),
    };
    let said = voice
        .pick(et, en)
        .replace("[]", &limit)
        .replace("{}", of(voice, &facts.measure, &subject));
    match &facts.bureau {
        Some(code) => format!(
            "{said} ({} {})",
            voice.pick("büroo", "bureau"),
            one_line(code, 10)
        ),
        None => said,
    }
}

/// A queue, register or cron as the console names it; one that is not known here as it is written.
fn of<'a>(voice: Voice<'_>, measure: &str, subject: &'a str) -> &'a str {
    let (et, en) = match (measure, subject) {
        ("breakerOpen", "tarn") => ("Täitmisregister", "The national register"),
        ("breakerOpen", _) => return subject,
        ("cronLate", "reconcile-case-list") => {
            ("Toimikute loendi kontroll", "The check of the case list")
        }
        ("cronLate", "expire-sessions") => (
            "Lõppenud seansside koristus",
            "The clearing of ended sessions",
        ),
        ("cronLate", "archive-tasks") => ("Vanade tööde arhiivimine", "The archiving of old jobs"),
        ("cronLate", "evaluate-alerts") => ("Häirete hindamine", "The evaluation of alerts"),
        ("cronLate", "send-daily-digests") => {
            ("Päevakokkuvõtete saatmine", "The sending of daily digests")
        }
        (_, "interactive") => ("Inimene ootab", "Interactive"),
        (_, "bulk") => ("Masstegevused", "Bulk actions"),
        (_, "register") => ("Registrid", "Registers"),
        (_, "arrest") => ("Arestid", "Arrests"),
        (_, "import") => ("Import", "Import"),
        (_, "mail") => ("E-kirjad", "E-mail"),
        (_, "cron") => ("Ajastatud", "Scheduled"),
        _ => return subject,
    };
    voice.pick(et, en)
}

/// A value with its unit; none of a measure that is yes or no.
fn amount(voice: Voice<'_>, facts: &AlertFacts, value: i64) -> Option<String> {
    let number = number(value);
    match facts.measure.as_str() {
        "oldestWaiting" | "cronLate" => Some(format!("{number}\u{a0}min")),
        "failedShare" => Some(format!("{number}\u{a0}%")),
        "backlogGrowing" => Some(voice.language.count(value, ("töö", "töö"), ("job", "jobs"))),
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
