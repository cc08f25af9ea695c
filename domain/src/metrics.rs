//! What /metrics and /readyz of each process have in common: database connections, and PostgreSQL's answer.
use std::fmt::Write;
use std::net::Ipv4Addr;
use std::time::Duration;

use sqlx::PgPool;
use tokio::net::TcpListener;

use crate::{config, db};

/// How long a part may take to answer before it counts as missing.
pub const PATIENCE: Duration = Duration::from_secs(3);

/// Connections of each pool, as Prometheus reads them.
pub fn connections(text: &mut String, pools: &[(&str, &PgPool)]) {
    text.push_str("# TYPE database_connections gauge\n");
    for (name, pool) in pools {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        let busy = pool.size().saturating_sub(idle);
        for (state, count) in [("busy", busy), ("idle", idle)] {
            // Writing to a text never fails.
            let _ = writeln!(
                text,
                "database_connections{{pool=\"{name}\",state=\"{state}\"}} {count}"
            );
        }
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
