//! A letter as it goes over the wire: headers, and text and HTML side by side.
use std::time::SystemTime;

use domain::jobs::Failure;
use domain::mail::Letter;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};

use super::sheet::Rendered;
use super::words::one_line;

/// Composes it; the date is that of its making, so that it is the same mail however often it is sent.
pub fn compose(
    letter: &Letter,
    address: &str,
    from: &Mailbox,
    rendered: &Rendered,
) -> Result<Message, Failure> {
    let broken = |code: &str, message: &str| Failure::Permanent {
        code: code.into(),
        message: message.into(),
    };
    let address: Address = address
        .trim()
        .parse()
        .map_err(|_| broken("mail_address", "Saaja e-posti aadress ei ole korrektne."))?;
    let name = one_line(&letter.to.name, 100);
    let mut message = Message::builder()
        .message_id(Some(format!("<{}>", letter.message_id)))
        .date(SystemTime::from(letter.created_at))
        .from(from.clone())
        .to(Mailbox::new(Some(name), address))
        .subject(rendered.subject.as_str())
        .multipart(MultiPart::alternative_plain_html(
            rendered.text.clone(),
            rendered.html.clone(),
        ))
        .map_err(|_| broken("mail_message", "Kirja ei õnnestunud koostada."))?;
    for (name, value) in [
        // RFC 3834: no out-of-office answers to it.
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("Content-Language", letter.to.language.as_str()),
    ] {
        let name = HeaderName::new_from_ascii(name.to_owned())
            .map_err(|_| broken("mail_message", "Kirja ei õnnestunud koostada."))?;
        message
            .headers_mut()
            .insert_raw(HeaderValue::new(name, value.to_owned()));
    }
    Ok(message)
}
