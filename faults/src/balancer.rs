//! Divides requests among several api processes, as the proxy before them does: it asks each whether it is ready, goes by where a
//! connection is refused, and never repeats what was sent. Notes every request that failed, and the slowest.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use reqwest::Method;
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::site::{Answer, Session, Site};

/// How often each is asked.
const ASKED: Duration = Duration::from_millis(250);

struct Backend {
    site: Site,
    ready: AtomicBool,
}

/// What became of the requests.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    pub requests: u64,
    /// Without an answer, or with one of 500 and above.
    pub failed: Vec<String>,
    pub slowest: Duration,
}

pub struct Balancer {
    backends: Arc<Vec<Backend>>,
    next: AtomicUsize,
    tally: Mutex<Tally>,
    asking: JoinHandle<()>,
}

impl Balancer {
    pub fn start(sites: Vec<Site>) -> Self {
        let backends: Vec<Backend> = sites
            .into_iter()
            .map(|site| Backend {
                site,
                ready: AtomicBool::new(true),
            })
            .collect();
        let backends = Arc::new(backends);
        let asked = backends.clone();
        let asking = tokio::spawn(async move {
            loop {
                for backend in asked.iter() {
                    let ready = backend.site.is_ready().await;
                    backend.ready.store(ready, Ordering::Relaxed);
                }
                tokio::time::sleep(ASKED).await;
            }
        });
        Self {
            backends,
            next: AtomicUsize::new(0),
            tally: Mutex::default(),
            asking,
        }
    }

    /// Whether it sends requests to this one.
    pub fn uses(&self, index: usize) -> bool {
        self.backends[index].ready.load(Ordering::Relaxed)
    }

    pub fn tally(&self) -> Tally {
        self.tally
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub async fn get(&self, session: &Session, path: &str) -> Result<Answer> {
        self.call(session, Method::GET, path, None).await
    }

    pub async fn post(&self, session: &Session, path: &str, body: Value) -> Result<Answer> {
        self.call(session, Method::POST, path, Some(body)).await
    }

    /// One request to whoever is ready; to the next one only where no connection came about.
    async fn call(
        &self,
        session: &Session,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Answer> {
        let from = Instant::now();
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let count = self.backends.len();
        let mut order: Vec<usize> = (0..count).map(|step| (first + step) % count).collect();
        // Those that are not ready are the last resort.
        order.sort_by_key(|index| !self.uses(*index));
        let mut outcome = Err(anyhow::anyhow!("there is no api"));
        for index in order {
            let backend = &self.backends[index];
            let session = session.at(backend.site.port());
            outcome = session.call(method.clone(), path, body.clone(), None).await;
            let refused = outcome.as_ref().is_err_and(|error| {
                let cause = error.downcast_ref::<reqwest::Error>();
                cause.is_some_and(reqwest::Error::is_connect)
            });
            if !refused {
                break;
            }
            backend.ready.store(false, Ordering::Relaxed);
        }
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.requests += 1;
        tally.slowest = tally.slowest.max(from.elapsed());
        match &outcome {
            Ok(answer) if answer.status < 500 => {}
            Ok(answer) => tally.failed.push(format!(
                "{method} {path} answered {}: {}",
                answer.status, answer.body
            )),
            Err(error) => tally.failed.push(format!("{method} {path}: {error:#}")),
        }
        outcome
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.asking.abort();
    }
}
