//! User names: look-alike spellings (wide forms, letter case, composed or not) are one user.
use unicode_normalization::UnicodeNormalization;

/// The key under which a user name is unique and found: NFKC, case folded.
pub fn username_key(name: &str) -> String {
    // Lower after upper folds what one step leaves apart (ß and ss, final sigma), twice NFKC makes it stable.
    let folded: String = name
        .trim()
        .nfkc()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect();
    folded.nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_look_alikes() {
        for (a, b) in [
            ("Taitur", "tAITUR"),
            ("ｔａｉｔｕｒ", "taitur"),
            ("STRASSE", "straße"),
            ("ko\u{0308}da", "KÖDA"),
            ("ΣΑΣ", "σας"),
        ] {
            assert_eq!(username_key(a), username_key(b), "{a} {b}");
        }
        assert_ne!(username_key("taitur"), username_key("taitur2"));
    }
}
