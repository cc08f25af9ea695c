//! Puts an answer on the wire, spoilt as the script says.

use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures::stream;
use uuid::Uuid;

use crate::answer::{self, Answer, Said};
use crate::script::Act;
use crate::tarn::Served;
use crate::world::World;

const XML: &str = "text/xml; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const PAGE_500: &str = "<!DOCTYPE html><html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>";
const PAGE_200: &str = "<!DOCTYPE html><html><head><title>Hooldus</title></head><body><h1>Süsteem on hoolduses</h1></body></html>";

/// The response to a served request; may hold it back for long.
pub async fn respond(world: &World, served: Served) -> Response {
    let act = served.act.clone();
    match act {
        Some(Act::Http500) => plain(500, HTML, PAGE_500.into()),
        Some(Act::Html200) => plain(200, HTML, PAGE_200.into()),
        Some(Act::Garbage) => plain(200, XML, garbage(served.message.message_id)),
        Some(Act::HalfBody) => half(&written(&served)),
        Some(Act::Huge { bytes }) => huge(bytes),
        Some(Act::WrongCharset) => {
            let answer = written(&served);
            // Estonian letters have one byte in Latin-1, which is never valid UTF-8 by itself.
            let bytes: Vec<u8> = answer
                .text
                .chars()
                .map(|c| u8::try_from(c).unwrap_or(b'?'))
                .collect();
            plain(answer.status, XML, bytes.into())
        }
        Some(Act::DoubleAnswer) => {
            let answer = written(&served);
            plain(answer.status, XML, format!("{0}{0}", answer.text).into())
        }
        Some(Act::WrongEcho) => write(&served, Uuid::nil(), None),
        Some(Act::WrongNumber) => write(&served, served.message.message_id, Some("999/1999/9")),
        Some(Act::TimeoutAfterAccept) => {
            held_time(world).await;
            whole(written(&served))
        }
        Some(Act::KillHook { url }) => {
            hold(world, &served, url.as_deref()).await;
            whole(written(&served))
        }
        _ => whole(written(&served)),
    }
}

/// A fault for a request that could not be read.
pub fn refuse(fault: &crate::message::Fault) -> Response {
    whole(answer::fault(fault))
}

fn written(served: &Served) -> Answer {
    match &served.said {
        Ok(said) => answer::good(&served.message, said, served.message.message_id),
        Err(fault) => answer::fault(fault),
    }
}

fn write(served: &Served, message_id: Uuid, number: Option<&str>) -> Response {
    whole(match &served.said {
        Ok(said) => {
            let said = Said {
                number: number.unwrap_or(&said.number).into(),
                response: said.response.clone(),
            };
            answer::good(&served.message, &said, message_id)
        }
        Err(fault) => answer::fault(fault),
    })
}

fn whole(answer: Answer) -> Response {
    plain(answer.status, XML, answer.text.into())
}

fn plain(status: u16, content_type: &str, body: Bytes) -> Response {
    build(status, content_type, Body::from(body))
}

fn build(status: u16, content_type: &str, body: Body) -> Response {
    let response = Response::builder()
        .status(status)
        .header("content-type", content_type)
        .body(body);
    // Status and header are constants of this file or came from it.
    response.expect("a valid status and content type")
}

/// Four hundred bytes that repeat for the same message.
fn garbage(message_id: Uuid) -> Bytes {
    let seed = message_id.as_bytes();
    (0..400_usize)
        .map(|i| {
            seed[i % 16]
                .wrapping_mul(31)
                .wrapping_add((i * 7 % 251) as u8)
        })
        .collect::<Vec<u8>>()
        .into()
}

fn half(answer: &Answer) -> Response {
    let text = &answer.text.as_bytes()[..answer.text.len() / 2];
    let pieces = [
        Ok(Bytes::copy_from_slice(text)),
        Err(std::io::Error::other("broken off by the script")),
    ];
    build(answer.status, XML, Body::from_stream(stream::iter(pieces)))
}

/// Streams blanks inside an envelope, one piece of memory over and over.
fn huge(bytes: u64) -> Response {
    const PIECE: usize = 64 * 1024;
    let beginning = format!(
        "<SOAP-ENV:Envelope xmlns:SOAP-ENV=\"{}\"><SOAP-ENV:Body>",
        registers::xml::SOAP
    );
    let piece = Bytes::from(vec![b' '; PIECE]);
    let count = usize::try_from(bytes).unwrap_or(usize::MAX) / PIECE;
    let pieces = std::iter::once(Bytes::from(beginning)).chain(std::iter::repeat_n(piece, count));
    build(
        200,
        XML,
        Body::from_stream(stream::iter(pieces.map(Ok::<_, std::io::Error>))),
    )
}

async fn held_time(world: &World) {
    let hold_ms = world.lock().settings.hold_ms;
    tokio::time::sleep(Duration::from_millis(hold_ms)).await;
}

/// Holds the answer until it is released, its time is over, or the caller is gone and drops this future.
async fn hold(world: &World, served: &Served, url: Option<&str>) {
    let number = served
        .message
        .request
        .value("TaitemenetluseNr")
        .unwrap_or_default();
    let place = world
        .holds
        .enter(served.message.message_id, &served.message.operation, number);
    if let Some(url) = url {
        let body = serde_json::json!({"id": place.id(), "message_id": served.message.message_id, "number": number});
        let call = world
            .http
            .post(url)
            .header("content-type", "application/json")
            .body(body.to_string());
        if let Err(error) = call.send().await {
            tracing::warn!(%error, "the hook could not be called");
        }
    }
    tokio::select! {
        () = place.released() => {}
        () = held_time(world) => {}
    }
}
