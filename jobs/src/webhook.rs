//! Alerts by webhook: a signed body to an allowed host, never through a redirect and never into our own network.
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use domain::jobs::{Claimed, Ending, Failure, Outcome, failure, finish};
use domain::webhook::Hosts;
use domain::{Scope, clock, config, db};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;

use crate::context::Context;

/// For the whole call.
const TIMEOUT: Duration = Duration::from_secs(10);
/// As much of an answer is read.
const ANSWER_BYTES: usize = 2_048;

/// What `main` reads from the environment.
#[derive(Debug, Clone, Default)]
pub struct Config {
    pub hosts: Hosts,
    pub secret: Vec<u8>,
}

impl Config {
    /// `WEBHOOK_HOSTS`, `WEBHOOK_PRIVATE`, and `WEBHOOK_SECRET` or `WEBHOOK_SECRET_FILE`. The error is one plain sentence.
    pub fn from_environment() -> Result<Self, String> {
        let secret = match config::text("WEBHOOK_SECRET_FILE", "") {
            path if path.is_empty() => config::text("WEBHOOK_SECRET", ""),
            path => std::fs::read_to_string(&path)
                .map_err(|e| format!("WEBHOOK_SECRET_FILE {path} cannot be read: {e}."))?,
        };
        Self::new(Hosts::from_environment()?, secret.trim())
    }

    pub fn new(hosts: Hosts, secret: &str) -> Result<Self, String> {
        if hosts != Hosts::default() && secret.len() < 16 {
            return Err("WEBHOOK_HOSTS needs a secret of 16 characters or more: set WEBHOOK_SECRET_FILE or WEBHOOK_SECRET.".into());
        }
        Ok(Self {
            hosts,
            secret: secret.as_bytes().to_vec(),
        })
    }
}

/// What this process sends webhooks with.
pub struct Webhooks {
    config: Config,
    client: reqwest::Client,
}

impl Webhooks {
    /// The error is one plain sentence.
    pub fn new(config: Config) -> Result<Self, String> {
        let system: Arc<dyn Resolve> = Arc::new(System);
        Self::with_resolver(config, system)
    }

    /// As `new`, with another way to find a name's addresses; what it finds is held to the same rule.
    pub fn with_resolver(config: Config, names: Arc<dyn Resolve>) -> Result<Self, String> {
        let resolver = Guarded {
            hosts: config.hosts.clone(),
            names,
        };
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(TIMEOUT)
            .dns_resolver(Arc::new(resolver))
            .user_agent("Toimik")
            .build()
            .map_err(|error| format!("Webhooks cannot be set up: {error}."))?;
        Ok(Self { config, client })
    }

    /// Sends one message; done when the receiver answers 2xx.
    pub async fn send(&self, message: &Outgoing, now_unix: i64) -> Result<(), Failure> {
        // Again at each try: the list may have changed since the rule was written. A literal address is judged here.
        let url = self
            .config
            .hosts
            .check(&message.url)
            .map_err(|sentence| Failure::Permanent {
                code: "webhook_refused".into(),
                message: sentence,
            })?;
        let body = message.body.to_string();
        let signature = sign(&self.config.secret, now_unix, &message.id, &body);
        let answer = self
            .client
            .post(url)
            .header("Content-Type", "application/json")
            .header("Toimik-Id", &message.id)
            .header("Toimik-Signature", signature)
            .body(body)
            .send()
            .await
            .map_err(|error| unsent(&error))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        let said = crate::mail::one_line(&read_some(answer).await, 300);
        let code = format!("webhook_{}", status.as_u16());
        let message = format!("Vastuvõtja vastas {}: {said}", status.as_u16());
        let passes = status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429);
        Err(if passes {
            Failure::Transient { code, message }
        } else {
            Failure::Permanent { code, message }
        })
    }
}

/// A job's payload.
#[derive(Debug, Clone, Deserialize)]
pub struct Outgoing {
    pub url: String,
    /// The same however often it is sent.
    pub id: String,
    pub body: Value,
}

