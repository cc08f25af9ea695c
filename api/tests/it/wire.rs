//! Bytes on a real connection: slow, smuggled and endless requests; a client that leaves; a stop.
use std::time::Duration;

use api::serve::Times;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::site::Site;

struct Served {
    site: Site,
    address: std::net::SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

/// A site that listens, with a receive time-out of one second.
async fn served() -> Served {
    served_by(crate::site::times()).await
}

async fn served_by(times: Times) -> Served {
    let site = Site::with(&[("RECEIVE_TIMEOUT_S", "1")]).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let run = api::serve::run(listener, site.router.clone(), times, async {
        let _ = stopped.await;
    });
    Served {
        site,
        address,
        stop: Some(stop),
        task: tokio::spawn(run),
    }
}

impl Served {
    /// Sends the bytes and reads until the server closes.
    async fn talk(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(bytes).await.unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends the bytes and reads the head of the answer alone.
    async fn head(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        String::from_utf8(head).unwrap()
    }

    async fn end(mut self) {
        let _ = self.stop.take().unwrap().send(());
        tokio::time::timeout(Duration::from_secs(10), &mut self.task)
            .await
            .expect("stops")
            .unwrap();
    }
}

fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or("")
}

#[tokio::test]
async fn slow_and_odd_requests_end_in_their_status() {
    let served = served().await;
    let token = served.site.token("taitur/KT/101").await;
    let user = served.site.id("taitur");
    let put = format!(
        "PUT /api/user/{user} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\nconnection: close\r\n"
    );
    let endless = format!(
        "{put}transfer-encoding: chunked\r\n\r\n{}",
        format!("10000\r\n{}\r\n", "x".repeat(0x10000)).repeat(20)
    );
    let long_token = format!(
        "GET /api/bank HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\r\n",
        "x".repeat(100_000)
    );
    let many = format!(
        "GET /api/bank HTTP/1.1\r\nhost: x\r\n{}\r\n",
        (0..200).map(|i| format!("h{i}: 1\r\n")).collect::<String>()
    );
    for (name, bytes, expected) in [
        ("slow headers", "GET /api/bank HT".to_owned(), "408"),
        (
            "slow body",
            format!("{put}content-length: 100\r\n\r\n{{\"lang"),
            "408",
        ),
        ("endless chunks", endless, "413"),
        (
            "a length over the limit",
            format!("{put}content-length: 2000000\r\n\r\n"),
            "413",
        ),
        ("a bearer of 100 kB", long_token, "401"),
        ("200 headers", many, "431"),
        (
            "two hosts",
            "GET /api/bank HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n".to_owned(),
            "400",
        ),
        (
            "lengths that differ",
            format!("{put}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"),
            "400",
        ),
        (
            "a length and chunks",
            format!(
                "{put}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
            ),
            "400",
        ),
        (
            "chunks and a length",
            format!(
                "{put}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
            ),
            "400",
        ),
        (
            "an unknown coding",
            format!("{put}transfer-encoding: chunked, gzip\r\n\r\n"),
            "400",
        ),
        (
            "trace",
            "TRACE /api/bank HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_owned(),
            "405",
        ),
    ] {
        let answer = served.talk(bytes.as_bytes()).await;
        assert_eq!(status(&answer), expected, "{name}: {answer}");
    }
    served.end().await;
}

#[tokio::test]
async fn a_client_that_leaves_does_not_cancel_the_work() {
    let served = served().await;
    let token = served.site.token("taitur/KT/101").await;
    let user = served.site.id("taitur");
    // The row is held, so the call is certainly under way when its client leaves.
    let mut holder = served.site.admin.begin().await.unwrap();
    sqlx::query("select from users where id = $1 for update")
        .bind(user)
        .execute(&mut *holder)
        .await
        .unwrap();
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let body = r#"{"language":"en","version":1}"#;
    let call = format!(
        "PUT /api/user/{user} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(call.as_bytes()).await.unwrap();
    let waiting = "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";
    until(&served.site, waiting).await;
    drop(stream);
    holder.commit().await.unwrap();
    until(
        &served.site,
        "select exists (select from users where username = 'taitur' and language = 'en')",
    )
    .await;
    served.end().await;
}

/// Told to end, it still takes what comes and ends each connection with its answer; nothing that was accepted is torn.
#[tokio::test]
async fn a_stop_is_told_before_connections_are_refused() {
    let mut served = served_by(Times {
        receive: Duration::from_secs(60),
        notice: Duration::from_secs(3_600),
    })
    .await;
    let ask = |connection: &str| {
        format!("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: {connection}\r\n\r\n")
    };
    let mut kept = TcpStream::connect(served.address).await.unwrap();
    let mut silent = TcpStream::connect(served.address).await.unwrap();
    kept.write_all(ask("keep-alive").as_bytes()).await.unwrap();
    let mut first = [0; 12];
    kept.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");

    let _ = served.stop.take().unwrap().send(());
    while !served
        .head(&ask("keep-alive"))
        .await
        .contains("connection: close")
    {}
    for stream in [&mut kept, &mut silent] {
        stream
            .write_all(ask("keep-alive").as_bytes())
            .await
            .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.contains("connection: close") && answer.ends_with("{\"status\":\"ok\"}"),
            "{answer}"
        );
    }
    served.task.abort();
}

/// Connections that the system has accepted and nobody has taken yet get their answer at a stop, too.
#[tokio::test]
async fn what_waits_at_a_stop_is_answered() {
    let site = Site::new().await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    for _ in 0..20 {
        waiting.push(TcpStream::connect(address).await.unwrap());
    }
    // Stopped before it took the first of them.
    let times = Times {
        receive: Duration::from_secs(5),
        notice: Duration::ZERO,
    };
    let run = api::serve::run(listener, site.router.clone(), times, async {});
    let task = tokio::spawn(run);
    for mut stream in waiting {
        stream
            .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert_eq!(status(&answer), "200", "{answer}");
    }
    task.await.unwrap();
}

async fn until(site: &Site, question: &'static str) {
    for _ in 0..1_000 {
        if sqlx::query_scalar::<_, bool>(question)
            .fetch_one(&site.admin)
            .await
            .unwrap()
        {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("never: {question}");
}
