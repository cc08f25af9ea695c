//! Looks at the raw head of a connection's first request: hyper drops Content-Length beside Transfer-Encoding, we refuse it.
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// In a request's extensions: its length was given in two ways, as smugglers do.
#[derive(Debug, Clone, Copy)]
pub struct Ambiguous;

/// A stream that reads its first head along.
pub struct Watched {
    stream: TcpStream,
    head: Option<Vec<u8>>,
    ambiguous: Arc<AtomicBool>,
}

impl Watched {
    pub fn new(stream: TcpStream) -> (Self, Arc<AtomicBool>) {
        let ambiguous = Arc::new(AtomicBool::new(false));
        (
            Self {
                stream,
                head: Some(Vec::new()),
                ambiguous: ambiguous.clone(),
            },
            ambiguous,
        )
    }

    pub fn into_inner(self) -> TcpStream {
        self.stream
    }

    fn look(&mut self, new: &[u8]) {
        let Some(head) = &mut self.head else { return };
        let from = head.len().saturating_sub(3);
        head.extend_from_slice(new);
        let end = head[from..].windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            self.ambiguous
                .store(ambiguous(&head[..from + end]), Ordering::Release);
        }
        if end.is_some() || head.len() > super::LARGEST_HEAD_BYTES {
            self.head = None;
        }
    }
}

fn ambiguous(head: &[u8]) -> bool {
    let head = head.to_ascii_lowercase();
    let has = |name: &[u8]| head.windows(name.len()).any(|window| window == name);
    has(b"\ntransfer-encoding:") && has(b"\ncontent-length:")
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        self.look(&buf.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_a_length_given_twice() {
        for (head, expected) in [
            (
                "POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked",
                true,
            ),
            (
                "POST / HTTP/1.1\r\nTRANSFER-ENCODING: chunked\r\ncontent-length:2",
                true,
            ),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", false),
            (
                "POST / HTTP/1.1\r\nx-content-length: 2\r\nTransfer-Encoding: chunked",
                false,
            ),
        ] {
            assert_eq!(ambiguous(head.as_bytes()), expected, "{head}");
        }
    }
}
