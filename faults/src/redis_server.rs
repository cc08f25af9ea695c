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
    /// Foreign keys that fill it.
    stones: u64,
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
            stones: 0,
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

    /// One command on a connection of its own.
    async fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> Result<T> {
        let client = redis::Client::open(self.url())?;
        let mut conn = tokio::time::timeout(
            Duration::from_secs(5),
            client.get_multiplexed_async_connection(),
        )
        .await??;
        let (name, rest) = words.split_first().context("a command without a name")?;
        Ok(redis::cmd(name).arg(rest).query_async(&mut conn).await?)
    }

    /// How many keys there are.
    pub async fn keys(&self) -> Result<u64> {
        self.ask(&["DBSIZE"]).await
    }

    pub async fn set(&self, setting: &str, value: &str) -> Result<()> {
        self.ask(&["CONFIG", "SET", setting, value]).await
    }

    /// Everything is gone, and the server runs on.
    pub async fn flush(&self) -> Result<()> {
        self.ask(&["FLUSHALL"]).await
    }

    /// How many workers a queue knows.
    pub async fn workers(&self, queue: &str) -> Result<u64> {
        self.ask(&["ZCARD", &format!("toimik:{queue}:workers")])
            .await
    }

    /// Adds foreign keys until not even a small one is taken.
    pub async fn fill(&mut self) -> Result<()> {
        let client = redis::Client::open(self.url())?;
        let mut conn = client.get_multiplexed_async_connection().await?;
        for size in [1_000, 1] {
            let stone = "x".repeat(size);
            loop {
                let key = format!("ballast:{}", self.stones);
                let set = redis::cmd("SET")
                    .arg(key)
                    .arg(&stone)
                    .exec_async(&mut conn)
                    .await;
                match set {
                    Ok(()) => self.stones += 1,
                    Err(error) if error.code() == Some("OOM") => break,
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Takes the foreign keys out again.
    pub async fn unload(&mut self) -> Result<()> {
        let keys: Vec<String> = (0..std::mem::take(&mut self.stones))
            .map(|stone| format!("ballast:{stone}"))
            .collect();
        for part in keys.chunks(1_000) {
            let mut words = vec!["DEL"];
            words.extend(part.iter().map(String::as_str));
            let _: u64 = self.ask(&words).await?;
        }
        Ok(())
    }

    pub async fn used_memory(&self) -> Result<u64> {
        let info: String = self.ask(&["INFO", "memory"]).await?;
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
