//! Tests of reading answers: the samples, every shape of fault and its class, the echo, charsets and parts.

use super::*;
use crate::error::{Kind, classify};
use crate::operations::{Class, TARN_STATE, TARN_SYNC};

macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../../samples/", $name))
    };
}

const ID: &str = "0192f0c4-7a10-7c3e-8d52-1f0a6b7c8d90";

fn received(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Received {
    Received {
        status,
        content_type: Some(content_type.into()),
        body: body.into(),
    }
}

fn read_as(
    operation: &'static Operation,
    received: &Received,
) -> (Result<Element, Failure>, Exchange) {
    let expected = Expected {
        message_id: Uuid::parse_str(ID).unwrap(),
        operation,
    };
    let mut exchange = Exchange::default();
    (
        read(received, &expected, &Limits::default(), &mut exchange),
        exchange,
    )
}

fn sync(status: u16, body: &str) -> Result<Element, Failure> {
    read_as(
        &TARN_SYNC,
        &received(status, "text/xml; charset=utf-8", body),
    )
    .0
}

fn why(result: Result<Element, Failure>) -> String {
    match result {
        Err(Failure::Unusable { why }) => why,
        other => panic!("{other:?}"),
    }
}

fn kind(class: Class, code: &str, text: &str) -> Kind {
    classify(
        class,
        Failure::Technical {
            code: code.into(),
            text: text.into(),
        },
    )
}

#[test]
fn good_answers_are_read_even_when_empty() {
    assert!(sync(200, sample!("sync-answer.xml")).is_ok());
    assert!(sync(200, sample!("sync-answer-empty.xml")).is_ok());
    let (state, exchange) = read_as(
        &TARN_STATE,
        &received(200, "text/xml", sample!("state-answer.xml")),
    );
    assert_eq!(
        state.unwrap().child("response").unwrap().value("Olek"),
        Some("0")
    );
    assert!(
        exchange.response.len() <= crate::EXCERPT_BYTES
            && !exchange.response.contains("60001019906")
    );
}

#[test]
fn refusals_of_the_register_are_read_in_each_shape() {
    for (body, code) in [
        (sample!("sync-refused-fault.xml"), "vale_olek"),
        (sample!("sync-refused-flat.xml"), "vale_olek"),
        (sample!("sync-refused-veakood.xml"), "12"),
    ] {
        let expected = Failure::Business {
            code: code.into(),
            text: "Täitemenetlus on lõpetatud".into(),
        };
        assert_eq!(sync(200, body), Err(expected));
    }
    let fine = sample!("sync-refused-veakood.xml").replace(">12<", ">0<");
    assert!(sync(200, &fine).is_ok());
    let wrapped = sample!("sync-refused-fault.xml")
        .replace("<response>", "")
        .replace("</response>", "");
    assert!(matches!(sync(200, &wrapped), Err(Failure::Business { .. })));
}

#[test]
fn long_words_of_a_register_are_cut() {
    let long = sample!("sync-refused-flat.xml").replace("Täitemenetlus", &"õ".repeat(100_000));
    let Err(Failure::Business { text, .. }) = sync(200, &long) else {
        panic!()
    };
    assert!(text.len() <= crate::EXCERPT_BYTES && text.starts_with("õõ"));
}

#[test]
fn soap_faults_are_read_whatever_the_status() {
    for status in [500, 200] {
        let Err(Failure::Technical { code, text }) =
            sync(status, sample!("fault-server-proxy.xml"))
        else {
            panic!()
        };
        assert_eq!(code, "Server.ServerProxy.ServiceFailed.MissingBody");
        assert_eq!(text, "Malformed SOAP message: body missing");
    }
}

#[test]
fn fault_codes_decide_in_either_spelling() {
    for code in [
        "Server.ServerProxy.AccessDenied",
        "server.serverproxy.access_denied",
        "server.clientproxy.unknown_member",
        "Client.MissingHeaderField",
        "SOAP-ENV:Client",
    ] {
        assert!(
            matches!(kind(Class::Once, code, ""), Kind::Permanent { .. }),
            "{code}"
        );
    }
    for (code, text) in [
        (
            "Server.ClientProxy.NetworkError",
            "Could not connect to any target host",
        ),
        ("server.clientproxy.ssl_authentication_failed", ""),
        ("server.clientproxy.network_error", "connect timed out"),
        ("Server.ClientProxy.OutdatedGlobalConf", ""),
    ] {
        assert!(
            matches!(kind(Class::Once, code, text), Kind::NotSent { .. }),
            "{code}"
        );
    }
    for (code, text) in [
        ("Server.ServerProxy.ServiceFailed.HttpError", ""),
        ("server.serverproxy.service_disabled", ""),
        ("server.serverproxy.maintenance_mode", ""),
        ("server.serverproxy.network_error", "Could not connect"),
        ("Server.ClientProxy.ServiceFailed.InvalidSoap", ""),
        ("server.clientproxy.network_error", "Read timed out"),
        ("server.clientproxy.inconsistent_response", ""),
        ("Signer.InternalError", ""),
        ("soap:Server", "java.lang.NullPointerException"),
        ("Server.UnknownError", ""),
        ("Server.ServerProxy.ServiceFailed.UnknownError", ""),
        ("", ""),
    ] {
        assert!(
            matches!(kind(Class::State, code, text), Kind::Unknown { .. }),
            "{code}"
        );
        assert!(
            matches!(kind(Class::Read, code, text), Kind::Transient { .. }),
            "{code}"
        );
    }
}

#[test]
fn an_answer_to_another_message_is_unusable() {
    let good = sample!("sync-answer.xml");
    assert!(
        why(sync(
            200,
            &good.replace(ID, "0192f0c4-7a10-7c3e-8d52-000000000000")
        ))
        .contains("another message id")
    );
    assert!(
        why(sync(
            200,
            &good.replace(&format!("<xrd:id>{ID}</xrd:id>"), "")
        ))
        .contains("no message id")
    );
    assert!(
        why(sync(
            200,
            &good.replace(
                "id:serviceCode>TaitemenetluseMuutmineTa",
                "id:serviceCode>RR456"
            )
        ))
        .contains("another service")
    );
    assert!(why(sync(200, sample!("state-answer.xml"))).contains("another service"));
    // The refusal of another message says nothing about ours.
    assert!(
        why(sync(
            200,
            &sample!("sync-already.xml").replace(ID, "0192f0c4-7a10-7c3e-8d52-000000000000")
        ))
        .contains("another message id")
    );
}

#[test]
fn what_is_no_soap_is_unusable_with_a_short_excerpt() {
    let page = format!("<html><body>{}</body></html>", "viga ".repeat(2000));
    for (status, body) in [
        (200, page.as_str()),
        (500, page.as_str()),
        (200, ""),
        (502, "Bad Gateway"),
        (200, "{\"a\":1}"),
        (404, "<a/>"),
    ] {
        let (result, exchange) = read_as(&TARN_SYNC, &received(status, "text/html", body));
        assert!(why(result).contains(&status.to_string()));
        assert!(exchange.response.len() <= crate::EXCERPT_BYTES);
    }
    assert!(why(sync(500, sample!("sync-answer.xml"))).contains("no fault"));
    let doctype = sample!("sync-answer.xml").replace(
        "?>\n",
        "?>\n<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
    );
    assert!(why(sync(200, &doctype)).contains("DOCTYPE"));
    let half = &sample!("sync-answer.xml")[..700];
    assert!(why(sync(200, half)).contains("not well-formed"));
    let twice = format!("{0}{0}", sample!("sync-answer.xml"));
    assert!(why(sync(200, &twice)).contains("not well-formed"));
}

#[test]
fn charsets_are_honoured_and_lies_are_found() {
    let refused = sample!("sync-refused-fault.xml");
    let with_mark = format!("\u{feff}{refused}");
    let latin: Vec<u8> = refused
        .replace("UTF-8", "windows-1257")
        .chars()
        .map(|c| u8::try_from(c).unwrap())
        .collect();
    for answer in [
        received(200, "text/xml", with_mark),
        received(200, "text/xml", latin.clone()),
        received(200, "text/xml; charset=windows-1257", latin.clone()),
    ] {
        let Err(Failure::Business { text, .. }) = read_as(&TARN_SYNC, &answer).0 else {
            panic!()
        };
        assert_eq!(text, "Täitemenetlus on lõpetatud");
    }
    assert!(
        why(read_as(&TARN_SYNC, &received(200, "text/xml; charset=utf-8", latin)).0)
            .contains("UTF-8")
    );
}

#[test]
fn the_first_part_of_a_multipart_answer_is_the_soap_document() {
    let body = format!(
        "preamble\r\n--edge\r\nContent-Type: text/xml; charset=utf-8\r\nContent-ID: <a>\r\n\r\n{}\r\n--edge\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n--edge--",
        sample!("sync-answer.xml")
    );
    let header = "multipart/related; type=\"text/xml\"; boundary=\"edge\"";
    assert!(
        read_as(&TARN_SYNC, &received(200, header, body.clone()))
            .0
            .is_ok()
    );
    assert!(
        why(read_as(&TARN_SYNC, &received(200, header, &body[..body.len() / 2])).0)
            .contains("multipart")
    );
    assert!(
        why(read_as(&TARN_SYNC, &received(200, "multipart/related", body)).0).contains("multipart")
    );
}
