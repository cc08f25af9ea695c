//! An alert fired, or is over.
use domain::mail::AlertFacts;

use super::Voice;
use crate::mail::sheet::{Block, Line, Sheet, Tone};
use crate::mail::words::one_line;

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

pub(super) fn path(facts: &AlertFacts) -> &str {
    facts.path.as_deref().unwrap_or("/alerts")
}

fn sheet(voice: Voice<'_>, facts: &AlertFacts, said: Said<'_>) -> Sheet {
    let mut lines = Vec::new();
    if let Some(value) = &facts.value {
        lines.push(Line::new(voice.pick("Mõõdetud", "Measured"), value.as_str()).strong());
    }
    if let Some(threshold) = &facts.threshold {
        lines.push(Line::new(
            voice.pick("Lubatud", "Allowed"),
            threshold.as_str(),
        ));
    }
    Sheet {
        subject: format!("{}: {}", said.opening, one_line(&facts.rule, 100)),
        tone: said.tone,
        badge: said.opening.to_owned(),
        title: facts.rule.clone(),
        lead: said.lead,
        bar: Vec::new(),
        blocks: vec![Block {
            lines,
            ..Block::default()
        }],
        button: voice
            .pick("Vaata, mis toimub", "See what is happening")
            .to_owned(),
        href: voice.site.page(path(facts)),
        why: voice
            .pick(
                "Saite selle kirja, sest saate häirete teateid.",
                "You get this mail because you are told of alerts.",
            )
            .to_owned(),
    }
}
