//! Uploads: what is taken, what is refused, and that no file lies without its import.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::{Body, Bytes};
use axum::http::Request;
use futures::{StreamExt, stream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::site::{Answer, Site};

const LIMIT: usize = 104_857_600;
const BOUNDARY: &str = "piir";
const CSV: &[u8] = b"Toimiku number;Staatus\r\n101/2024/1;Menetluses\r\n";

enum Part<'a> {
    Text(&'a str, &'a str),
    File(&'a str, &'a [u8]),
}
use Part::{File, Text};

fn form(parts: &[Part]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in parts {
        out.extend_from_slice(format!("--{BOUNDARY}\r\n").as_bytes());
        let (head, content) = match part {
            Text(name, value) => (format!("name=\"{name}\""), value.as_bytes()),
            File(name, content) => (format!("name=\"file\"; filename=\"{name}\""), *content),
        };
        out.extend_from_slice(format!("content-disposition: form-data; {head}\r\n\r\n").as_bytes());
        out.extend_from_slice(content);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    out
}

async fn send(site: &Site, who: &str, body: Body, key: Option<&str>) -> Answer {
    let token = site.token(who).await;
    let mut request = Request::post("/api/import/taavi")
        .header("host", "127.0.0.1:8080")
        .header("authorization", format!("Bearer {token}"))
        .header(
            "content-type",
            format!("multipart/form-data; boundary={BOUNDARY}"),
        );
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    site.send(request.body(body).unwrap()).await
}

async fn upload(site: &Site, parts: &[Part<'_>]) -> Answer {
    send(site, "taitur/KT/101", Body::from(form(parts)), None).await
}

/// Files in the store, whole or half, and imports.
async fn kept(site: &Site) -> (usize, i64) {
    let mut folders = vec![site.files().to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                files += 1;
            }
        }
    }
    let rows = sqlx::query_scalar("select count(*) from imports")
        .fetch_one(&site.admin)
        .await
        .unwrap();
    (files, rows)
}

#[tokio::test]
async fn a_taken_file_has_its_import_and_its_job() {
    let site = Site::new().await;
    let taken = upload(
        &site,
        &[Text("type", "taavi"), File("../../kaust/toimikud.csv", CSV)],
    )
    .await;
    assert_eq!(taken.status, 202, "{}", taken.text);
    assert_eq!(taken.body["message"], "CSV fail on töösse võetud");
    assert_eq!(kept(&site).await, (1, 1));
    let queued: i64 = sqlx::query_scalar(
        "select count(*) from jobs j join imports i on i.job_id = j.id
         where j.queue = 'import' and j.kind = 'ImportCases' and j.state = 'queued' and j.tenant_id = i.tenant_id
           and i.file_name = 'toimikud.csv' and i.file_key ~ '^imports/[0-9]+/[0-9a-f-]{36}$' and i.file_bytes = $1",
    )
    .bind(CSV.len() as i64)
    .fetch_one(&site.admin)
    .await
    .unwrap();
    assert_eq!(queued, 1);
    let token = site.token("taitur/KT/101").await;
    let path = format!("/v2/imports/{}", taken.body["id"]);
    let seen = site.get(&path, &token).await;
    assert_eq!(seen.status, 200);
    for (field, value) in [
        ("@type", serde_json::json!("Import")),
        ("type", serde_json::json!("taavi")),
        ("status", serde_json::json!(1)),
        ("percent", serde_json::json!(0)),
        ("rows", serde_json::Value::Null),
        ("errors", serde_json::json!([])),
        ("warnings", serde_json::json!([])),
        ("errorCount", serde_json::json!(0)),
        ("startedAt", serde_json::Value::Null),
        ("fileName", serde_json::json!("toimikud.csv")),
    ] {
        assert_eq!(seen.body[field], value, "{field}");
    }
    let tag = seen.header("etag").unwrap().to_owned();
    let request = Request::get(format!("/api{path}"))
        .header("host", "127.0.0.1:8080")
        .header("authorization", format!("Bearer {token}"))
        .header("if-none-match", tag);
    assert_eq!(
        site.send(request.body(Body::empty()).unwrap()).await.status,
        304
    );
    let listed = site.get("/v2/imports", &token).await;
    assert_eq!(
        (&listed.body["totalItems"], &listed.body["member"][0]["id"]),
        (&serde_json::json!(1), &taken.body["id"])
    );
    let others = site.token("taitur2/KT/102").await;
    assert_eq!(site.get("/v2/imports", &others).await.body["totalItems"], 0);
    assert_eq!(site.get(&path, &others).await.status, 404);
}

