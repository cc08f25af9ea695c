//! The peers, on the same PostgreSQL and the same cases: one bare UPDATE a job, two processes each.
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::process::Command;

use crate::report::Report;
use crate::rig::Rig;
use crate::tasks;

/// pg-boss from npm; returns the jobs per second of its best round.
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
    let (mut best, mut how) = (0.0_f64, ["", ""]);
    // What it does best with: a loop asks no more than twice a second, more of them share the processors.
    for [loops, batch] in [["2", "500"], ["2", "1000"], ["4", "1000"]] {
        if !node(&["fill", &count]).status().await?.success() {
            bail!("pg-boss could not be filled");
        }
        let work = ["work", loops, batch];
        let mut workers = [node(&work).spawn()?, node(&work).spawn()?];
        let started = Instant::now();
        let live =
            "select count(*) from (select from pgboss.job where state < 'completed' limit 1) l";
        while rig.count(live).await? > 0 {
            if started.elapsed() > Duration::from_secs(300) {
                bail!("pg-boss did not end in five minutes");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        for worker in &mut workers {
            worker.kill().await?;
        }
        // From the first start to the last end, as ours: the start of node does not count.
        let rate = sqlx::query_scalar(
            "select count(*) / extract(epoch from max(completed_on) - min(started_on))::float8 from pgboss.job",
        )
        .fetch_one(&rig.admin)
        .await?;
        rig.execute("drop schema pgboss cascade").await?;
        if rate > best {
            (best, how) = (rate, [loops, batch]);
        }
    }
    let [loops, batch] = how;
    report.row(
        &format!(
            "pg-boss 10.4.2, one bare UPDATE a job, 2 processes × {loops} loops × batch {batch}"
        ),
        format!("{best:.0} jobs/s"),
        "the peer",
    );
    Ok(best)
}
