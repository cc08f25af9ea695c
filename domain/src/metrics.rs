//! What /metrics and /readyz of each process have in common: the form of series, the process itself, its connections, and
//! PostgreSQL's answer.
use std::net::Ipv4Addr;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::prometheus_text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Metric, Registry};
use sqlx::PgPool;
use tokio::net::TcpListener;

use crate::{config, db};

/// How long a part may take to answer before it counts as missing.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// The type of what /metrics answers.
pub const CONTENT_TYPE: &str = prometheus_text::CONTENT_TYPE;

/// What one question for /metrics is answered with. A name says its unit, in Prometheus's base units.
#[derive(Debug, Default)]
pub struct Sheet(Registry);

type Labels = Vec<(&'static str, String)>;

impl Sheet {
    /// A number that rises and falls, one for each set of labels.
    pub fn gauges<'a, const N: usize>(
        &mut self,
        name: &'static str,
        help: &'static str,
        rows: impl IntoIterator<Item = ([(&'static str, &'a str); N], f64)>,
    ) {
        let family = Family::<Labels, Gauge<f64, AtomicU64>>::default();
        for (labels, value) in rows {
            family.get_or_create(&owned(labels)).set(value);
        }
        self.0.register(name, help, family);
    }

    pub fn gauge(&mut self, name: &'static str, help: &'static str, value: f64) {
        self.gauges(name, help, [([], value)]);
    }

    /// A number that only rises, since the process began; `_total` is added to its name.
    pub fn counters<'a, const N: usize>(
        &mut self,
        name: &'static str,
        help: &'static str,
        rows: impl IntoIterator<Item = ([(&'static str, &'a str); N], f64)>,
    ) {
        let family = Family::<Labels, Counter<f64, AtomicU64>>::default();
        for (labels, value) in rows {
            family.get_or_create(&owned(labels)).inc_by(value);
        }
        self.0.register(name, help, family);
    }

    /// What a process counts by itself, as a histogram.
    pub fn add(&mut self, name: &'static str, help: &'static str, metric: impl Metric) {
        self.0.register(name, help, metric);
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        prometheus_text::encode(&mut text, &self.0).expect("writing to a text never fails");
        text
    }
}

fn owned<const N: usize>(labels: [(&'static str, &str); N]) -> Labels {
    let pairs = labels.into_iter();
    pairs
        .map(|(name, value)| (name, value.to_owned()))
        .collect()
}

/// Seconds as Prometheus wants them, of milliseconds.
pub fn seconds(ms: i64) -> f64 {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0)).as_secs_f64()
}

/// Connections of each pool.
pub fn connections(sheet: &mut Sheet, pools: &[(&'static str, &PgPool)]) {
    let rows = pools.iter().flat_map(|(name, pool)| {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        let busy = pool.size().saturating_sub(idle);
        let of = |state, count| ([("pool", *name), ("state", state)], f64::from(count));
        [of("busy", busy), of("idle", idle)]
    });
    let help = "Open connections to PostgreSQL";
    sheet.gauges("database_connections", help, rows);
}

/// What every process shows: which build it is, its memory, its time on the processors.
pub fn process(sheet: &mut Sheet, name: &'static str) {
    let version = [("process", name), ("version", env!("CARGO_PKG_VERSION"))];
    sheet.gauges("build_info", "The running version", [(version, 1.0)]);
    let read = procfs::process::Process::myself().and_then(|own| own.stat());
    let stat = match read {
        Ok(stat) => stat,
        Err(error) => {
            tracing::debug!(error = %error, "the process's own figures cannot be read");
            return;
        }
    };
    let ms = |ticks: u64| ticks.saturating_mul(1_000) / procfs::ticks_per_second().max(1);
    let secs = |ticks| Duration::from_millis(ms(ticks)).as_secs_f64();
    let bytes = stat.rss.saturating_mul(procfs::page_size());
    let help = "Resident memory size in bytes";
    sheet.gauge("process_resident_memory_bytes", help, bytes as f64);
    let help = "User and system CPU time spent in seconds";
    let spent = secs(stat.utime.saturating_add(stat.stime));
    sheet.counters("process_cpu_seconds", help, [([], spent)]);
    if let Ok(boot) = procfs::boot_time_secs() {
        let help = "Start of the process in seconds since 1970";
        let began = Duration::from_secs(boot) + Duration::from_millis(ms(stat.starttime));
        sheet.gauge("process_start_time_seconds", help, began.as_secs_f64());
    }
}

/// Whether the database takes a read and a write in time; `name` is the process's.
pub async fn takes_writes(pool: &PgPool, name: &'static str) -> bool {
    let pool = pool.clone();
    // A task of its own: a transaction must not be dropped by the time-out.
    let probe = tokio::spawn(async move { db::probe(&pool, name).await });
    match tokio::time::timeout(PATIENCE, probe).await {
        Ok(Ok(Ok(()))) => true,
        Ok(Ok(Err(error))) => {
            tracing::warn!(name, error = %error, "the database does not take writes");
            false
        }
        Ok(Err(_)) | Err(_) => {
            tracing::warn!(name, "the database did not answer the probe in time");
            false
        }
    }
}

/// The loopback port for /metrics and /readyz, if `METRICS_PORT` names one.
pub async fn listener() -> Result<Option<TcpListener>, String> {
    let port = config::number("METRICS_PORT", 0, 0..=65_535)?;
    let Some(port) = u16::try_from(port).ok().filter(|port| *port > 0) else {
        return Ok(None);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    listener
        .map(Some)
        .map_err(|e| format!("Port {port} of 127.0.0.1 cannot be opened: {e}."))
}
