//! A register that sends its caller elsewhere: nothing goes there, whatever the address.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use registers::tarn::{Client, SyncCase};
use registers::{Config, Envelope, Kind, xroad};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

#[tokio::test]
async fn a_redirect_is_an_answer_and_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let inner = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let outer = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (url, to) = (outer.local_addr().unwrap(), inner.local_addr().unwrap());
        let answer = async {
            let (mut stream, _) = outer.accept().await.unwrap();
            let mut buffer = vec![0; 16 * 1024];
            let _ = stream.read(&mut buffer).await.unwrap();
            let head = format!(
                "HTTP/1.1 {status} Elsewhere\r\nlocation: http://{to}/latest/meta-data\r\ncontent-length: 0\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
        };
        let client = Client::new(&Config::new(&format!("http://{url}/")).unwrap()).unwrap();
        let envelope = Envelope {
            message_id: xroad::message_id(),
            user_id: "EE60001019906".into(),
            issue: "101/2024/12".into(),
            traceparent: None,
        };
        let case = SyncCase {
            number: "101/2024/12".into(),
            ..SyncCase::default()
        };
        let (called, ()) = tokio::join!(client.sync(&envelope, &case), answer);
        let error = called.unwrap_err();
        assert!(matches!(error.kind, Kind::Unknown { .. }), "{error:?}");
        assert_eq!(error.exchange.http_status, Some(status));
        let visited = futures_now(inner.accept());
        assert!(!visited, "{status} was followed");
    }
}

/// Whether it is ready at once.
fn futures_now(future: impl Future) -> bool {
    let mut future = std::pin::pin!(future);
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    future.as_mut().poll(&mut cx).is_ready()
}
