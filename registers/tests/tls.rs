//! TLS against a real server: its certificate must be trusted, and ours is shown where there is one.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::net::SocketAddr;
use std::sync::Arc;

use registers::tarn::{Client, SyncCase};
use registers::{CallError, Config, Envelope, Kind, xroad};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

const ROOT: &[u8] = include_bytes!("tls/ca.pem");
const SERVER: &[u8] = include_bytes!("tls/server-identity.pem");
const CLIENT: &[u8] = include_bytes!("tls/client-identity.pem");

/// A server that demands a client certificate of the test root, and answers one call with HTTP 500.
async fn server() -> SocketAddr {
    let provider = Arc::new(default_provider());
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(ROOT).unwrap())
        .unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .build()
        .unwrap();
    let chain = vec![CertificateDer::from_pem_slice(SERVER).unwrap()];
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, PrivateKeyDer::from_pem_slice(SERVER).unwrap())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))
        .await
        .unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        // A client that is not trusted ends here, which is what the test is about.
        let Ok(mut stream) = acceptor.accept(socket).await else {
            return;
        };
        let mut buffer = vec![0; 16 * 1024];
        let _ = stream.read(&mut buffer).await.unwrap();
        stream
            .write_all(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\noops")
            .await
            .unwrap();
        stream.flush().await.unwrap();
    });
    addr
}

async fn call(roots: Option<&[u8]>, identity: Option<&[u8]>) -> CallError {
    let mut config = Config::new(&format!("https://{}/", server().await)).unwrap();
    config.roots_pem = roots.map(<[u8]>::to_vec);
    config.identity_pem = identity.map(<[u8]>::to_vec);
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
    Client::new(&config)
        .unwrap()
        .sync(&envelope, &case)
        .await
        .unwrap_err()
}

#[tokio::test]
async fn a_trusted_server_sees_our_certificate() {
    let error = call(Some(ROOT), Some(CLIENT)).await;
    assert_eq!(error.exchange.http_status, Some(500), "{error:?}");
}

#[tokio::test]
async fn an_untrusted_server_gets_nothing() {
    let error = call(None, Some(CLIENT)).await;
    assert!(matches!(error.kind, Kind::NotSent { .. }), "{error:?}");
}

/// TLS 1.3 refuses a client after the client's side is done, so it may have sent already: unknown, never "not sent".
#[tokio::test]
async fn without_our_certificate_there_is_no_answer() {
    let error = call(Some(ROOT), None).await;
    assert_eq!(error.exchange.http_status, None, "{error:?}");
}

#[test]
fn files_that_are_no_certificates_are_refused_at_the_start() {
    let mut config = Config::new("https://127.0.0.1/").unwrap();
    config.identity_pem = Some(b"no PEM".to_vec());
    assert_eq!(
        Client::new(&config).err().unwrap().name,
        "XROAD_IDENTITY_FILE"
    );
}
