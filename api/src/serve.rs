//! Takes connections on the loopback and serves them; slow headers end in 408, a stop lets running requests end.
mod head;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt;

pub use head::Ambiguous;
use head::Watched;

const LARGEST_HEAD_BYTES: usize = 64 * 1024;
const DRAIN: Duration = Duration::from_secs(20);
const TOO_SLOW: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// Serves until `stop` resolves, then ends connections after their running request.
pub async fn run(
    listener: TcpListener,
    router: Router,
    receive_timeout: Duration,
    stop: impl Future<Output = ()>,
) {
    let (stopping, stopped) = watch::channel(false);
    let mut stop = std::pin::pin!(stop);
    loop {
        let taken = tokio::select! {
            () = &mut stop => break,
            taken = listener.accept() => taken,
        };
        match taken {
            Ok((stream, peer)) => {
                tokio::spawn(connection(
                    stream,
                    peer,
                    router.clone(),
                    receive_timeout,
                    stopped.clone(),
                ));
            }
            Err(error) => {
                tracing::warn!(cause = %error, "a connection could not be taken");
                // Out of descriptors: waiting is all that helps.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    drop(stopped);
    let _ = stopping.send(true);
    // Every connection holds a receiver; the channel closes with the last.
    let _ = tokio::time::timeout(DRAIN, stopping.closed()).await;
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    receive_timeout: Duration,
    mut stopped: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let (stream, ambiguous) = Watched::new(stream);
    let asked = Arc::new(AtomicBool::new(false));
    let seen = asked.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        seen.store(true, Ordering::Relaxed);
        let router = router.clone();
        let ambiguous = ambiguous.load(Ordering::Acquire);
        async move {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            if ambiguous {
                request.extensions_mut().insert(Ambiguous);
            }
            Ok::<_, Infallible>(
                router
                    .oneshot(request)
                    .await
                    .unwrap_or_else(|never| match never {}),
            )
        }
    });
    let mut conn = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(receive_timeout)
        .max_buf_size(LARGEST_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let outcome = tokio::select! {
        outcome = &mut conn => outcome,
        _ = stopped.changed() => {
            std::pin::Pin::new(&mut conn).graceful_shutdown();
            (&mut conn).await
        }
    };
    // A kept connection that stays silent is closed without a word.
    if outcome.is_err_and(|error| error.is_timeout()) && !asked.load(Ordering::Relaxed) {
        let mut stream = conn.into_parts().io.into_inner().into_inner();
        let _ = stream.write_all(TOO_SLOW).await;
    }
}
