//! Turns the bytes of an answer into text: a byte order mark decides, then the header's charset, then the XML declaration, then UTF-8.

use encoding_rs::{Encoding, UTF_8};

/// The decoded text without its byte order mark, or why it can't be read.
pub(crate) fn decode(bytes: &[u8], content_type: Option<&str>) -> Result<String, String> {
    let (encoding, body) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => {
            let label = content_type
                .and_then(charset_of)
                .or_else(|| declared(bytes));
            let encoding = match label {
                None => UTF_8,
                Some(label) => Encoding::for_label_no_replacement(label.as_bytes())
                    .ok_or_else(|| format!("unknown charset {}", crate::excerpt(&label)))?,
            };
            (encoding, bytes)
        }
    };
    encoding
        .decode_without_bom_handling_and_without_replacement(body)
        .map(|text| text.into_owned())
        .ok_or_else(|| format!("bytes that are not {}", encoding.name()))
}

/// The readable beginning of a body that may be anything.
pub(crate) fn lossy_head(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(crate::EXCERPT_BYTES * 4)];
    crate::excerpt(&String::from_utf8_lossy(head))
}

/// The value of a parameter of a header such as `text/xml; charset="utf-8"`.
pub(crate) fn parameter(header: &str, name: &str) -> Option<String> {
    header.split(';').skip(1).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim()
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    })
}

fn charset_of(content_type: &str) -> Option<String> {
    parameter(content_type, "charset").filter(|label| !label.is_empty())
}

/// The encoding named by an XML declaration in an ASCII-compatible beginning.
fn declared(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
    let declaration = head
        .trim_start()
        .strip_prefix("<?xml")?
        .split("?>")
        .next()?
        .to_owned();
    let value = declaration
        .split("encoding")
        .nth(1)?
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_decides_before_header_and_declaration() {
        assert_eq!(
            decode(
                b"\xef\xbb\xbf<a>\xc3\xb5</a>",
                Some("text/xml; charset=windows-1257")
            )
            .unwrap(),
            "<a>õ</a>"
        );
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("<a>š</a>".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(
            decode(&utf16, Some("text/xml; charset=utf-8")).unwrap(),
            "<a>š</a>"
        );
    }

    #[test]
    fn header_then_declaration_then_utf8() {
        assert_eq!(
            decode(
                b"<a>\xf0\xfe</a>",
                Some("text/xml; charset=\"Windows-1257\"")
            )
            .unwrap(),
            "<a>šž</a>"
        );
        let declared = b"<?xml version='1.0' encoding = 'ISO-8859-15'?><a>\xa8</a>";
        assert!(
            decode(declared, Some("text/xml"))
                .unwrap()
                .ends_with("<a>š</a>")
        );
        assert_eq!(decode("<a>õ</a>".as_bytes(), None).unwrap(), "<a>õ</a>");
    }

    #[test]
    fn wrong_bytes_and_unknown_names_are_errors() {
        assert!(
            decode(b"<a>\xf5</a>", Some("text/xml; charset=utf-8"))
                .unwrap_err()
                .contains("UTF-8")
        );
        assert!(
            decode(b"<a/>", Some("text/xml; charset=klingon"))
                .unwrap_err()
                .contains("klingon")
        );
        assert!(decode(b"<a/>", Some("text/xml; charset=utf-7")).is_err());
    }
}
