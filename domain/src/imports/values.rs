//! One cell at a time: amounts, dates, texts, as people and spreadsheets write them. Messages are for the user.
use chrono::{Datelike, NaiveDate};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::codes::looks_like_exponent;
use crate::money::{Cents, LIMIT_CENTS};

/// `1 234,56 €`: blanks between groups of three, comma or dot, U+2212 for minus, `€` or EUR at an end; not below zero.
pub fn amount(text: &str) -> Result<Cents, String> {
    let unreadable = || format!("Summa \"{}\" ei ole loetav.", shortened(text));
    if looks_like_exponent(text) {
        return Err(exponent(text));
    }
    let mut bare = text.trim();
    for unit in ["€", "EUR"] {
        bare = bare.strip_suffix(unit).unwrap_or(bare);
        bare = bare.strip_prefix(unit).unwrap_or(bare).trim();
    }
    let (negative, digits) = match bare.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, bare),
    };
    let (euros, cents) = digits.split_once([',', '.']).unwrap_or((digits, ""));
    let groups: Vec<&str> = euros.split(char::is_whitespace).collect();
    if groups.len() > 1 && (groups[0].len() > 3 || groups[1..].iter().any(|group| group.len() != 3))
    {
        return Err(unreadable());
    }
    let euros = groups.concat();
    let numeric = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if euros.is_empty() || cents.len() > 2 || !numeric(&euros) || !numeric(cents) {
        return Err(unreadable());
    }
    let too_large = || format!("Summa \"{}\" on liiga suur.", shortened(text));
    let euros: i64 = euros.parse().map_err(|_| too_large())?;
    let cents: i64 = format!("{cents:0<2}").parse().map_err(|_| unreadable())?;
    let total = euros
        .checked_mul(100)
        .and_then(|whole| whole.checked_add(cents))
        .filter(|total| *total <= LIMIT_CENTS)
        .ok_or_else(too_large)?;
    if negative && total != 0 {
        return Err("Summa ei saa olla negatiivne.".into());
    }
    Ok(Cents(total))
}

/// `dd.MM.yyyy`, `d.M.yyyy` or `yyyy-MM-dd`, from 1900 to 2100.
pub fn date(text: &str) -> Result<NaiveDate, String> {
    let unreadable = || {
        format!(
            "Kuupäeva \"{}\" ei ole olemas või see ei ole kujul pp.kk.aaaa.",
            shortened(text)
        )
    };
    let number = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        let fits = lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let parts: Vec<&str> = text.split(['.', '-']).collect();
    let [first, month, last] = parts[..] else {
        return Err(unreadable());
    };
    let (year, month, day) = if text.contains('-') {
        (
            number(first, 4..=4),
            number(month, 2..=2),
            number(last, 2..=2),
        )
    } else {
        (
            number(last, 4..=4),
            number(month, 1..=2),
            number(first, 1..=2),
        )
    };
    let is_mixed = text.contains('-') && text.contains('.');
    let date = match (year, month, day) {
        (Some(year), Some(month), Some(day)) if !is_mixed => i32::try_from(year)
            .ok()
            .and_then(|year| NaiveDate::from_ymd_opt(year, month, day)),
        _ => None,
    };
    let date = date.ok_or_else(unreadable)?;
    if !(1900..=2100).contains(&date.year()) {
        return Err(format!(
            "Kuupäev \"{}\" peab jääma aastatesse 1900–2100.",
            shortened(text)
        ));
    }
    Ok(date)
}

/// NFC, blanks of any kind and line breaks as one space; at most `most` characters.
pub fn text(raw: &str, most: usize) -> Result<String, String> {
    let mut out = String::with_capacity(raw.len());
    for word in raw.split_whitespace() {
        let mut seen = word.chars().filter(|c| !is_invisible(*c)).peekable();
        if !out.is_empty() && seen.peek().is_some() {
            out.push(' ');
        }
        out.extend(seen);
    }
    if out.chars().any(char::is_control) {
        return Err("Lahtris on lubamatu juhtmärk.".into());
    }
    if !is_nfc(&out) {
        out = out.nfc().collect();
    }
    if out.chars().count() > most {
        return Err(format!("Tekst on pikem kui {most} märki."));
    }
    Ok(out)
}

/// Marks that turn the reading direction, and other characters without a shape.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A code that a spreadsheet spoilt.
pub fn exponent(text: &str) -> String {
    format!(
        "\"{}\" on tabelarvutuses arvuks muutunud (E+) ja selle õige kuju on kadunud. Vormindage veerg tekstiks ja eksportige uuesti.",
        shortened(text)
    )
}

/// At most 40 characters of what stood in the cell.
pub fn shortened(text: &str) -> String {
    let mut out: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    if text.chars().count() > 40 {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_amounts() {
        for (text, cents) in [
            ("0", 0),
            ("15,00", 1500),
            ("15", 1500),
            ("15,5", 1550),
            ("1234.56", 123_456),
            ("1 234,56", 123_456),
            ("1\u{a0}234\u{a0}567,89", 123_456_789),
            ("1\u{202f}234,56\u{a0}€", 123_456),
            ("€ 5,00", 500),
            ("5,00 EUR", 500),
            ("-0,00", 0),
            ("\u{2212}0", 0),
            ("100000000000,00", LIMIT_CENTS),
        ] {
            assert_eq!(amount(text), Ok(Cents(cents)), "{text}");
        }
        for text in [
            "",
            "kakssada",
            "1.234,56",
            "1,234",
            "1,2,3",
            "1€50",
            "1 50",
            "1234 567",
            "5,0 5",
            "1 2345,00",
            "5-",
            "--5",
            "1e3",
            "٣",
            "NaN",
            "0x10",
            ",",
            ",5",
            "-5,00",
            "\u{2212}5,00",
            "100000000000,01",
            "99999999999999999999",
            "3,9E+10",
        ] {
            assert!(amount(text).is_err(), "{text}");
        }
        assert!(amount("3,9E+10").unwrap_err().contains("E+"));
        assert!(amount("-5").unwrap_err().contains("negatiivne"));
    }

    #[test]
    fn reads_dates() {
        for (text, iso) in [
            ("05.01.2024", "2024-01-05"),
            ("5.1.2024", "2024-01-05"),
            ("2024-01-05", "2024-01-05"),
            ("29.02.2024", "2024-02-29"),
            ("01.01.1900", "1900-01-01"),
            ("31.12.2100", "2100-12-31"),
        ] {
            assert_eq!(
                date(text).map(|d| d.to_string()),
                Ok(iso.to_owned()),
                "{text}"
            );
        }
        for text in [
            "",
            "31.02.2024",
            "29.02.2023",
            "1.1.24",
            "2024-1-5",
            "05-01-2024",
            "2024.01.05",
            "01.01.1899",
            "01.01.2101",
            "31.12.9999",
            "01.01.10000",
            "+1.01.2024",
            "01.2024",
            "1.1.2024.",
            "45292",
            "2024-01.05",
            "24:00",
        ] {
            assert!(date(text).is_err(), "{text}");
        }
    }

    #[test]
    fn tidies_texts() {
        assert_eq!(
            text("  Aino\u{a0} Õunapuu \r\n", 50).unwrap(),
            "Aino Õunapuu"
        );
        assert_eq!(text("O\u{303}un", 50).unwrap(), "Õun");
        assert!(text("a\0b", 50).is_err());
        assert!(text("õõõ", 2).is_err());
        assert_eq!(text("õõõ", 3).unwrap(), "õõõ");
    }
}
