//! The two languages of mails: numbers, days, spans, counted words.
use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Utc};
use domain::clock::time_in_estonia;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Et,
    En,
}

impl Language {
    pub fn of(code: &str) -> Self {
        if code == "en" { Self::En } else { Self::Et }
    }

    pub fn code(self) -> &'static str {
        self.pick("et", "en")
    }

    /// The text of this language.
    pub fn pick<'a>(self, et: &'a str, en: &'a str) -> &'a str {
        match self {
            Self::Et => et,
            Self::En => en,
        }
    }

    /// `2 855 toimikut`; the words are one and many of each language.
    pub fn count(self, n: i64, et: (&str, &str), en: (&str, &str)) -> String {
        let (one, many) = match self {
            Self::Et => et,
            Self::En => en,
        };
        format!("{}\u{a0}{}", number(n), if n == 1 { one } else { many })
    }

    /// `29. november 2026`
    pub fn day(self, day: NaiveDate) -> String {
        let month = usize::try_from(day.month0()).unwrap_or_default();
        match self {
            Self::Et => format!("{}.\u{a0}{} {}", day.day(), MONTHS_ET[month], day.year()),
            Self::En => format!("{}\u{a0}{} {}", day.day(), MONTHS_EN[month], day.year()),
        }
    }

    /// `29.11.2026 kell 14:05`, by the clocks of Estonia.
    pub fn moment(self, at: DateTime<Utc>) -> String {
        let at = time_in_estonia(at);
        match self {
            Self::Et => at.format("%d.%m.%Y kell\u{a0}%H:%M").to_string(),
            Self::En => format!("{}, {}", self.day(at.date()), at.format("%H:%M")),
        }
    }

    /// `3 min 12 s`
    pub fn span(self, span: TimeDelta) -> String {
        let seconds = span.num_seconds().max(0);
        let hour = self.pick("t", "h");
        match seconds {
            0 => self.pick("alla 1\u{a0}s", "less than 1\u{a0}s").to_owned(),
            1..60 => format!("{seconds}\u{a0}s"),
            60..3_600 if seconds % 60 == 0 => format!("{}\u{a0}min", seconds / 60),
            60..3_600 => format!("{}\u{a0}min {}\u{a0}s", seconds / 60, seconds % 60),
            _ => format!(
                "{}\u{a0}{hour} {}\u{a0}min",
                number(seconds / 3_600),
                seconds % 3_600 / 60
            ),
        }
    }
}

const MONTHS_ET: [&str; 12] = [
    "jaanuar",
    "veebruar",
    "märts",
    "aprill",
    "mai",
    "juuni",
    "juuli",
    "august",
    "september",
    "oktoober",
    "november",
    "detsember",
];
const MONTHS_EN: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Groups of three with spaces that do not break.
pub fn number(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::from(if n < 0 { "−" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

/// A text of others within one line: no control characters and nothing that turns the direction, at most so many characters.
pub fn one_line(text: &str, most: usize) -> String {
    let turns = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let plain: String = text
        .chars()
        .map(|c| if c.is_control() || turns(c) { ' ' } else { c })
        .collect();
    let words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_groups_that_do_not_break() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1\u{a0}000"),
            (2_855, "2\u{a0}855"),
            (1_234_567, "1\u{a0}234\u{a0}567"),
            (-1_000, "−1\u{a0}000"),
        ] {
            assert_eq!(number(n), text);
        }
    }

    #[test]
    fn what_others_wrote_stays_on_its_line() {
        for (given, kept) in [
            ("a\r\nBcc: x@y.ee", "a Bcc: x@y.ee"),
            ("a\u{2028}b\u{202e}c\0", "a b c"),
            ("  õ  ä ", "õ ä"),
        ] {
            assert_eq!(one_line(given, 50), kept);
        }
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    #[test]
    fn times_are_told_by_the_clocks_of_estonia() {
        let at = "2026-11-28T22:05:00Z".parse().unwrap();
        assert_eq!(Language::Et.moment(at), "29.11.2026 kell\u{a0}00:05");
        assert_eq!(Language::En.moment(at), "29\u{a0}November 2026, 00:05");
        for (seconds, text) in [
            (0, "alla 1\u{a0}s"),
            (59, "59\u{a0}s"),
            (192, "3\u{a0}min 12\u{a0}s"),
            (1_380, "23\u{a0}min"),
            (7_260, "2\u{a0}t 1\u{a0}min"),
        ] {
            assert_eq!(Language::Et.span(TimeDelta::seconds(seconds)), text);
        }
    }
}
