//! Listens: the SOAP endpoint at `/xroad` (and `/`) and the control calls; a handle for tests in the same process.

use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::effects::{Effect, Filter, Summary};
use crate::holds::Held;
use crate::message::Fault;
use crate::requests::Entry;
use crate::script::Rule;
use crate::world::{Options, Settings, World};
use crate::{control, misbehave, tarn};

const MOST_REQUEST_BYTES: usize = 1024 * 1024;

/// A running simulator; stops when dropped.
pub struct Handle {
    addr: SocketAddr,
    world: World,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<io::Result<()>>,
}

/// Starts with defaults; port 0 takes a free one.
pub async fn start(addr: SocketAddr) -> io::Result<Handle> {
    start_with(Options::at(addr)).await
}

/// Starts as the options say.
pub async fn start_with(options: Options) -> io::Result<Handle> {
    let world = World::new(&options)?;
    let listener = TcpListener::bind(options.addr).await?;
    let addr = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let app = router(world.clone());
    let served = tokio::spawn(async move {
        tokio::select! {
            result = async { axum::serve(listener, app).await } => result,
            _ = stopped => Ok(()),
        }
    });
    Ok(Handle {
        addr,
        world,
        stop: Some(stop),
        served,
    })
}

fn router(world: World) -> Router {
    Router::new()
        .route("/", post(soap))
        .route("/xroad", post(soap))
        .merge(control::router())
        .layer(DefaultBodyLimit::max(MOST_REQUEST_BYTES))
        .with_state(world)
}

/// The request is served in a task of its own, since a register goes on when its caller hangs up; only the answer waits here.
async fn soap(State(world): State<World>, headers: HeaderMap, bytes: Bytes) -> Response {
    let served = tokio::spawn(tarn::serve(world.clone(), trace(&headers), bytes)).await;
    match served {
        Ok(Ok(served)) => misbehave::respond(&world, served).await,
        Ok(Err(fault)) => misbehave::refuse(&fault),
        Err(error) => {
            tracing::error!(%error, "a request could not be served");
            misbehave::refuse(&Fault::new(
                "Server.ServerProxy.ServiceFailed",
                "simulator failure",
            ))
        }
    }
}

/// The second part of a `traceparent`.
fn trace(headers: &HeaderMap) -> Option<Uuid> {
    let text = headers.get("traceparent")?.to_str().ok()?;
    Uuid::try_parse(text.split('-').nth(1)?).ok()
}

impl Handle {
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The address of the SOAP endpoint.
    pub fn url(&self) -> String {
        format!("http://{}/xroad", self.addr)
    }

    /// The address under which the control calls lie, with a slash at its end.
    pub fn control_url(&self) -> String {
        format!("http://{}/", self.addr)
    }

    /// Adds rules to the script; a bad one is a mistake of the test.
    pub fn script(&self, rules: impl IntoIterator<Item = Rule>) -> Result<(), String> {
        self.world.lock().script.add(rules.into_iter().collect())
    }

    pub fn clear_script(&self) {
        self.world.lock().script.clear();
    }

    /// All effects in memory, at most 10,000.
    pub fn effects(&self) -> Vec<Effect> {
        self.world.lock().effects.list(&Filter {
            limit: Some(usize::MAX),
            ..Filter::default()
        })
    }

    pub fn summary(&self) -> Summary {
        self.world.lock().effects.summary(&Filter::default())
    }

    /// The newest calls, oldest first.
    pub fn calls(&self) -> Vec<Entry> {
        self.world.lock().requests.last(usize::MAX)
    }

    pub fn set_state_service(&self, on: bool) {
        self.world.lock().settings.state_service = on;
    }

    pub fn set_settings(&self, settings: Settings) {
        self.world.lock().settings = settings;
    }

    /// Returns once at least `count` answers are held back.
    pub async fn held(&self, count: usize) -> Vec<Held> {
        self.world.holds.reached(count).await;
        self.world.holds.list()
    }

    /// Lets all held answers go; says how many.
    pub fn release(&self) -> usize {
        self.world.holds.release(None)
    }

    /// Runs until the server ends.
    pub async fn wait(mut self) -> io::Result<()> {
        (&mut self.served).await.map_err(io::Error::other)?
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}
