//! The product as it runs: a database of its own with demo data, Redis, simulator, api, workers, and proxies before them.
mod processes;

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

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

/// What a database is made of.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub cases: i64,
    /// The last migration; without it all that the programs know.
    pub schema: Option<i64>,
    /// The folder of other programs, which make it and run at first.
    pub old: Option<PathBuf>,
}

impl Plan {
    pub fn of(cases: i64) -> Self {
        Self {
            cases,
            ..Self::default()
        }
    }
}

pub struct Scheduler {
    pub process: Process,
    /// Its status port.
    pub site: Site,
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
    /// Programs of the release before, for the row that has one.
    pub old: Option<PathBuf>,
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
        plan: Plan,
        seed: u64,
    ) -> Result<Self> {
        let programs = match &plan.old {
            Some(old) => old.clone(),
            None => processes::own_programs()?,
        };
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
        let envs = [
            ("DATABASE_URL", own.clone()),
            ("TOIMIK_DATA", folder.display().to_string()),
            ("CASES", plan.cases.to_string()),
            ("BUREAUS", BUREAUS.to_string()),
        ];
        if let Some(version) = plan.schema {
            let mut conn = server.clone().database(&database).connect().await?;
            domain::db::setup::MIGRATOR
                .run_to(version, &mut conn)
                .await?;
            conn.close().await?;
            write_logins(&folder, &server.clone().database(&database))?;
        } else {
            run(&programs.join("migrate"), &envs).await?;
        }
        run(&programs.join("demo"), &envs).await?;
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
            old: plan.old,
            programs,
            database,
            server,
            pg,
            started: 0,
            sampler,
            whole,
        })
    }

    pub fn database(&self) -> &str {
        &self.database
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
        sqlx::raw_sql("update registers set state = 'closed', opened_at = null, next_probe_at = null, closed_at = null; delete from register_outcomes; delete from crons")
            .execute(&self.admin)
            .await?;
        self.take_idle();
        self.start_api(&[]).await
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

/// The logins' URLs for a server that trusts everybody, where `migrate` has not been.
fn write_logins(folder: &Path, options: &PgConnectOptions) -> Result<()> {
    std::fs::create_dir_all(folder.join("db"))?;
    for name in ["api", "jobs", "scheduler"] {
        let url = options.clone().username(&format!("toimik_{name}"));
        let file = folder.join(format!("db/{name}.url"));
        std::fs::write(file, url.to_url_lossy().to_string())?;
    }
    Ok(())
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
