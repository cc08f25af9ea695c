//! Makes texts of calls fit to keep: personal data masked, control characters out, at most 2 kB.

/// The longest text kept of a request or an answer.
pub const EXCERPT_BYTES: usize = 2048;

/// Elements whose text names or describes a person, in lower case.
const PERSONAL: &[&str] = &[
    "aadress",
    "aadresstekst",
    "eesnimi",
    "epost",
    "email",
    "isikukood",
    "kood",
    "konto",
    "nimi",
    "pangaarve",
    "perenimi",
    "synniaeg",
    "taituriisikukood",
    "telefon",
    "userid",
    "uustaiturisikukood",
    "arveldusarve",
];

/// The beginning of `text`, masked and at most [`EXCERPT_BYTES`] long.
pub fn excerpt(text: &str) -> String {
    // Masking only ever needs the beginning: a few kB beyond the cut keep a name that straddles it whole.
    let text = masked(head(text, EXCERPT_BYTES * 4));
    head(&text, EXCERPT_BYTES).to_owned()
}

/// `text` with personal codes, account numbers, e-mail addresses and the text of personal elements replaced by stars.
pub fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut personal = false;
    while !rest.is_empty() {
        let (content, tag) = match rest.find('<') {
            Some(at) => (&rest[..at], &rest[at..]),
            None => (rest, ""),
        };
        if personal && !content.trim().is_empty() {
            out.push_str("***");
        } else {
            words(content, &mut out);
        }
        let end = tag.find('>').map_or(tag.len(), |at| at + 1);
        words(&tag[..end], &mut out);
        personal = is_personal(&tag[..end]);
        rest = &tag[end..];
    }
    out
}

fn is_personal(tag: &str) -> bool {
    let Some(name) = tag.strip_prefix('<') else {
        return false;
    };
    let name = name
        .split(|c: char| c.is_whitespace() || c == '>' || c == '/')
        .next()
        .unwrap_or("");
    let local = name
        .rsplit([':', '.'])
        .next()
        .unwrap_or(name)
        .to_lowercase();
    PERSONAL.contains(&local.as_str())
}

/// Copies free text, starring words that are a personal code, an account number or an e-mail address.
fn words(text: &str, out: &mut String) {
    let mut word = String::new();
    for c in text.chars() {
        // PostgreSQL refuses NUL in text, and control characters could forge log lines.
        let c = if c.is_control() && !matches!(c, '\n' | '\t') {
            ' '
        } else {
            c
        };
        if c.is_alphanumeric() || matches!(c, '@' | '.' | '_' | '-' | '+') {
            word.push(c);
        } else {
            flush(&mut word, out);
            out.push(c);
        }
    }
    flush(&mut word, out);
}

fn flush(word: &mut String, out: &mut String) {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let code = digits == 11 && letters <= 2;
    let account = digits == 18 && letters == 2;
    if code || account || word.contains('@') {
        out.push_str("***");
    } else {
        out.push_str(word);
    }
    word.clear();
}

/// The longest beginning of at most `bytes` bytes that ends between characters.
pub(crate) fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn personal_data_is_starred_and_the_rest_stays() {
        let text = "<a><p:Nimi>Mari Maasikas</p:Nimi><Kood/><Summa>12.50</Summa> EE60001019906 60001019906, \
                    mari@example.ee EE131000000000000013 018f3c1e-7c2a-7d10-9b1e-3f2a1c4d5e6f 101/2024/12</a>";
        let out = masked(text);
        for secret in ["Mari", "60001019906", "mari@", "EE13"] {
            assert!(!out.contains(secret), "{secret} in {out}");
        }
        for kept in [
            "<Summa>12.50</Summa>",
            "018f3c1e-7c2a-7d10-9b1e-3f2a1c4d5e6f",
            "101/2024/12",
            "<Kood/>",
        ] {
            assert!(out.contains(kept), "{kept} not in {out}");
        }
    }

    #[test]
    fn an_excerpt_is_short_whole_characters_without_control_ones() {
        let out = excerpt(&"õ\0\u{1b}".repeat(5000));
        assert!(out.len() <= EXCERPT_BYTES && out.len() > EXCERPT_BYTES - 4);
        assert!(!out.contains('\0') && !out.contains('\u{1b}'));
    }

    #[test]
    fn a_name_across_the_cut_is_masked() {
        let out = excerpt(&format!(
            "{}<Nimi>Mari Maasikas</Nimi>",
            "x".repeat(EXCERPT_BYTES - 8)
        ));
        assert!(!out.contains("Mar"), "{}", &out[EXCERPT_BYTES - 20..]);
    }
}
