//! The register simulator's process and its control: script, settings, and the log of effects that judges duplicates.
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::process::Process;

pub struct Simulator {
    http: reqwest::Client,
    base: String,
    _process: Process,
}

/// One accepted effect.
#[derive(Debug, Clone, Deserialize)]
pub struct Effect {
    pub seq: u64,
    pub at: DateTime<Utc>,
    pub message_id: String,
    pub count: u32,
}

impl Simulator {
    pub async fn start(programs: &Path, folder: &Path, port: u16, seed: u64) -> Result<Self> {
        let envs = [
            ("PORT", port.to_string()),
            (
                "LOG_FILE",
                folder.join("register-simulator.log").display().to_string(),
            ),
            ("CAPACITY", "2000000".to_owned()),
            ("SEED", seed.to_string()),
        ];
        let log = folder.join("log/register-simulator.out");
        let program = programs.join("register-simulator");
        let process = Process::start("register-simulator", &program, &[], &envs, &log)?;
        let simulator = Self {
            http: reqwest::Client::builder()
                .timeout(Duration::from_secs(30))
                .build()?,
            base: format!("http://127.0.0.1:{port}"),
            _process: process,
        };
        let until = Instant::now() + Duration::from_secs(20);
        while simulator.get("/healthz").await.is_err() {
            if Instant::now() > until {
                bail!("the simulator does not start; see {}", log.display());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(simulator)
    }

    /// Where workers find the register.
    pub fn register_url(&self) -> String {
        format!("{}/xroad", self.base)
    }

    async fn get(&self, path: &str) -> Result<Value> {
        let answer = self.http.get(format!("{}{path}", self.base)).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }

    /// No rules, nothing held, settings as by default.
    pub async fn reset(&self) -> Result<()> {
        for path in ["/control/script", "/control/held"] {
            let answer = self.http.delete(format!("{}{path}", self.base)).send();
            answer.await?.error_for_status()?;
        }
        self.settings(json!({})).await
    }

    pub async fn settings(&self, settings: Value) -> Result<()> {
        let call = self
            .http
            .put(format!("{}/control/settings", self.base))
            .json(&settings);
        call.send().await?.error_for_status()?;
        Ok(())
    }

    pub async fn latency(&self, from_ms: u64, to_ms: u64) -> Result<()> {
        self.settings(json!({"latency_ms": [from_ms, to_ms]})).await
    }

    pub async fn script(&self, rules: Value) -> Result<()> {
        let call = self
            .http
            .post(format!("{}/control/script", self.base))
            .json(&rules);
        call.send().await?.error_for_status()?;
        Ok(())
    }

    /// How often the first rule of the script was applied.
    pub async fn applied(&self) -> Result<u64> {
        let script = self.get("/control/script").await?;
        Ok(script["rules"][0]["applied"].as_u64().unwrap_or(0))
    }

    /// How many calls came in all.
    pub async fn calls(&self) -> Result<u64> {
        let log = self.get("/control/log?limit=0").await?;
        Ok(log["total"].as_u64().unwrap_or(0))
    }

    /// When the last calls came, 5,000 at most.
    pub async fn log(&self) -> Result<Vec<DateTime<Utc>>> {
        let log = self.get("/control/log?limit=5000").await?;
        let calls = log["calls"].as_array().into_iter().flatten();
        calls
            .map(|call| Ok(serde_json::from_value(call["at"].clone())?))
            .collect()
    }

    /// The number of the last effect, to start the next stretch after; and message ids that came with two contents.
    pub async fn last(&self) -> Result<(u64, u64)> {
        let summary = self
            .get("/control/effects?summary=1&after=1000000000")
            .await?;
        Ok((
            summary["last_seq"].as_u64().unwrap_or(0),
            summary["reused_ids"].as_u64().unwrap_or(0),
        ))
    }

    /// All effects after a number.
    pub async fn effects(&self, mut after: u64) -> Result<Vec<Effect>> {
        let mut all = Vec::new();
        loop {
            let page = self
                .get(&format!("/control/effects?limit=10000&after={after}"))
                .await?;
            let page: Vec<Effect> = serde_json::from_value(page["effects"].clone())?;
            let Some(last) = page.last() else {
                return Ok(all);
            };
            after = last.seq;
            all.extend(page);
        }
    }
}
