//! The product under measurement: its own database, its processes in release, their memory.
use std::path::PathBuf;
use std::process::Stdio;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use futures::StreamExt;
use redis::aio::MultiplexedConnection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions};
use tokio::process::{Child, Command};

use crate::client::Client;
use crate::report::Report;

pub struct Rig {
    pub admin: PgPool,
    pub url: String,
    pub client: Client,
    /// Ports of /metrics.
    pub metrics: Vec<u16>,
    children: Vec<(&'static str, Child)>,
    /// Of api, a jobs process and Redis, in kB.
    peaks: Arc<[AtomicU64; 3]>,
    sampler: tokio::task::JoinHandle<()>,
    folder: PathBuf,
}

const API: usize = 0;
const JOBS: usize = 1;
const REDIS: usize = 2;

impl Rig {
    /// Makes the database with that many demo cases over so many bureaus, and starts api, two workers and the register simulator.
    pub async fn start(name: &str, cases: i64, bureaus: i64) -> Result<Self> {
        let server = std::env::var("DATABASE_URL").context("DATABASE_URL is not set")?;
        let redis_url = redis_url()?;
        let options = PgConnectOptions::from_str(&server)?.database(name);
        let postgres = PgPoolOptions::new()
            .max_connections(1)
            .connect(&server)
            .await?;
        for text in [
            format!("drop database if exists {name} with (force)"),
            format!("create database {name}"),
        ] {
            sqlx::raw_sql(AssertSqlSafe(text))
                .execute(&postgres)
                .await?;
        }
        let url = options.to_url_lossy().to_string();
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let run = |program: &str| {
            let mut command = Command::new(programs().join(program));
            command
                .env("TOIMIK_DATA", &folder)
                .env("DATABASE_URL", &url)
                .env("CASES", cases.to_string())
                .env("BUREAUS", bureaus.to_string())
                .stderr(Stdio::inherit());
            command
        };
        for program in ["migrate", "demo"] {
            eprintln!("{program} …");
            if !run(program).status().await?.success() {
                bail!("{program} failed");
            }
        }
        let admin = PgPoolOptions::new()
            .max_connections(4)
            .connect(&url)
            .await?;
        sqlx::raw_sql("vacuum analyze").execute(&admin).await?;
        let port = free_port()?;
        let simulator = free_port()?;
        let metrics = [free_port()?, free_port()?, free_port()?];
        let login = |process: &str| folder.join("db").join(format!("{process}.url"));
        let mut children = Vec::new();
        let mut start = |program: &'static str,
                         of: &'static str,
                         settings: Vec<(&str, String)>|
         -> Result<()> {
            let log =
                std::fs::File::create(folder.join(format!("{program}-{}.log", children.len())))?;
            let mut command = Command::new(programs().join(program));
            command
                .env_remove("DATABASE_URL")
                .env("DATABASE_URL_FILE", login(of))
                .env("TOIMIK_DATA", &folder);
            command
                .env("REDIS_URL", &redis_url)
                .env("REDIS_PREFIX", name)
                .env("RUST_LOG", "warn");
            command
                .envs(settings)
                .stdout(Stdio::null())
                .stderr(log)
                .kill_on_drop(true);
            children.push((program, command.spawn()?));
            Ok(())
        };
        start(
            "register-simulator",
            "jobs",
            vec![("PORT", simulator.to_string())],
        )?;
        start(
            "api",
            "api",
            vec![
                ("PORT", port.to_string()),
                ("METRICS_PORT", metrics[0].to_string()),
            ],
        )?;
        for port in &metrics[1..] {
            start(
                "jobs",
                "jobs",
                vec![
                    ("TARN_URL", format!("http://127.0.0.1:{simulator}/xroad")),
                    ("METRICS_PORT", port.to_string()),
                ],
            )?;
        }
        let client =
            Client::sign_in(&format!("http://127.0.0.1:{port}/api"), "taitur", "KT").await?;
        let peaks = Arc::new([const { AtomicU64::new(0) }; 3]);
        let watched: Vec<(usize, u32)> = children
            .iter()
            .filter_map(|(name, child)| match *name {
                "api" => Some((API, child.id()?)),
                "jobs" => Some((JOBS, child.id()?)),
                _ => None,
            })
            .collect();
        let sampler = tokio::spawn(sample(watched, redis().await?, peaks.clone()));
        Ok(Self {
            admin,
            url,
            client,
            metrics: metrics.to_vec(),
            children,
            peaks,
            sampler,
            folder,
        })
    }

    /// A count, as the administrator.
    pub async fn count(&self, sql: &str) -> Result<i64> {
        Ok(sqlx::query_scalar(AssertSqlSafe(sql.to_owned()))
            .fetch_one(&self.admin)
            .await?)
    }

    /// A text, as the administrator.
    pub async fn text(&self, sql: &str) -> Result<String> {
        Ok(sqlx::query_scalar(AssertSqlSafe(sql.to_owned()))
            .fetch_one(&self.admin)
            .await?)
    }

    /// Looks each `every` until the condition is true; gives up after `most`.
    pub async fn until(&self, condition: &str, every: Duration, most: Duration) -> Result<()> {
        let started = Instant::now();
        while self.text(&format!("select ({condition})::text")).await? != "true" {
            if started.elapsed() > most {
                bail!("{most:?} and not yet: {condition}");
            }
            tokio::time::sleep(every).await;
        }
        Ok(())
    }

    /// The first bureau's bailiff, signed in now: a sign-in lasts shorter than all the measuring.
    pub async fn bailiff(&self) -> Result<Client> {
        self.client.sign_in_as("taitur", "KT").await
    }

