//! Counts the attributes of tags before the document is read: the reader takes in a whole tag before it shows one of them.

/// Whether no tag has more than `most` quoted values; looks no further than the first that has.
pub fn within(text: &str, most: usize) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let length = if rest.starts_with("<!--") {
            after(rest, "-->")
        } else if rest.starts_with("<![CDATA[") {
            after(rest, "]]>")
        } else if rest.starts_with("<?") {
            after(rest, "?>")
        } else if rest.starts_with("<!") {
            // A DOCTYPE: the reader goes no further either.
            return true;
        } else {
            match tag(rest.as_bytes(), most) {
                Some(length) => length,
                None => return false,
            }
        };
        rest = &rest[length..];
    }
    true
}

fn after(text: &str, end: &str) -> usize {
    text.find(end).map_or(text.len(), |at| at + end.len())
}

/// The length of the tag at the beginning; none when it has too many values.
fn tag(bytes: &[u8], most: usize) -> Option<usize> {
    let (mut quote, mut values) = (None, 0);
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => {
                values += 1;
                if values > most {
                    return None;
                }
                quote = Some(*byte);
            }
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    Some(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn counts_values_where_they_are_attributes() {
        for (text, expected) in [
            ("", true),
            ("no tag", true),
            ("<a b='1' c=\"2\"/>", true),
            ("<a b='1' c='2' d='3'/>", false),
            ("<a b='>' c='<x d=\"\"'/><e f='' g=''>", true),
            ("<a b='\"\"\"\"' c=''/>", true),
            ("<!-- <a b='' c='' d=''> --><a/>", true),
            ("<a><![CDATA[<a b='' c='' d=''>]]></a>", true),
            ("<?xml a='' b='' c=''?><a/>", true),
            ("<a>'''''</a>", true),
            ("<!DOCTYPE a '' '' ''><a/>", true),
            ("<õ ä='ü' ö='' ž=''", false),
            ("<!-- never ends <a b='' c='' d=''>", true),
        ] {
            assert_eq!(within(text, 2), expected, "{text}");
        }
    }
}
