//! A TCP proxy with a control: latency, cut, half-open, reset.
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What happens to bytes and connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Pass,
    /// Each piece of data waits, both ways.
    Latency(Duration),
    /// Connections are closed, new ones too.
    Cut,
    /// Connections stay and are accepted, and nothing goes through: a cable that was pulled.
    HalfOpen,
    /// Connections are torn with RST, new ones too.
    Reset,
}

pub struct Proxy {
    pub port: u16,
    mode: watch::Sender<Mode>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Listens on a free port and speaks to `target`.
    pub async fn start(target: SocketAddr) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let (mode, seen) = watch::channel(Mode::Pass);
        let accepting = tokio::spawn(async move {
            while let Ok((inner, _)) = listener.accept().await {
                tokio::spawn(serve(inner, target, seen.clone()));
            }
        });
        Ok(Self {
            port,
            mode,
            accepting,
        })
    }

    pub fn set(&self, mode: Mode) {
        self.mode.send_replace(mode);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.mode.send_replace(Mode::Cut);
    }
}

/// With a small buffer, so that a reader that stops is soon felt at the other end.
async fn connect(target: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(64 * 1024)?;
    socket.connect(target).await
}

async fn serve(mut near: TcpStream, target: SocketAddr, mut mode: watch::Receiver<Mode>) {
    near.set_nodelay(true).ok();
    loop {
        let now = *mode.borrow_and_update();
        match now {
            Mode::Cut => return,
            Mode::Reset => {
                near.set_zero_linger().ok();
                return;
            }
            // Accepted, and silent until the mode changes.
            Mode::HalfOpen => {
                if mode.changed().await.is_err() {
                    return;
                }
            }
            Mode::Pass | Mode::Latency(_) => break,
        }
    }
    let Ok(mut far) = connect(target).await else {
        return;
    };
    far.set_nodelay(true).ok();
    let torn = {
        let (mut near_in, mut near_out) = near.split();
        let (mut far_in, mut far_out) = far.split();
        tokio::select! {
            torn = pump(&mut near_in, &mut far_out, mode.clone()) => torn,
            torn = pump(&mut far_in, &mut near_out, mode) => torn,
        }
    };
    if torn {
        near.set_zero_linger().ok();
        far.set_zero_linger().ok();
    }
}

/// Carries one direction until it ends or is cut; true when the connection is to be torn.
async fn pump(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    mut mode: watch::Receiver<Mode>,
) -> bool {
    let mut piece = vec![0; 32 * 1024];
    loop {
        let now = *mode.borrow_and_update();
        match now {
            Mode::Cut => return false,
            Mode::Reset => return true,
            Mode::HalfOpen => {
                if mode.changed().await.is_err() {
                    return false;
                }
                continue;
            }
            Mode::Pass | Mode::Latency(_) => {}
        }
        let read = tokio::select! {
            read = from.read(&mut piece) => read,
            changed = mode.changed() => {
                if changed.is_err() { return false; }
                continue;
            }
        };
        let Ok(length @ 1..) = read else { return false };
        if let Mode::Latency(wait) = now {
            tokio::time::sleep(wait).await;
        }
        // What was read before a cut is lost with it.
        if matches!(*mode.borrow(), Mode::Cut | Mode::Reset) {
            return *mode.borrow() == Mode::Reset;
        }
        if to.write_all(&piece[..length]).await.is_err() {
            return false;
        }
    }
}