#[tokio::test]
async fn what_is_refused_leaves_nothing() {
    let site = Site::new().await;
    for (name, parts, expected) in [
        ("no type", vec![File("a.csv", CSV)], "422 type"),
        (
            "another type",
            vec![Text("type", "delivery"), File("a.csv", CSV)],
            "422 type",
        ),
        (
            "a type after the file",
            vec![File("a.csv", CSV), Text("type", "x")],
            "422 type",
        ),
        (
            "a long type",
            vec![Text("type", &"x".repeat(5000)), File("a.csv", CSV)],
            "422 type",
        ),
        ("no file", vec![Text("type", "taavi")], "422 file"),
        (
            "an empty file",
            vec![Text("type", "taavi"), File("a.csv", b"")],
            "422 file",
        ),
        (
            "two files",
            vec![
                Text("type", "taavi"),
                File("a.csv", CSV),
                File("b.csv", CSV),
            ],
            "422 file",
        ),
        (
            "two types",
            vec![
                Text("type", "taavi"),
                Text("type", "taavi"),
                File("a.csv", CSV),
            ],
            "422 type",
        ),
        (
            "another field",
            vec![
                Text("type", "taavi"),
                Text("tenant_id", "2"),
                File("a.csv", CSV),
            ],
            "422 tenant_id",
        ),
        (
            "a workbook",
            vec![Text("type", "taavi"), File("a.csv", b"PK\x03\x04rest")],
            "422 file",
        ),
        (
            "a program",
            vec![Text("type", "taavi"), File("a.csv", b"MZ\x90\x00\x03\x00")],
            "422 file",
        ),
        (
            "a PDF",
            vec![Text("type", "taavi"), File("a.csv", b"%PDF-1.7")],
            "422 file",
        ),
        (
            "a page",
            vec![
                Text("type", "taavi"),
                File("a.csv", b"<!DOCTYPE html><html>"),
            ],
            "422 file",
        ),
    ] {
        let answer = upload(&site, &parts).await;
        assert_eq!(answer.sketch(), expected, "{name}: {}", answer.text);
        assert_eq!(kept(&site).await, (0, 0), "{name}");
    }
    let token = site.token("taitur/KT/101").await;
    assert_eq!(
        site.call("POST", "/import/taavi", &token, "{}")
            .await
            .status,
        415
    );
    for who in ["koda/koda/koda", "arendaja/dev/koda"] {
        let answer = send(
            &site,
            who,
            Body::from(form(&[Text("type", "taavi"), File("a.csv", CSV)])),
            None,
        )
        .await;
        assert_eq!(
            (answer.status.as_u16(), kept(&site).await),
            (403, (0, 0)),
            "{who}"
        );
    }
}

#[tokio::test]
async fn the_same_key_gives_the_same_import() {
    let site = Site::new().await;
    let body = || Body::from(form(&[Text("type", "taavi"), File("a.csv", CSV)]));
    let first = send(&site, "taitur/KT/101", body(), Some("k1")).await;
    let second = send(&site, "taitur/KT/101", body(), Some("k1")).await;
    assert_eq!((second.status.as_u16(), &second.body), (202, &first.body));
    assert_eq!(kept(&site).await, (1, 1));
    let other = Body::from(form(&[
        Text("type", "taavi"),
        File("a.csv", b"muu;fail\r\n"),
    ]));
    assert_eq!(
        send(&site, "taitur/KT/101", other, Some("k1"))
            .await
            .sketch(),
        "422 Idempotency-Key"
    );
    assert_eq!(kept(&site).await, (1, 1));
    assert_eq!(
        send(&site, "taitur/KT/101", body(), Some("k2"))
            .await
            .status,
        202
    );
    assert_eq!(kept(&site).await, (2, 2));
}

