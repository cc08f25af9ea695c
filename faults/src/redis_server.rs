//! A Redis of the rig's own, to stop, to empty and to start again on the same port.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process::Process;

pub struct RedisServer {
    folder: PathBuf,
    log: PathBuf,
    port: u16,
    keeps: bool,
    process: Option<Process>,
}

impl RedisServer {
    /// `keeps`: with its log of writes.
    pub async fn start(folder: &Path, port: u16, keeps: bool) -> Result<Self> {
        let mut server = Self {
            folder: folder.join("redis"),
            log: folder.join("log/redis.log"),
            port,
            keeps,
            process: None,
        };
        server.up().await?;
        Ok(server)
    }

    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Starts it with what its folder holds, and waits until it has loaded.
    pub async fn up(&mut self) -> Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        let (port, folder) = (self.port.to_string(), self.folder.display().to_string());
        let log = if self.keeps { "yes" } else { "no" };
        let args = [
            "--port",
            port.as_str(),
            "--bind",
            "127.0.0.1",
            "--dir",
            folder.as_str(),
            "--save",
            "",
            "--appendonly",
            log,
            "--appendfsync",
            "everysec",
            "--maxmemory-policy",
            "noeviction",
        ];
        let program = Path::new("redis-server");
        self.process = Some(Process::start("redis", program, &args, &[], &self.log)?);
        let until = Instant::now() + Duration::from_secs(20);
        while self.keys().await.is_err() {
            if Instant::now() > until {
                bail!("Redis does not start; see {}", self.log.display());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// How many keys there are.
    pub async fn keys(&self) -> Result<u64> {
        let client = redis::Client::open(self.url())?;
        let mut conn = tokio::time::timeout(
            Duration::from_secs(5),
            client.get_multiplexed_async_connection(),
        )
        .await??;
        Ok(redis::cmd("DBSIZE").query_async(&mut conn).await?)
    }

    pub async fn used_memory(&self) -> Result<u64> {
        let client = redis::Client::open(self.url())?;
        let mut conn = client.get_multiplexed_async_connection().await?;
        let info: String = redis::cmd("INFO")
            .arg("memory")
            .query_async(&mut conn)
            .await?;
        let line = info
            .lines()
            .find_map(|line| line.strip_prefix("used_memory:"));
        Ok(line
            .context("Redis does not tell its memory")?
            .trim()
            .parse()?)
    }

    /// An orderly end: with its log of writes nothing is lost.
    pub async fn stop(&mut self) -> Result<()> {
        if let Some(process) = self.process.take() {
            process.stop(Duration::from_secs(10)).await?;
        }
        Ok(())
    }

    /// The end without a word, and everything it held is gone.
    pub async fn lose(&mut self) -> Result<()> {
        if let Some(process) = self.process.take() {
            process.kill().await?;
        }
        std::fs::remove_dir_all(&self.folder)?;
        Ok(())
    }

    pub async fn restart_empty(&mut self) -> Result<()> {
        self.lose().await?;
        self.up().await
    }
}