    /// Runs a statement as the administrator.
    pub async fn execute(&self, sql: &str) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
            .execute(&self.admin)
            .await?;
        Ok(())
    }

    /// Seconds that COPY takes for the default columns of the first bureau's cases in order of number, as CSV to the client.
    pub async fn copy_seconds(&self) -> Result<f64> {
        let started = Instant::now();
        let mut conn = self.admin.acquire().await?;
        let mut rows = conn.copy_out_raw(
            "copy (select l.prefix || '/' || l.year || '/' || l.index, l.status, t.name, l.claimant_name, l.claimant_code,
                          l.debtor_name, l.debtor_code, l.total_claims_cents / 100.0, l.balance_cents / 100.0,
                          l.start_fee_cents / 100.0, l.issuer_fee_cents / 100.0, l.table_fee_cents / 100.0
                   from case_list l left join claim_types t on t.id = l.main_claim_type_id
                   where l.tenant_id = (select id from bureaus where code = '101')
                   order by l.year desc, l.index desc, l.prefix desc) to stdout (format csv)",
        ).await?;
        while let Some(part) = rows.next().await {
            part?;
        }
        Ok(started.elapsed().as_secs_f64())
    }

    /// What api holds now.
    pub fn api_memory_kb(&self) -> u64 {
        let api = self.children.iter().find(|(name, _)| *name == "api");
        api.and_then(|(_, child)| child.id()).map_or(0, resident_kb)
    }

    /// CPU time that api and PostgreSQL have used, user and system.
    pub async fn cpu_seconds(&self) -> Result<f64> {
        let backend = self.count("select pg_backend_pid()::bigint").await?;
        let server = process(backend).parent;
        let api = self.children.iter().find(|(name, _)| *name == "api");
        let api = api.and_then(|(_, child)| child.id()).map_or(0, i64::from);
        let mut ticks = process(api).ticks + process(server).with_ended;
        for entry in std::fs::read_dir("/proc")?.flatten() {
            if let Some(pid) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            {
                let found = process(pid);
                ticks += if found.parent == server {
                    found.ticks
                } else {
                    0.0
                };
            }
        }
        Ok(ticks / 100.0)
    }

    /// The most memory that api, a worker and Redis had.
    pub async fn memory(&self, report: &mut Report) -> Result<()> {
        let mb = |kind: usize| format!("{} MB", self.peaks[kind].load(Ordering::Relaxed) / 1024);
        report.row("memory of api, peak", mb(API), "< 120 MB");
        report.row("memory of a jobs process, peak", mb(JOBS), "< 200 MB");
        report.row("memory of Redis, peak", mb(REDIS), "< 20 MB");
        Ok(())
    }

    /// Removes a peer's keys from Redis.
    pub async fn forget_keys(&self, prefix: &str) -> Result<()> {
        let mut conn = redis().await?;
        let keys: Vec<String> = redis::cmd("KEYS")
            .arg(format!("{prefix}*"))
            .query_async(&mut conn)
            .await?;
        for part in keys.chunks(1000) {
            let _: u64 = redis::cmd("DEL").arg(part).query_async(&mut conn).await?;
        }
        Ok(())
    }

    /// What Redis held until now was a peer's.
    pub fn forget_redis_peak(&self) {
        self.peaks[REDIS].store(0, Ordering::Relaxed);
    }

    pub async fn stop(&mut self) {
        self.sampler.abort();
        for (name, child) in &mut self.children {
            if let Err(error) = child.kill().await {
                eprintln!("{name} could not be stopped: {error}");
            }
        }
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// The folder of the release programs.
fn programs() -> PathBuf {
    std::env::current_exe()
        .ok()
        .and_then(|exe| exe.parent().map(PathBuf::from))
        .unwrap_or_default()
}

fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?
        .local_addr()?
        .port())
}

pub fn redis_url() -> Result<String> {
    std::env::var("REDIS_URL").context("REDIS_URL is not set")
}

pub async fn redis() -> Result<MultiplexedConnection> {
    let client = redis::Client::open(redis_url()?)?;
    Ok(client.get_multiplexed_async_connection().await?)
}

async fn sample(
    watched: Vec<(usize, u32)>,
    mut redis: MultiplexedConnection,
    peaks: Arc<[AtomicU64; 3]>,
) {
    loop {
        for (kind, pid) in &watched {
            peaks[*kind].fetch_max(resident_kb(*pid), Ordering::Relaxed);
        }
        if let Some(bytes) = used_bytes(&mut redis).await {
            peaks[REDIS].fetch_max(bytes / 1024, Ordering::Relaxed);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn used_bytes(redis: &mut MultiplexedConnection) -> Option<u64> {
    let mut info = redis::cmd("INFO");
    let info: String = info.arg("memory").query_async(redis).await.ok()?;
    let used = info.lines().find_map(|l| l.strip_prefix("used_memory:"));
    used?.trim().parse().ok()
}

/// Of `/proc/PID/stat`: the parent, ticks (of 10 ms) of CPU, and those with its ended children's; zeros when it is gone.
struct Process {
    parent: i64,
    ticks: f64,
    with_ended: f64,
}

fn process(pid: i64) -> Process {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name, in brackets, may hold blanks.
    let fields: Vec<f64> = stat
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0.0))
        .collect();
    let sum = |from: usize, to: usize| fields.get(from..to).map_or(0.0, |part| part.iter().sum());
    Process {
        parent: fields.get(1).map_or(0, |parent| *parent as i64),
        ticks: sum(11, 13),
        with_ended: sum(11, 15),
    }
}

/// The memory that a process holds; 0 when it is gone.
fn resident_kb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    line.and_then(|v| v.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}
