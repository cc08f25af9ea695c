//! The characters of a file: a byte order mark decides, then strict UTF-8, then windows-1257. Works on pieces of any size.
use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1257};

/// How many first bytes [`by_mark`] and [`not_text`] want to see.
pub const HEAD_BYTES: usize = 512;

/// The encoding that a byte order mark names.
pub fn by_mark(head: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(head).map(|(encoding, _)| encoding)
}

/// Why these first bytes are no CSV file, in words for the user; `None`: they may be one.
pub fn not_text(head: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 12] = [
        (
            b"PK\x03\x04",
            "Fail on tabelarvutuse töövihik või pakitud fail. Salvestage see CSV-failina.",
        ),
        (
            b"\xd0\xcf\x11\xe0",
            "Fail on vana tabelarvutuse töövihik. Salvestage see CSV-failina.",
        ),
        (b"%PDF", "Fail on PDF, mitte CSV."),
        (b"MZ", "Fail on programm, mitte CSV."),
        (b"\x7fELF", "Fail on programm, mitte CSV."),
        (b"\x89PNG", "Fail on pilt, mitte CSV."),
        (b"\xff\xd8\xff", "Fail on pilt, mitte CSV."),
        (b"GIF8", "Fail on pilt, mitte CSV."),
        (b"\x1f\x8b", "Fail on pakitud, mitte CSV."),
        (b"Rar!", "Fail on pakitud, mitte CSV."),
        (b"7z\xbc\xaf", "Fail on pakitud, mitte CSV."),
        (b"{\\rtf", "Fail on tekstidokument, mitte CSV."),
    ];
    // `MZ` may begin an honest header; a program also holds zero bytes.
    let has_zero = by_mark(head).is_none_or(|e| e == UTF_8) && head.contains(&0);
    if let Some((_, why)) = KNOWN
        .iter()
        .find(|(magic, _)| head.starts_with(magic) && (*magic != b"MZ" || has_zero))
    {
        return Some(why);
    }
    if has_zero {
        return Some("Failis on nullbaite: see ei ole CSV või puudub UTF-16 tähis (BOM).");
    }
    let start = head.trim_ascii_start();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let markup = [&b"<!doctype"[..], b"<html", b"<?xml", b"<svg", b"<script"];
    let is_markup = markup
        .iter()
        .any(|tag| start.len() >= tag.len() && start[..tag.len()].eq_ignore_ascii_case(tag));
    is_markup.then_some("Fail on veebileht või XML, mitte CSV.")
}

/// Tells over the whole file whether it is strict UTF-8.
#[derive(Default)]
pub struct Utf8Check {
    carried: Vec<u8>,
    broken: bool,
}

impl Utf8Check {
    /// False as soon as it cannot be UTF-8.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        if self.broken {
            return false;
        }
        let mut rest = bytes;
        while !self.carried.is_empty() && !rest.is_empty() {
            self.carried.push(rest[0]);
            rest = &rest[1..];
            match std::str::from_utf8(&self.carried) {
                Ok(_) => self.carried.clear(),
                Err(e) if e.error_len().is_none() => {}
                Err(_) => self.broken = true,
            }
            if self.broken {
                return false;
            }
        }
        if let Err(e) = std::str::from_utf8(rest) {
            self.broken = e.error_len().is_some();
            self.carried.extend_from_slice(&rest[e.valid_up_to()..]);
        }
        !self.broken
    }

    /// The encoding of a file without a mark.
    pub fn finish(self) -> &'static Encoding {
        if self.broken || !self.carried.is_empty() {
            WINDOWS_1257
        } else {
            UTF_8
        }
    }
}

/// The bytes do not belong to the encoding.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

/// Turns pieces of the file into text; drops the mark.
pub struct Text {
    decoder: Decoder,
    out: String,
}

impl Text {
    pub fn new(encoding: &'static Encoding) -> Self {
        Self {
            decoder: encoding.new_decoder_with_bom_removal(),
            out: String::new(),
        }
    }

    /// The text of this piece up to the first bytes that do not belong; `last` also flushes, and half a character at the
    /// end does not belong.
    pub fn decode(&mut self, bytes: &[u8], last: bool) -> (&str, Result<(), Malformed>) {
        self.out.clear();
        let room = self
            .decoder
            .max_utf8_buffer_length_without_replacement(bytes.len());
        self.out.reserve(room.unwrap_or(0));
        match self
            .decoder
            .decode_to_string_without_replacement(bytes, &mut self.out, last)
        {
            (DecoderResult::InputEmpty, _) => (&self.out, Ok(())),
            _ => (&self.out, Err(Malformed)),
        }
    }
}

/// What the user calls it.
pub fn name(encoding: &'static Encoding) -> &'static str {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        "UTF-16"
    } else if encoding == WINDOWS_1257 {
        "windows-1257"
    } else {
        "UTF-8"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(bytes: &[u8], piece: usize) -> &'static Encoding {
        let mut check = Utf8Check::default();
        by_mark(bytes).unwrap_or_else(|| {
            bytes.chunks(piece).for_each(|part| {
                check.push(part);
            });
            check.finish()
        })
    }

    #[test]
    fn finds_the_encoding_whatever_the_pieces() {
        let text = "Võlgniku nimi;Šimon Öpik €";
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        let utf16be: Vec<u8> = [0xfe, 0xff]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_be_bytes))
            .collect();
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        let baltic = WINDOWS_1257.encode(text).0.into_owned();
        for bytes in [utf16, utf16be, marked, baltic, text.as_bytes().to_vec()] {
            for piece in [1, 2, 3, 7, 1000] {
                let mut decoder = Text::new(detect(&bytes, piece));
                let mut whole = String::new();
                for part in bytes.chunks(piece) {
                    let (text, outcome) = decoder.decode(part, false);
                    outcome.unwrap();
                    whole.push_str(text);
                }
                whole.push_str(decoder.decode(b"", true).0);
                assert_eq!(whole, text);
            }
        }
    }

    #[test]
    fn refuses_bytes_outside_the_encoding() {
        for (encoding, bytes, before) in [
            (UTF_8, &b"\xef\xbb\xbfab\xff"[..], "ab"),
            (UTF_16LE, b"a\0b", "a"),
            (WINDOWS_1257, b"ab\xa1", "ab"),
        ] {
            assert_eq!(
                Text::new(encoding).decode(bytes, true),
                (before, Err(Malformed))
            );
        }
    }

    #[test]
    fn knows_what_is_no_csv() {
        for head in [
            &b"PK\x03\x04\x14"[..],
            b"%PDF-1.7",
            b"MZ\x90\0\x03",
            b"\x7fELF",
            b"\x89PNG\r\n",
            b"<!DOCTYPE html>",
            b"\xef\xbb\xbf<html>",
            b"a;b\0c",
        ] {
            assert!(not_text(head).is_some(), "{head:?}");
        }
        for head in [
            &b"Toimiku number;Staatus"[..],
            b"MZ number;x",
            b"\xff\xfeT\0o\0",
            b"\xef\xbb\xbftoimik_nr",
            b"",
        ] {
            assert!(not_text(head).is_none(), "{head:?}");
        }
    }
}
