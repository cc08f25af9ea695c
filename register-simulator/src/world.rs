//! Everything the simulator remembers, behind one lock that is never held across an await.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::{Deserialize, Serialize};

use crate::effects::Effects;
use crate::holds::Holds;
use crate::proceedings::Proceedings;
use crate::requests::Requests;
use crate::script::{Millis, Script};

/// How a message that was accepted before is answered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Resend {
    /// With the same good answer.
    Same,
    /// With the refusal "already exists".
    Already,
}

/// What may be changed while it runs.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Before each acceptance.
    pub latency_ms: Millis,
    pub resend: Resend,
    /// The longest that an answer is held back.
    pub hold_ms: u64,
    /// Whether the assumed service `TaitemenetluseOlek` is there.
    pub state_service: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            latency_ms: Millis::Fixed(0),
            resend: Resend::Already,
            hold_ms: 120_000,
            state_service: true,
        }
    }
}

/// How to start.
#[derive(Clone, Debug)]
pub struct Options {
    pub addr: SocketAddr,
    pub log_file: Option<PathBuf>,
    /// How many effects and proceedings stay in memory.
    pub capacity: usize,
    pub seed: u64,
    pub settings: Settings,
}

impl Options {
    /// Defaults at an address; port 0 takes a free one.
    pub fn at(addr: SocketAddr) -> Self {
        Self {
            addr,
            log_file: None,
            capacity: 200_000,
            seed: 1,
            settings: Settings::default(),
        }
    }
}

/// The time of an entry.
#[expect(
    clippy::disallowed_methods,
    reason = "the outside world has a clock of its own"
)]
pub fn now() -> DateTime<Utc> {
    Utc::now()
}

const LOGGED_CALLS: usize = 5_000;

pub struct State {
    pub effects: Effects,
    pub proceedings: Proceedings,
    pub script: Script,
    pub requests: Requests,
    pub settings: Settings,
    pub rng: StdRng,
}

/// The simulator's memory, shared by its handlers.
#[derive(Clone)]
pub struct World {
    state: Arc<Mutex<State>>,
    pub holds: Arc<Holds>,
    pub http: reqwest::Client,
}

impl World {
    /// Loads the file of effects where one is named.
    pub fn new(options: &Options) -> io::Result<Self> {
        let mut proceedings = Proceedings::new(options.capacity);
        let effects = match &options.log_file {
            None => Effects::new(options.capacity),
            Some(path) => Effects::open(options.capacity, path, |number, proceeding| {
                let number = proceedings.number(number);
                proceedings.set(number.clone(), proceeding);
                number
            })?,
        };
        let state = State {
            effects,
            proceedings,
            script: Script::default(),
            requests: Requests::new(LOGGED_CALLS),
            settings: options.settings.clone(),
            rng: StdRng::seed_from_u64(options.seed),
        };
        let http = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .timeout(std::time::Duration::from_secs(10))
            .build()
            .map_err(io::Error::other)?;
        Ok(Self {
            state: Arc::new(Mutex::new(state)),
            holds: Holds::new(),
            http,
        })
    }

    /// A handler that panicked leaves whole values behind, so a poisoned lock is used on.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
