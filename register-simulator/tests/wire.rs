//! The real client against bare sockets: no connection, TLS that is none, hang-ups, redirects; and addresses it refuses.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod common;

use std::time::Duration;

use common::{anywhere, case, client, envelope, name, rig};
use registers::Config;
use registers::tarn::Client;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A server that reads a request's beginning, writes `answer`, and hangs up; counts the connections it had.
async fn server(answer: String) -> (String, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind(anywhere()).await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut buffer = vec![0; 16 * 1024];
        let _ = socket.read(&mut buffer).await.unwrap();
        socket.write_all(answer.as_bytes()).await.unwrap();
    });
    (url, task)
}

#[tokio::test]
async fn no_listener_and_no_tls_prove_that_nothing_went() {
    let listener = TcpListener::bind(anywhere()).await.unwrap();
    let addr = listener.local_addr().unwrap();
    drop(listener);
    let refused = client(&format!("http://{addr}/"))
        .sync(&envelope(), &case())
        .await
        .unwrap_err();
    assert_eq!(name(&refused.kind), "not sent", "{refused:?}");
    let (simulator, _) = rig([]).await;
    let plain = client(&simulator.url().replace("http:", "https:"))
        .sync(&envelope(), &case())
        .await
        .unwrap_err();
    assert_eq!(name(&plain.kind), "not sent", "{plain:?}");
    let nowhere = client("http://no-such-host.invalid/")
        .sync(&envelope(), &case())
        .await
        .unwrap_err();
    assert_eq!(name(&nowhere.kind), "not sent", "{nowhere:?}");
    assert!(simulator.calls().is_empty());
}

#[tokio::test]
async fn a_connection_that_is_never_made_is_not_sent() {
    // Accepted by the kernel alone: the TLS handshake never begins.
    let silent = TcpListener::bind(anywhere()).await.unwrap();
    let url = format!("https://{}/", silent.local_addr().unwrap());
    let mut config = Config::new(&url).unwrap();
    config.connect_timeout = Duration::from_millis(100);
    let client = Client::new(&config).unwrap();
    let error = client.sync(&envelope(), &case()).await.unwrap_err();
    assert_eq!(name(&error.kind), "not sent", "{error:?}");
}

#[tokio::test]
async fn a_hang_up_after_the_request_is_unknown() {
    for answer in [
        "",
        "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<half",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let (url, server) = server(answer.into()).await;
        let error = client(&url).sync(&envelope(), &case()).await.unwrap_err();
        assert_eq!(name(&error.kind), "unknown", "{answer:?}: {error:?}");
        server.await.unwrap();
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let (simulator, _) = rig([]).await;
    for status in [
        "301 Moved Permanently",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let answer = format!(
            "HTTP/1.1 {status}\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n",
            simulator.url()
        );
        let (url, server) = server(answer).await;
        let error = client(&url).sync(&envelope(), &case()).await.unwrap_err();
        assert_eq!(name(&error.kind), "unknown", "{status}: {error:?}");
        server.await.unwrap();
    }
    assert!(simulator.calls().is_empty());
}

#[test]
fn addresses_that_no_register_has_are_refused() {
    for url in [
        "",
        "register",
        "file:///etc/passwd",
        "gopher://register/",
        "ftp://register/",
        "http://",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:169.254.169.254]/",
        "http://0.0.0.0/",
        "http://[fe80::1]/",
        "http://[::]/",
        "https://name:word@register/",
        "http://2852039166/",
    ] {
        assert!(Config::new(url).is_err(), "{url}");
    }
    for url in [
        "http://127.0.0.1:8090",
        "https://turvaserver.example/",
        "http://[::1]:8080/",
        "http://10.0.0.5/",
    ] {
        assert!(Config::new(url).is_ok(), "{url}");
    }
}

#[test]
fn settings_are_read_and_a_wrong_one_is_named() {
    let read = |pairs: &[(&str, &str)]| {
        Config::from_settings(|name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        })
    };
    let url = ("TARN_URL", "http://127.0.0.1:8090");
    let config = read(&[
        url,
        ("TARN_STATE_SERVICE", "off"),
        ("XROAD_CALL_TIMEOUT_MS", "1500"),
        ("XROAD_CLIENT", "EE/COM/90000009/toimik"),
    ])
    .unwrap();
    assert!(!config.tarn_state_service);
    assert_eq!(
        (
            config.client.subsystem.as_str(),
            config.call_timeout.unwrap().as_millis()
        ),
        ("toimik", 1500)
    );
    for (name, value) in [
        ("TARN_URL", "ftp://register/"),
        ("XROAD_CLIENT", "EE/COM"),
        ("XROAD_CLIENT", "EE/COM/9:0/x"),
        ("TARN_MEMBER", "//x/y"),
        ("TARN_STATE_SERVICE", "maybe"),
        ("XROAD_CALL_TIMEOUT_MS", "0"),
        ("XROAD_ANSWER_BYTES", "many"),
        ("XROAD_IDENTITY_FILE", "/no/such/file"),
    ] {
        let pairs = if name == url.0 {
            vec![(name, value)]
        } else {
            vec![url, (name, value)]
        };
        let error = read(&pairs)
            .err()
            .unwrap_or_else(|| panic!("{name}={value}"));
        assert_eq!(error.name, name);
    }
}
