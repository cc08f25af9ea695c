//! A PostgreSQL of the rig's own, to stop at once, to start again on the same port, and to fill; and the product upon it.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::judge::Report;
use crate::logs;
use crate::process::Process;
use crate::rig::{Plan, Rig};

pub struct PostgresServer {
    pub folder: PathBuf,
    log: PathBuf,
    process: Option<Process>,
}

/// As the scripts start one, durable; the shell lives as long as the server.
const START: &str =
    r#". "$0"; start_postgres "$1" on trust; echo "$DATABASE_URL" >"$1/url"; wait "$pg_pid""#;

impl PostgresServer {
    /// Makes the data in a folder whose parents PostgreSQL's user can get through.
    pub async fn start(folder: &Path, log: &Path) -> Result<Self> {
        let mut server = Self {
            folder: folder.to_owned(),
            log: log.to_owned(),
            process: None,
        };
        server.up().await?;
        Ok(server)
    }

    /// Starts it and waits until it takes orders.
    pub async fn up(&mut self) -> Result<()> {
        let url = self.folder.join("url");
        std::fs::remove_file(&url).ok();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/lib.sh");
        let (script, folder) = (
            script.display().to_string(),
            self.folder.display().to_string(),
        );
        let args = ["-c", START, script.as_str(), folder.as_str()];
        let mut process = Process::start("postgres", Path::new("bash"), &args, &[], &self.log)?;
        let until = Instant::now() + Duration::from_secs(60);
        while !url.exists() {
            if process.has_ended() || Instant::now() > until {
                bail!("PostgreSQL does not start; see {}", self.log.display());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.process = Some(process);
        Ok(())
    }

    /// An administrator's.
    pub fn url(&self) -> Result<String> {
        let url = std::fs::read_to_string(self.folder.join("url"))?;
        Ok(url.trim().to_owned())
    }

    /// An administrator's, of another database.
    pub fn url_of(&self, database: &str) -> Result<String> {
        let url = self.url()?;
        let (before, _) = url.rsplit_once('/').context("a URL without a database")?;
        Ok(format!("{before}/{database}"))
    }

    /// What `pg_ctl -m immediate stop` does: every backend is gone at once, nothing is written any more.
    pub async fn stop_at_once(&mut self) -> Result<()> {
        self.end("QUIT").await
    }

    pub async fn stop(&mut self) -> Result<()> {
        self.end("INT").await
    }

    async fn end(&mut self, signal: &str) -> Result<()> {
        let Some(mut process) = self.process.take() else {
            return Ok(());
        };
        let file = std::fs::read_to_string(self.folder.join("data/postmaster.pid"))
            .context("PostgreSQL is not running")?;
        let pid = file.lines().next().context("an empty postmaster.pid")?;
        let kill = tokio::process::Command::new("kill")
            .args(["-s", signal, "--", pid])
            .status();
        if !kill.await?.success() || process.end(Duration::from_secs(60)).await?.is_none() {
            bail!("PostgreSQL {pid} did not end");
        }
        Ok(())
    }
}

/// Gives a scenario a product of its own on a PostgreSQL of its own, and judges the logs there.
pub async fn with_own<F>(rig: &Rig, name: &str, plan: Plan, scenario: F) -> Result<Report>
where
    F: AsyncFnOnce(&mut Rig, &mut PostgresServer) -> Result<Report>,
{
    let folder = rig.folder.join(name);
    std::fs::create_dir_all(folder.join("log"))?;
    let log = folder.join("log/postgres.out");
    // Beside it: the product's folder goes before its PostgreSQL has ended.
    let data = rig.folder.join(format!("{name}-postgres"));
    let mut server = PostgresServer::start(&data, &log).await?;
    let mut own = Rig::start(
        &server.url()?,
        folder.clone(),
        rig.size,
        rig.tasks,
        plan,
        rig.seed,
    )
    .await?;
    own.start_api(&[]).await?;
    let mut report = scenario(&mut own, &mut server).await;
    if let Ok(report) = &mut report {
        let spoken = logs::judge(&folder.join("log"), &own.admin).await?;
        report.wrong.extend(spoken);
    }
    let failed = !report.as_ref().is_ok_and(|report| report.wrong.is_empty());
    let finished = own.finish(failed).await;
    let stopped = server.stop().await;
    // The first error is the one that tells.
    let report = report?;
    finished?;
    stopped?;
    Ok(report)
}
