//! HTTP to the security server: time-outs, no redirects, no proxy, a bounded body, optional client certificate.

use std::error::Error as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Certificate, Identity, Url, redirect};

use super::Request;
use crate::config::{Config, ConfigError, is_forbidden};
use crate::error::{Exchange, Failure};

/// A received answer, whatever it holds.
pub(super) struct Received {
    pub status: u16,
    pub content_type: Option<String>,
    pub body: Vec<u8>,
}

#[derive(Clone)]
pub(super) struct Transport {
    http: reqwest::Client,
    url: Url,
    call_timeout: Option<Duration>,
    max_bytes: usize,
}

impl Transport {
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(config.connect_timeout)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .http1_only()
            .pool_idle_timeout(Duration::from_secs(20))
            .dns_resolver(Arc::new(Resolver));
        if let Some(pem) = &config.roots_pem {
            let roots = Certificate::from_pem_bundle(pem).map_err(|_| bad("XROAD_ROOTS_FILE"))?;
            builder = builder.tls_certs_only(roots);
        } else if config.url.scheme() == "http" {
            // Without TLS no roots are needed, and a machine without any must still be able to start.
            builder = builder.tls_certs_only([]);
        }
        if let Some(pem) = &config.identity_pem {
            builder =
                builder.identity(Identity::from_pem(pem).map_err(|_| bad("XROAD_IDENTITY_FILE"))?);
        }
        let http = builder.build().map_err(|error| {
            ConfigError::new("TARN_URL", format!("no client: {}", causes(&error)))
        })?;
        Ok(Self {
            http,
            url: config.url.clone(),
            call_timeout: config.call_timeout,
            max_bytes: config.limits.answer_bytes,
        })
    }

    /// Posts one envelope; status and a readable beginning of the answer go into `exchange` even when the rest fails.
    pub async fn post(
        &self,
        text: String,
        request: &Request<'_>,
        exchange: &mut Exchange,
    ) -> Result<Received, Failure> {
        let limit = self.call_timeout.unwrap_or(request.operation.timeout);
        let mut post = self.http.post(self.url.clone());
        if let Some(traceparent) = &request.envelope.traceparent {
            post = post.header("traceparent", traceparent);
        }
        let mut response = post
            .timeout(limit)
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"\"")
            .body(text)
            .send()
            .await
            .map_err(|error| failure(&error))?;
        let status = response.status().as_u16();
        exchange.http_status = Some(status);
        let content_type = response
            .headers()
            .get("content-type")
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned);
        let too_large = || Failure::Unusable {
            why: format!("the answer is larger than {} bytes", self.max_bytes),
        };
        if response
            .content_length()
            .is_some_and(|length| length > self.max_bytes as u64)
        {
            return Err(too_large());
        }
        let mut body = BytesMut::new();
        loop {
            match response.chunk().await {
                Ok(None) => break,
                Ok(Some(chunk)) => {
                    let room = self.max_bytes.saturating_sub(body.len());
                    body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                    if chunk.len() > room {
                        exchange.response = crate::charset::lossy_head(&body);
                        return Err(too_large());
                    }
                }
                Err(error) => {
                    exchange.response = crate::charset::lossy_head(&body);
                    return Err(failure(&error));
                }
            }
        }
        exchange.response = crate::charset::lossy_head(&body);
        Ok(Received {
            status,
            content_type,
            body: body.into(),
        })
    }
}

fn bad(name: &str) -> ConfigError {
    ConfigError::new(name, "is not PEM with what is needed in it")
}

/// Only an error of connecting (TCP, TLS, name) proves that nothing was sent.
fn failure(error: &reqwest::Error) -> Failure {
    let why = causes(error);
    if error.is_connect() || error.is_builder() {
        Failure::NoConnection { why }
    } else if error.is_timeout() {
        Failure::Interrupted {
            why: "no answer in time".into(),
        }
    } else {
        Failure::Interrupted { why }
    }
}

/// The chain of causes without the address.
fn causes(error: &reqwest::Error) -> String {
    let mut text = String::from(match error {
        error if error.is_connect() => "no connection",
        error if error.is_body() || error.is_decode() => "the answer broke off",
        _ => "the call broke off",
    });
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text.chars().take(300).collect()
}

/// The system's resolver, less the addresses that no register can have.
struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0))
                .await?
                .filter(|address| !is_forbidden(address.ip()))
                .collect();
            if found.is_empty() {
                return Err("the name leads to no usable address".into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