/// The form around a file of that many bytes, made as it is sent.
fn large(bytes: usize) -> Body {
    let whole = form(&[Text("type", "taavi"), File("suur.csv", b"@")]);
    let at = whole.iter().position(|byte| *byte == b'@').unwrap();
    let (head, tail) = (whole[..at].to_vec(), whole[at + 1..].to_vec());
    let piece = Bytes::from("101/2024/1;Menetluses;x\n".repeat(2048));
    let pieces = (0..bytes.div_ceil(piece.len()))
        .map(move |n| piece.slice(..piece.len().min(bytes - n * piece.len())));
    let all = stream::iter([Bytes::from(head)])
        .chain(stream::iter(pieces))
        .chain(stream::iter([Bytes::from(tail)]));
    Body::from_stream(all.map(Ok::<_, std::io::Error>))
}

fn resident_kb() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_hundred_megabytes_and_not_one_byte_more() {
    let site = Site::new().await;
    upload(&site, &[Text("type", "taavi"), File("a.csv", CSV)]).await;
    let before = resident_kb();
    assert_eq!(
        send(&site, "taitur/KT/101", large(LIMIT + 1), None)
            .await
            .status,
        413
    );
    assert_eq!(kept(&site).await, (1, 1));
    assert_eq!(
        send(&site, "taitur/KT/101", large(LIMIT), None)
            .await
            .status,
        202
    );
    let grown = resident_kb() - before;
    assert!(grown < 50_000, "{grown} kB");
    assert_eq!(kept(&site).await, (2, 2));
    let bytes: i64 = sqlx::query_scalar("select max(file_bytes) from imports")
        .fetch_one(&site.admin)
        .await
        .unwrap();
    assert_eq!(bytes, LIMIT as i64);
}

/// What the parser would keep whole in memory is refused while it comes.
#[tokio::test]
async fn a_form_that_never_gets_to_its_file_is_cut_off() {
    let site = Site::new().await;
    for (what, head) in [
        ("a preamble", "".to_owned()),
        (
            "a name",
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\""),
        ),
        (
            "a header",
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"\r\nX-Long: "),
        ),
    ] {
        let taken = Arc::new(AtomicUsize::new(0));
        let counting = taken.clone();
        let piece = Bytes::from("x".repeat(4096));
        let endless = stream::repeat(piece).map(move |piece| {
            counting.fetch_add(piece.len(), Ordering::Relaxed);
            piece
        });
        let body = stream::iter([Bytes::from(head)]).chain(endless.take(1024));
        let body = Body::from_stream(body.map(Ok::<_, std::io::Error>));
        let answer = send(&site, "taitur/KT/101", body, None).await;
        assert_eq!(answer.status.as_u16(), 413, "{what}: {}", answer.text);
        let taken = taken.load(Ordering::Relaxed);
        assert!(taken < 64 * 1024, "{what}: {taken} bytes were taken");
        assert_eq!(kept(&site).await, (0, 0), "{what}");
    }
}

#[tokio::test]
async fn uploads_that_stop_half_way() {
    let site = Site::with(&[("UPLOAD_TIMEOUT_S", "1")]).await;
    let whole = form(&[Text("type", "taavi"), File("a.csv", CSV)]);
    let half = Bytes::from(whole[..whole.len() - 40].to_vec());
    let silent = stream::iter([Ok::<_, std::io::Error>(half.clone())]).chain(stream::pending());
    assert_eq!(
        send(&site, "taitur/KT/101", Body::from_stream(silent), None)
            .await
            .status,
        408
    );
    let torn = stream::iter([Ok(half.clone()), Err(std::io::Error::other("gone"))]);
    assert_eq!(
        send(&site, "taitur/KT/101", Body::from_stream(torn), None)
            .await
            .status,
        400
    );
    assert_eq!(
        send(&site, "taitur/KT/101", Body::from(half.clone()), None)
            .await
            .status,
        400
    );
    assert_eq!(
        send(&site, "taitur/KT/101", Body::empty(), None)
            .await
            .status,
        400
    );
    assert_eq!(kept(&site).await, (0, 0));

    // A length that lies, on a real connection.
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let run = api::serve::run(
        listener,
        site.router.clone(),
        crate::site::times(),
        std::future::pending(),
    );
    let server = tokio::spawn(run);
    let token = site.token("taitur/KT/101").await;
    for (length, expected) in [(whole.len() - 40, "400"), (whole.len() + 1000, "400")] {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /api/import/taavi HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
             content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // All but the closing mark, so that what was promised never comes.
        stream.write_all(&whole[..whole.len() - 12]).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!(answer.get(9..12), Some(expected), "{length}: {answer}");
    }
    assert_eq!(kept(&site).await, (0, 0));
    server.abort();
}
