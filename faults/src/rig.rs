//! The product as it runs: a database of its own with demo data, Redis, simulator, api, workers, and proxies before them.
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions};

use crate::process::Process;
use crate::proxy::Proxy;
use crate::redis_server::RedisServer;
use crate::simulator::Simulator;
use crate::site::{Session, Site};

/// How large a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// As the table of faults says.
    Full,
    /// Minutes at most, for every change.
    Short,
}

impl Size {
    pub fn of<T>(self, full: T, short: T) -> T {
        match self {
            Self::Full => full,
            Self::Short => short,
        }
    }
}

pub struct Worker {
    pub process: Process,
    /// Between this process and PostgreSQL.
    pub proxy: Proxy,
    /// Where it says whether it is ready.
    port: u16,
}

pub struct Rig {
    pub size: Size,
    /// Tasks of the base load.
    pub tasks: i64,
    pub seed: u64,
    pub rng: StdRng,
    pub folder: PathBuf,
    pub admin: PgPool,
    pub redis: RedisServer,
    pub simulator: Simulator,
    pub site: Site,
    pub api: Option<Process>,
    pub workers: Vec<Worker>,
    /// Backends that were seen idle in a transaction for more than 15 s.
    pub idle: Arc<Mutex<Vec<String>>>,
    /// Seconds that a fault-free action of a type over so many cases took.
    pub baseline: HashMap<(i64, i64), Duration>,
    programs: PathBuf,
    database: String,
    server: PgConnectOptions,
    pg: SocketAddr,
    started: u32,
    sampler: tokio::task::JoinHandle<()>,
    /// The last to go.
    whole: Folder,
}

pub const BUREAUS: i64 = 5;

/// The folder of a run: gone with it, unless something failed.
struct Folder {
    path: PathBuf,
    keep: bool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.keep {
            eprintln!("Logs stay in {}", self.path.display());
        } else {
            std::fs::remove_dir_all(&self.path).ok();
        }
    }
}

impl Rig {
    /// Makes the database and its data on the server that `url` names, in an administrator's name; starts Redis and the
    /// simulator; api and workers are each scenario's.
    pub async fn start(
        url: &str,
        folder: PathBuf,
        size: Size,
        tasks: i64,
        cases: i64,
        seed: u64,
    ) -> Result<Self> {
        let programs = std::env::current_exe()?
            .parent()
            .context("a program without a folder")?
            .to_owned();
        std::fs::create_dir_all(folder.join("log"))?;
        let whole = Folder {
            path: folder.clone(),
            keep: false,
        };
        let server = PgConnectOptions::from_str(url)?.disable_statement_logging();
        let database = format!("toimik_faults_{}", std::process::id());
        let make = PgPool::connect_with(server.clone().database("postgres")).await?;
        sqlx::query(AssertSqlSafe(format!("create database {database}")))
            .execute(&make)
            .await?;
        make.close().await;
        let (before, query) = url.split_once('?').unwrap_or((url, ""));
        let (host, _) = before
            .rsplit_once('/')
            .context("DATABASE_URL names no database")?;
        let own = format!("{host}/{database}?{query}");
        for (program, value) in [("migrate", 0), ("demo", cases)] {
            let envs = [
                ("DATABASE_URL", own.clone()),
                ("TOIMIK_DATA", folder.display().to_string()),
                ("CASES", value.to_string()),
                ("BUREAUS", BUREAUS.to_string()),
            ];
            run(&programs.join(program), &envs)
                .await
                .with_context(|| format!("{program} failed"))?;
        }
        let admin = PgPoolOptions::new()
            .max_connections(8)
            .acquire_timeout(Duration::from_secs(30))
            .connect_with(server.clone().database(&database))
            .await?;
        // Only three of the demo bureaus have a bailiff, and without one nothing is sent.
        sqlx::query("update bureaus set bailiff_name = 'Mari Näidis', bailiff_code = '46709049932' where bailiff_code is null and not is_chamber")
            .execute(&admin)
            .await?;
        let pg = SocketAddr::from((Ipv4Addr::LOCALHOST, server.get_port()));
        let idle = Arc::new(Mutex::new(Vec::new()));
        let sampler = tokio::spawn(watch_idle(admin.clone(), idle.clone()));
        let redis = RedisServer::start(&folder, free_port()?, true).await?;
        let simulator = Simulator::start(&programs, &folder, free_port()?, seed).await?;
        let site = Site::new(free_port()?)?;
        Ok(Self {
            size,
            tasks,
            seed,
            rng: StdRng::seed_from_u64(seed),
            folder,
            admin,
            redis,
            simulator,
            site,
            api: None,
            workers: Vec::new(),
            idle,
            baseline: HashMap::new(),
            programs,
            database,
            server,
            pg,
            started: 0,
            sampler,
            whole,
        })
    }

