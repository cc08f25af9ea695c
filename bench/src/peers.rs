//! The peers, on the same PostgreSQL and the same cases: one bare UPDATE a job, two processes each.
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::process::Command;

use crate::report::Report;
use crate::rig::Rig;
use crate::tasks;

/// pg-boss from npm; returns its jobs per second.
pub async fn pg_boss(rig: &Rig, report: &mut Report) -> Result<f64> {
    let install = Command::new("npm")
        .args(["ci", "--silent"])
        .current_dir("bench/peers")
        .status()
        .await
        .context("npm")?;
    if !install.success() {
        bail!("the peers could not be installed");
    }
    let node = |arguments: &[&str]| {
        let mut command = Command::new("node");
        command
            .arg("pg-boss.js")
            .args(arguments)
            .current_dir("bench/peers")
            .env("DATABASE_URL", &rig.url);
        command.stdout(Stdio::null()).kill_on_drop(true);
        command
    };
    let count = tasks().to_string();
    if !node(&["fill", &count]).status().await?.success() {
        bail!("pg-boss could not be filled");
    }
    let total = rig
        .count("select count(*) from pgboss.job where state = 'created'")
        .await?;
    let mut workers = [node(&["work"]).spawn()?, node(&["work"]).spawn()?];
    let done = "select count(*) from pgboss.job where state = 'completed'";
    // From the first completed batch on, so that the start of node does not count.
    let first = loop {
        let done = rig.count(done).await?;
        if done > 0 {
            break done;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let started = Instant::now();
    while rig.count(done).await? < total {
        if started.elapsed() > Duration::from_secs(300) {
            bail!("pg-boss did not end in five minutes");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let per_second = (total - first) as f64 / started.elapsed().as_secs_f64();
    for worker in &mut workers {
        worker.kill().await?;
    }
    rig.execute("drop schema pgboss cascade").await?;
    report.row(
        "pg-boss 10.4.2, one bare UPDATE a job, 2 processes × batch 500",
        format!("{per_second:.0} jobs/s"),
        "the peer",
    );
    Ok(per_second)
}
