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
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
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
/// How long a connection that has not asked anything yet may still do so when the others end.
const FIRST_REQUEST: Duration = Duration::from_secs(1);
const TOO_SLOW: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// How long what may take.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    /// Until headers are there.
    pub receive: Duration,
    /// For which a process that is to end still takes connections: whoever divides requests among several needs time to notice.
    pub notice: Duration,
}

/// What a connection has to know of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Serving,
    /// Each answer ends its connection.
    Leaving,
    /// Connections end once they have nothing to answer.
    Closing,
}

/// Serves until `stop` resolves and for the notice after it, then ends connections after their running request.
pub async fn run(
    listener: TcpListener,
    router: Router,
    times: Times,
    stop: impl Future<Output = ()>,
) {
    let (told, stage) = watch::channel(Stage::Serving);
    let take = |stream, peer| {
        tokio::spawn(connection(
            stream,
            peer,
            router.clone(),
            times.receive,
            stage.clone(),
        ));
    };
    accept(&listener, &take, stop).await;
    let _ = told.send(Stage::Leaving);
    if !times.notice.is_zero() {
        accept(&listener, &take, tokio::time::sleep(times.notice)).await;
    }
    take_waiting(listener, &take);
    drop(stage);
    let _ = told.send(Stage::Closing);
    // Every connection holds a receiver; the channel closes with the last.
    let _ = tokio::time::timeout(DRAIN, told.closed()).await;
}

/// Takes connections until `end`.
async fn accept(
    listener: &TcpListener,
    take: &impl Fn(TcpStream, SocketAddr),
    end: impl Future<Output = ()>,
) {
    let mut end = std::pin::pin!(end);
    loop {
        let taken = tokio::select! {
            () = &mut end => return,
            taken = listener.accept() => taken,
        };
        match taken {
            Ok((stream, peer)) => take(stream, peer),
            Err(error) => {
                tracing::warn!(cause = %error, "a connection could not be taken");
                // Out of descriptors: waiting is all that helps.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// What the system has accepted for us would be reset with the listener; it is taken before that.
fn take_waiting(listener: TcpListener, take: &impl Fn(TcpStream, SocketAddr)) {
    let Ok(listener) = listener.into_std() else {
        return;
    };
    while let Ok((stream, peer)) = listener.accept() {
        let stream = stream
            .set_nonblocking(true)
            .and_then(|()| TcpStream::from_std(stream));
        if let Ok(stream) = stream {
            take(stream, peer);
        }
    }
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    receive_timeout: Duration,
    mut stage: watch::Receiver<Stage>,
) {
    let _ = stream.set_nodelay(true);
    let (stream, ambiguous) = Watched::new(stream);
    let asked = Arc::new(AtomicBool::new(false));
    let (seen, now) = (asked.clone(), stage.clone());
    let service = service_fn(move |request: Request<Incoming>| {
        seen.store(true, Ordering::Relaxed);
        let (router, now) = (router.clone(), now.clone());
        let ambiguous = ambiguous.load(Ordering::Acquire);
        async move {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            if ambiguous {
                request.extensions_mut().insert(Ambiguous);
            }
            let mut answer = router
                .oneshot(request)
                .await
                .unwrap_or_else(|never| match never {});
            if *now.borrow() != Stage::Serving {
                let close = HeaderValue::from_static("close");
                answer.headers_mut().insert(CONNECTION, close);
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let mut conn = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(receive_timeout)
        .max_buf_size(LARGEST_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let closing = async {
        let _ = stage.wait_for(|stage| *stage == Stage::Closing).await;
        // One that was just opened may be about to ask.
        if !asked.load(Ordering::Relaxed) {
            tokio::time::sleep(FIRST_REQUEST).await;
        }
    };
    let outcome = tokio::select! {
        outcome = &mut conn => outcome,
        () = closing => {
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