    /// Starts the api and waits until it is ready.
    pub async fn start_api(&mut self, more: &[(&'static str, String)]) -> Result<()> {
        let mut envs = vec![
            (
                "DATABASE_URL_FILE",
                self.folder.join("db/api.url").display().to_string(),
            ),
            ("TOIMIK_DATA", self.folder.display().to_string()),
            ("PORT", self.site.port().to_string()),
            ("METRICS_PORT", free_port()?.to_string()),
        ];
        envs.extend_from_slice(more);
        let log = self.folder.join("log/api.log");
        let mut api = Process::start("api", &self.programs.join("api"), &[], &envs, &log)?;
        let until = Instant::now() + Duration::from_secs(30);
        while !self.site.is_ready().await {
            if api.has_ended() || Instant::now() > until {
                bail!("the api is not ready; see {}", log.display());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.api = Some(api);
        Ok(())
    }

    pub async fn kill_api(&mut self) -> Result<()> {
        match self.api.take() {
            Some(api) => api.kill().await,
            None => Ok(()),
        }
    }

    /// Starts one more worker process with its own proxy to PostgreSQL; waits until it says that it works.
    pub async fn start_worker(&mut self, more: &[(&'static str, String)]) -> Result<Worker> {
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
        let log = self.folder.join(format!("log/{name}.log"));
        let process = Process::start(&name, &self.programs.join("jobs"), &[], &envs, &log)?;
        Ok(Worker {
            process,
            proxy,
            port,
        })
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

    /// Before each scenario: a clean simulator and Redis, an api, no workers.
    pub async fn reset(&mut self) -> Result<()> {
        self.stop_workers().await?;
        self.kill_api().await?;
        self.site.take_faults();
        self.simulator.reset().await?;
        self.simulator.latency(20, 80).await?;
        self.redis.restart_empty().await?;
        // What the row before did to the register is none of the next one's.
        sqlx::raw_sql("update registers set state = 'closed', opened_at = null, next_probe_at = null, closed_at = null; delete from register_outcomes")
            .execute(&self.admin)
            .await?;
        self.take_idle();
        self.start_api(&[]).await
    }

    /// Whether a worker says that it can work.
    pub async fn is_worker_ready(&self, index: usize) -> Result<bool> {
        Ok(Site::new(self.workers[index].port)?.is_ready().await)
    }

    pub async fn session(&self, user: &str, role: &str, tenant: &str) -> Result<Session> {
        self.site.login(user, role, tenant).await
    }

    pub async fn koda(&self) -> Result<Session> {
        self.session("koda", "koda", "koda").await
    }

    pub fn take_idle(&self) -> Vec<String> {
        std::mem::take(&mut self.idle.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A random time up to `most`.
    pub fn moment(&mut self, most: Duration) -> Duration {
        let most = u64::try_from(most.as_micros()).unwrap_or(u64::MAX).max(1);
        Duration::from_micros(self.rng.random_range(0..most))
    }

    /// Ends everything; `keep` leaves the folder.
    pub async fn finish(mut self, keep: bool) -> Result<()> {
        self.whole.keep = keep;
        self.sampler.abort();
        self.stop_workers().await?;
        self.kill_api().await?;
        self.redis.stop().await?;
        self.admin.close().await;
        let make = PgPool::connect_with(self.server.clone().database("postgres")).await?;
        let drop = format!("drop database if exists {} with (force)", self.database);
        sqlx::query(AssertSqlSafe(drop)).execute(&make).await?;
        Ok(())
    }
}

async fn run(program: &Path, envs: &[(&str, String)]) -> Result<()> {
    let mut command = tokio::process::Command::new(program);
    command
        .envs(envs.iter().map(|(key, value)| (*key, value.as_str())))
        .stdout(std::process::Stdio::null())
        .kill_on_drop(true);
    let status = tokio::time::timeout(Duration::from_secs(600), command.status()).await??;
    if !status.success() {
        bail!("{} ended with {status}", program.display());
    }
    Ok(())
}

/// Below the range that outgoing connections take.
pub fn free_port() -> Result<u16> {
    for _ in 0..200 {
        let port = rand::rng().random_range(15_000..32_000);
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    bail!("no free port")
}

async fn watch_idle(admin: PgPool, found: Arc<Mutex<Vec<String>>>) {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let rows: Vec<String> = sqlx::query_scalar(
            "select usename || ' ' || left(query, 200) from pg_stat_activity
             where datname = current_database() and state like 'idle in transaction%'
               and state_change < clock_timestamp() - interval '15 s'",
        )
        .fetch_all(&admin)
        .await
        .unwrap_or_default();
        found
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(rows);
    }
}