/// `t=<unix seconds>,v1=<hex of HMAC-SHA256 over "<t>.<id>.<body>">`
pub fn sign(secret: &[u8], unix: i64, id: &str, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes a key of any length");
    mac.update(format!("{unix}.{id}.{body}").as_bytes());
    let digest = mac.finalize().into_bytes();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={unix},v1={hex}")
}

fn unsent(error: &reqwest::Error) -> Failure {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(inner) = cause {
        if inner.is::<Inside>() {
            return Failure::Permanent {
                code: "webhook_refused".into(),
                message: Inside.to_string(),
            };
        }
        cause = inner.source();
    }
    let (code, message) = if error.is_timeout() {
        (
            "webhook_timeout",
            "Vastuvõtja ei vastanud kümne sekundi jooksul.",
        )
    } else {
        ("webhook_connection", "Ühendus vastuvõtjaga ei õnnestunud.")
    };
    Failure::Transient {
        code: code.into(),
        message: message.into(),
    }
}

/// The beginning of an answer.
async fn read_some(mut answer: reqwest::Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < ANSWER_BYTES {
        match answer.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) | Err(_) => break,
        }
    }
    bytes.truncate(ANSWER_BYTES);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A name led into our own network.
#[derive(Debug, thiserror::Error)]
#[error("Vastuvõtja nimi viib sisevõrku.")]
struct Inside;

/// Resolves for the very connection that is made, so that a name that changes its mind gains nothing.
struct Guarded {
    hosts: Hosts,
    names: Arc<dyn Resolve>,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let (hosts, found) = (self.hosts.clone(), self.names.resolve(name));
        Box::pin(async move {
            let all: Vec<SocketAddr> = found.await?.collect();
            // One that leads inside spoils the name: a mixed answer is no accident.
            if all.iter().any(|to| !hosts.may_connect(&host, to.ip())) {
                return Err(Inside.into());
            }
            let addresses: Addrs = Box::new(all.into_iter());
            Ok(addresses)
        })
    }
}

/// The machine's own resolver.
struct System;

impl Resolve for System {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let addresses: Addrs = Box::new(found.into_iter());
            Ok(addresses)
        })
    }
}

/// Sends one message and ends its job.
pub async fn run(ctx: &Context, job: &Claimed) -> Result<(), Failure> {
    let message = job
        .args
        .clone()
        .and_then(|args| serde_json::from_value::<Outgoing>(args).ok());
    let mut message = message.ok_or_else(|| Failure::Permanent {
        code: "webhook_payload".into(),
        message: "Töö sisend ei ole veebihaagi oma.".into(),
    })?;
    // A page of the console; its address is a setting of this process.
    if let Some(path) = message.body["link"].as_str() {
        message.body["link"] = ctx.mailer.site().page(path).into();
    }
    ctx.webhooks
        .send(&message, clock::now().timestamp())
        .await?;
    let ended = async {
        let mut tx = db::begin(&ctx.pool, Scope::Queue).await?;
        let mine = finish(&mut tx, &[Outcome::new(job, Ending::Ok, "Saadetud.")]).await?;
        tx.commit().await?;
        Ok::<_, domain::Error>(mine)
    };
    let mine = ended.await.map_err(|error| failure::of(&error))?;
    if mine.contains(&job.id) {
        ctx.minutes.add(job, &Ending::Ok);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_another_library_computes() {
        // printf '1700000000.alert-7.{"a":1}' | openssl dgst -sha256 -hmac 'sixteen characters'
        assert_eq!(
            sign(
                b"sixteen characters",
                1_700_000_000,
                "alert-7",
                r#"{"a":1}"#
            ),
            "t=1700000000,v1=e908738d65bd74ea8d2c8b6a8603793bee5758c139ef5679155eb5cc27ab21fc"
        );
    }

    #[test]
    fn hosts_need_a_secret() {
        let hosts = Hosts::parse("hooks.example.ee", "off").unwrap();
        assert!(Config::new(hosts.clone(), "short").is_err());
        assert!(Config::new(hosts, "sixteen characters").is_ok());
        assert!(Config::new(Hosts::default(), "").is_ok());
    }
}
