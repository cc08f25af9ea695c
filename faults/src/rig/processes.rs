//! The product's processes, as the rig starts, kills, rolls and replaces them.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{Rig, Scheduler, Worker, free_port};
use crate::process::Process;
use crate::proxy::Proxy;
use crate::site::Site;

impl Rig {
    /// Starts the api and waits until it is ready.
    pub async fn start_api(&mut self, more: &[(&'static str, String)]) -> Result<()> {
        self.api = Some(self.spawn_api("api", &self.site, more).await?);
        Ok(())
    }

    /// One more api process at the port of `site`; waits until it is ready.
    pub async fn spawn_api(
        &self,
        name: &str,
        site: &Site,
        more: &[(&'static str, String)],
    ) -> Result<Process> {
        let mut envs = vec![
            ("DATABASE_URL_FILE", self.login("api")),
            ("TOIMIK_DATA", self.folder.display().to_string()),
            ("PORT", site.port().to_string()),
            ("METRICS_PORT", free_port()?.to_string()),
        ];
        envs.extend_from_slice(more);
        let mut api = self.spawn("api", name, &envs)?;
        until_ready(&mut api, site).await?;
        Ok(api)
    }

    /// A scheduler; waits until it says that it can work.
    pub async fn spawn_scheduler(
        &self,
        name: &str,
        more: &[(&'static str, String)],
    ) -> Result<Scheduler> {
        let site = self.site.at(free_port()?);
        let mut envs = vec![
            ("DATABASE_URL_FILE", self.login("scheduler")),
            ("METRICS_PORT", site.port().to_string()),
        ];
        envs.extend_from_slice(more);
        let mut process = self.spawn("scheduler", name, &envs)?;
        until_ready(&mut process, &site).await?;
        Ok(Scheduler { process, site })
    }

    /// The file with the URL of a process's own login.
    fn login(&self, process: &str) -> String {
        let file = self.folder.join(format!("db/{process}.url"));
        file.display().to_string()
    }

    fn spawn(&self, program: &str, name: &str, envs: &[(&str, String)]) -> Result<Process> {
        let log = self.folder.join(format!("log/{name}.log"));
        Process::start(name, &self.programs.join(program), &[], envs, &log)
    }

    pub async fn kill_api(&mut self) -> Result<()> {
        match self.api.take() {
            Some(api) => api.kill().await,
            None => Ok(()),
        }
    }

    /// Starts one more worker process with its own proxy to PostgreSQL.
    pub async fn start_worker(&mut self, more: &[(&'static str, String)]) -> Result<Worker> {
        let program = self.program("jobs");
        self.start_worker_in("log", &[&program], more).await
    }

    /// As `start_worker`; `command` becomes the worker, and its log lies in `folder`.
    pub async fn start_worker_in(
        &mut self,
        folder: &str,
        command: &[&str],
        more: &[(&'static str, String)],
    ) -> Result<Worker> {
        self.started += 1;
        let name = format!("jobs-{}", self.started);
        let (proxy, port) = (Proxy::start(self.pg).await?, free_port()?);
        let url = std::fs::read_to_string(self.folder.join("db/jobs.url"))?;
        let there = format!(":{}/", self.pg.port());
        if !url.contains(&there) {
            bail!("the workers' database URL has no {there}");
        }
        let file = self.folder.join(format!("db/{name}.url"));
        std::fs::write(&file, url.replace(&there, &format!(":{}/", proxy.port)))?;
        let mut envs = vec![
            ("DATABASE_URL_FILE", file.display().to_string()),
            ("TOIMIK_DATA", self.folder.display().to_string()),
            ("REDIS_URL", self.redis.url()),
            ("TARN_URL", self.simulator.register_url()),
            ("METRICS_PORT", port.to_string()),
        ];
        envs.extend_from_slice(more);
        let folder = self.folder.join(folder);
        std::fs::create_dir_all(&folder)?;
        let log = folder.join(format!("{name}.log"));
        let (program, args) = command.split_first().context("no command")?;
        let process = Process::start(&name, Path::new(program), args, &envs, &log)?;
        Ok(Worker {
            process,
            proxy,
            port,
        })
    }

    /// The built program of a name.
    pub fn program(&self, name: &str) -> String {
        self.programs.join(name).display().to_string()
    }

    /// Starts workers until there are `count`, all alike.
    pub async fn start_workers(
        &mut self,
        count: usize,
        more: &[(&'static str, String)],
    ) -> Result<()> {
        while self.workers.len() < count {
            let worker = self.start_worker(more).await?;
            self.workers.push(worker);
        }
        for index in 0..self.workers.len() {
            self.worker_id(index).await?;
        }
        Ok(())
    }

    /// The row of a worker process; waits for it.
    pub async fn worker_id(&mut self, index: usize) -> Result<i64> {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let worker = &mut self.workers[index];
            let pid = i32::try_from(worker.process.pid)?;
            let found: Option<i64> = sqlx::query_scalar(
                "select id from workers where pid = $1 and stopped_at is null order by id desc limit 1",
            )
            .bind(pid)
            .fetch_optional(&self.admin)
            .await?;
            if let Some(id) = found {
                return Ok(id);
            }
            if worker.process.has_ended() || Instant::now() > until {
                bail!("{} does not work; see its log", worker.process.name);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// kill -9, then the same again as the supervisor would.
    pub async fn replace_worker(
        &mut self,
        index: usize,
        more: &[(&'static str, String)],
    ) -> Result<()> {
        let fresh = self.start_worker(more).await?;
        let old = std::mem::replace(&mut self.workers[index], fresh);
        old.process.kill().await
    }

    /// Ends one in order, then starts the same again.
    pub async fn roll_worker(&mut self, index: usize) -> Result<()> {
        let old = self.workers.remove(index);
        old.process.stop(Duration::from_secs(40)).await?;
        let fresh = self.start_worker(&[]).await?;
        self.workers.insert(index, fresh);
        self.worker_id(index).await?;
        Ok(())
    }

    /// Ends the api in order, then starts it again.
    pub async fn roll_api(&mut self) -> Result<()> {
        if let Some(api) = self.api.take() {
            api.stop(Duration::from_secs(40)).await?;
        }
        self.start_api(&[]).await
    }

    /// What is started from now on is of this release.
    pub fn use_new_programs(&mut self) -> Result<()> {
        self.programs = own_programs()?;
        Ok(())
    }

    /// Starts again those that ended by themselves; returns how many.
    pub async fn revive_workers(&mut self, more: &[(&'static str, String)]) -> Result<usize> {
        let mut revived = 0;
        for index in 0..self.workers.len() {
            if self.workers[index].process.has_ended() {
                self.replace_worker(index, more).await?;
                revived += 1;
            }
        }
        Ok(revived)
    }

    pub async fn stop_workers(&mut self) -> Result<()> {
        let stops = std::mem::take(&mut self.workers)
            .into_iter()
            .map(|worker| async move {
                let clean = worker.process.stop(Duration::from_secs(40)).await;
                drop(worker.proxy);
                clean
            });
        for clean in futures::future::join_all(stops).await {
            clean?;
        }
        Ok(())
    }

    /// Whether a worker says that it can work.
    pub async fn is_worker_ready(&self, index: usize) -> Result<bool> {
        Ok(Site::new(self.workers[index].port)?.is_ready().await)
    }
}

/// Those that were built with this one.
pub(super) fn own_programs() -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    Ok(this
        .parent()
        .context("a program without a folder")?
        .to_owned())
}

async fn until_ready(process: &mut Process, site: &Site) -> Result<()> {
    let until = Instant::now() + Duration::from_secs(30);
    while !site.is_ready().await {
        if process.has_ended() || Instant::now() > until {
            bail!("{} is not ready; see its log", process.name);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
