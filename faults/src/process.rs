//! One process that the rig started: it ends with the rig, whatever happens to either.
use std::fs::OpenOptions;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::process::{Child, Command};

pub struct Process {
    pub name: String,
    pub pid: u32,
    child: Child,
}

impl Process {
    /// Starts a program in a process group of its own; its output is added to `log`.
    pub fn start(
        name: &str,
        program: &Path,
        args: &[&str],
        envs: &[(&str, String)],
        log: &Path,
    ) -> Result<Self> {
        let out = OpenOptions::new()
            .create(true)
            .append(true)
            .open(log)
            .with_context(|| format!("{} cannot be written", log.display()))?;
        let child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "--"])
            .arg(program)
            .args(args)
            .env_remove("DATABASE_URL")
            .env_remove("FAILPOINTS")
            .envs(envs.iter().map(|(key, value)| (*key, value.as_str())))
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(out)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{name} cannot be started"))?;
        let pid = child.id().context("a process without a number")?;
        Ok(Self {
            name: name.into(),
            pid,
            child,
        })
    }

    /// Sends a signal by its name.
    pub async fn signal(&self, signal: &str) -> Result<()> {
        let pid = self.pid.to_string();
        let status = Command::new("kill")
            .args(["-s", signal, "--", &pid])
            .stderr(Stdio::null())
            .status()
            .await?;
        if !status.success() {
            bail!("{} ({pid}) could not be signalled", self.name);
        }
        Ok(())
    }

    /// kill -9, and waits until it is gone.
    pub async fn kill(mut self) -> Result<()> {
        self.child.start_kill().ok();
        self.child.wait().await?;
        Ok(())
    }

    /// Asks it to end; after `within` it is killed. Says whether it ended by itself.
    pub async fn stop(mut self, within: Duration) -> Result<bool> {
        self.signal("TERM").await.ok();
        if tokio::time::timeout(within, self.child.wait())
            .await
            .is_ok()
        {
            return Ok(true);
        }
        self.kill().await?;
        Ok(false)
    }

    /// Waits for its own end; none when it does not come in time, else its exit code (-1 after a signal).
    pub async fn end(&mut self, within: Duration) -> Result<Option<i32>> {
        match tokio::time::timeout(within, self.child.wait()).await {
            Ok(status) => Ok(Some(status?.code().unwrap_or(-1))),
            Err(_) => Ok(None),
        }
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().ok().flatten().is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.has_ended() {
            let group = format!("-{}", self.pid);
            let _ = std::process::Command::new("kill")
                .args(["-s", "KILL", "--", &group])
                .stderr(Stdio::null())
                .status();
        }
    }
}
