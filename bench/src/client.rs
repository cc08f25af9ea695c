//! Speaks to the api as the console does.
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: String,
}

impl Client {
    /// Signs a demo user in and chooses the role; waits for the api to come up.
    pub async fn sign_in(base: &str, user: &str, role: &str) -> Result<Self> {
        let http = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(300))
            .build()?;
        let mut client = Self {
            http,
            base: base.to_owned(),
            token: String::new(),
        };
        let mut tries = 0;
        let session = loop {
            match client
                .post(
                    "/auth/login",
                    &json!({"username": user, "password": "toimik-demo"}),
                )
                .await
            {
                Ok(session) => break session,
                Err(error) if tries == 150 => return Err(error),
                Err(_) => tries += 1,
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        client.token = session["token"].as_str().context("a token")?.to_owned();
        let roles = session["roles"].as_array().context("roles")?;
        let role = roles
            .iter()
            .find(|r| r["role"] == role)
            .context("the role")?["id"]
            .clone();
        let chosen = client
            .post("/auth/role-select", &json!({"role_id": role}))
            .await?;
        client.token = chosen["token"].as_str().context("a token")?.to_owned();
        Ok(client)
    }

    pub async fn post(&self, path: &str, body: &Value) -> Result<Value> {
        let key = format!("{}-{}", path.len(), rand::random::<u64>());
        let request = self
            .http
            .post(format!("{}{path}", self.base))
            .header("idempotency-key", key)
            .json(body);
        self.answer(request).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Result<Value> {
        self.answer(self.http.put(format!("{}{path}", self.base)).json(body))
            .await
    }

    /// The same api as another demo user.
    pub async fn sign_in_as(&self, user: &str, role: &str) -> Result<Self> {
        Self::sign_in(&self.base, user, role).await
    }

    pub async fn get(&self, path: &str) -> Result<Value> {
        self.answer(self.http.get(format!("{}{path}", self.base)))
            .await
    }

    /// A GET that may answer 304; returns the status and the ETag.
    pub async fn poll(&self, path: &str, etag: Option<&str>) -> Result<(u16, Option<String>)> {
        let mut request = self
            .http
            .get(format!("{}{path}", self.base))
            .bearer_auth(&self.token);
        if let Some(etag) = etag {
            request = request.header("if-none-match", etag);
        }
        let answer = request.send().await?;
        let etag = answer
            .headers()
            .get("etag")
            .and_then(|v| v.to_str().ok())
            .map(str::to_owned);
        Ok((answer.status().as_u16(), etag))
    }

    /// Reads a CSV answer to its end: time to the first byte in milliseconds, and bytes in all.
    pub async fn csv(&self, path: &str, body: &Value) -> Result<(f64, usize)> {
        let started = std::time::Instant::now();
        let request = self
            .http
            .post(format!("{}{path}", self.base))
            .bearer_auth(&self.token)
            .header("accept", "text/csv")
            .json(body);
        let mut answer = request.send().await?.error_for_status()?;
        let (mut first, mut bytes) = (None, 0);
        while let Some(part) = answer.chunk().await? {
            first.get_or_insert_with(|| started.elapsed().as_secs_f64() * 1000.0);
            bytes += part.len();
        }
        Ok((first.unwrap_or(0.0), bytes))
    }

    /// Uploads a file of cases.
    pub async fn import(&self, file: Vec<u8>) -> Result<Value> {
        let boundary = "toimik-bench-boundary";
        let mut body = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\ntaavi\r\n--{boundary}\r\n").into_bytes();
        body.extend(b"Content-Disposition: form-data; name=\"file\"; filename=\"toimikud.csv\"\r\nContent-Type: text/csv\r\n\r\n");
        body.extend(file);
        body.extend(format!("\r\n--{boundary}--\r\n").as_bytes());
        let request = self.http.post(format!("{}/import/taavi", self.base));
        self.answer(
            request
                .header(
                    "content-type",
                    format!("multipart/form-data; boundary={boundary}"),
                )
                .body(body),
        )
        .await
    }

    async fn answer(&self, request: reqwest::RequestBuilder) -> Result<Value> {
        let request = if self.token.is_empty() {
            request
        } else {
            request.bearer_auth(&self.token)
        };
        let answer = request.send().await?;
        let status = answer.status();
        let text = answer.text().await?;
        if !status.is_success() {
            bail!("{status}: {text}");
        }
        Ok(if text.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&text)?
        })
    }
}
