//! Answers with attachments: the SOAP document is the first part of a `multipart/related` body.

use super::transport::Received;
use crate::charset::parameter;
use crate::error::Failure;

/// The bytes and content type of the SOAP document.
pub(super) fn soap_part(received: &Received) -> Result<(&[u8], Option<String>), Failure> {
    let Some(header) = received
        .content_type
        .as_deref()
        .filter(|header| is_multipart(header))
    else {
        return Ok((&received.body, received.content_type.clone()));
    };
    part(&received.body, header).ok_or_else(|| Failure::Unusable {
        why: "a multipart answer without a whole first part".into(),
    })
}

fn is_multipart(header: &str) -> bool {
    header
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .eq_ignore_ascii_case("multipart/related")
}

fn part<'a>(body: &'a [u8], header: &str) -> Option<(&'a [u8], Option<String>)> {
    let delimiter = format!(
        "--{}",
        parameter(header, "boundary").filter(|text| !text.is_empty())?
    );
    let start = find(body, delimiter.as_bytes())? + delimiter.len();
    let rest = &body[start..];
    let head_end = find(rest, b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&rest[..head_end]);
    let content_type = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim()
            .eq_ignore_ascii_case("content-type")
            .then(|| value.trim().to_owned())
    });
    let content = &rest[head_end + 4..];
    let end = find(content, format!("\r\n{delimiter}").as_bytes())?;
    Some((&content[..end], content_type))
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}
