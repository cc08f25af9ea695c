//! The console's side: signs in and calls the api over HTTP, and notes every answer that must not be.
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use reqwest::Method;
use serde_json::{Value, json};

pub const PASSWORD: &str = "toimik-demo";

#[derive(Clone)]
pub struct Site {
    http: reqwest::Client,
    port: u16,
    /// Answers with 5xx other than 503 with Retry-After.
    faults: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone)]
pub struct Session {
    site: Site,
    token: Arc<Mutex<String>>,
}

/// An answer of the api.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    /// The body of the wanted answer; an error with the body of any other.
    pub fn expect(self, status: u16) -> Result<Value> {
        if self.status != status {
            bail!(
                "answered {} instead of {status}: {}",
                self.status,
                self.body
            );
        }
        Ok(self.body)
    }
}

impl Site {
    pub fn new(port: u16) -> Result<Self> {
        let http = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(3))
            .timeout(Duration::from_secs(120))
            .build()?;
        Ok(Self {
            http,
            port,
            faults: Arc::default(),
        })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Another process that serves the same.
    pub fn at(&self, port: u16) -> Self {
        Self {
            port,
            ..self.clone()
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub async fn is_ready(&self) -> bool {
        let call = self
            .http
            .get(self.url("/readyz"))
            .timeout(Duration::from_secs(5));
        call.send()
            .await
            .is_ok_and(|answer| answer.status().is_success())
    }

    /// The body of an answer, whatever it is.
    pub async fn text(&self, path: &str) -> Result<String> {
        let call = self.http.get(self.url(path));
        let answer = call.timeout(Duration::from_secs(1)).send().await?;
        Ok(answer.text().await?)
    }

    pub fn take_faults(&self) -> Vec<String> {
        std::mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn stranger(&self) -> Session {
        Session {
            site: self.clone(),
            token: Arc::default(),
        }
    }

    /// The first step alone, by the right password.
    pub async fn sign_in(&self, user: &str) -> Result<Answer> {
        let body = json!({"username": user, "password": PASSWORD});
        self.stranger().post("/auth/login", body).await
    }

    /// Signs in and chooses the role.
    pub async fn login(&self, user: &str, role: &str, tenant: &str) -> Result<Session> {
        let session = self.stranger();
        let signed = self.sign_in(user).await?.expect(200)?;
        session.take(&signed)?;
        let roles = signed["roles"].as_array().cloned().unwrap_or_default();
        let wanted = roles
            .iter()
            .find(|one| one["role"] == role && one["tenant_code"] == tenant)
            .with_context(|| format!("{user} has no role {role} of {tenant}"))?;
        let chosen = session
            .call(
                Method::POST,
                "/auth/role-select",
                Some(json!({"role_id": wanted["id"]})),
                None,
            )
            .await?
            .expect(200)?;
        session.take(&chosen)?;
        Ok(session)
    }
}

impl Session {
    fn take(&self, answer: &Value) -> Result<()> {
        let token = answer["token"].as_str().context("no token")?;
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token.to_owned();
        Ok(())
    }

    /// The same person at another process.
    pub fn at(&self, port: u16) -> Self {
        Self {
            site: self.site.at(port),
            token: self.token.clone(),
        }
    }

    pub fn token(&self) -> String {
        self.token
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// A request with the token, to be finished by the caller.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let url = self.site.url(&format!("/api{path}"));
        let request = self.site.http.request(method, url);
        match self.token() {
            token if token.is_empty() => request,
            token => request.bearer_auth(token),
        }
    }

    pub async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        key: Option<&str>,
    ) -> Result<Answer> {
        let mut request = self.request(method.clone(), path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let answer = request.send().await?;
        self.read(&format!("{method} {path}"), answer).await
    }

    /// Takes what every answer carries: a fresh token, and whether it was one that must not be.
    pub async fn read(&self, what: &str, answer: reqwest::Response) -> Result<Answer> {
        let status = answer.status().as_u16();
        let header = |name: &str| {
            answer
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned)
        };
        if let Some(token) = header("refresh-token") {
            *self.token.lock().unwrap_or_else(PoisonError::into_inner) = token;
        }
        let retry_after = header("retry-after");
        let text = answer.text().await?;
        if status >= 500 && !(status == 503 && retry_after.is_some()) {
            let short: String = text.chars().take(200).collect();
            self.site
                .faults
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(format!("{what} answered {status}: {short}"));
        }
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(Answer { status, body })
    }

    pub async fn get(&self, path: &str) -> Result<Answer> {
        self.call(Method::GET, path, None, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Result<Answer> {
        self.call(Method::POST, path, Some(body), None).await
    }

    pub async fn put(&self, path: &str, body: Option<Value>) -> Result<Answer> {
        self.call(Method::PUT, path, body, None).await
    }
}
