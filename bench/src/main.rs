//! Measures the product on this machine, with its peers in the same run on the same PostgreSQL; prints one table.
//! Needs `DATABASE_URL` (administrator) and `REDIS_URL`, both durable, and the release programs in the target folder.
#![allow(clippy::float_arithmetic, reason = "times and ratios, never money")]
mod client;
mod lists;
mod load;
mod operations;
mod peers;
mod report;
mod rig;
mod watched;

use anyhow::Result;
use report::Report;
use rig::Rig;

/// Tasks of the measured bulk actions; `TASKS` makes a quick run smaller.
fn tasks() -> i64 {
    domain::config::number("TASKS", 100_000, 1_000..=1_000_000)
        .map_or(100_000, |n| i64::try_from(n).unwrap_or(100_000))
}

/// Cases of the list benchmark.
fn cases() -> i64 {
    domain::config::number("LIST_CASES", 2_000_000, 10_000..=5_000_000)
        .map_or(2_000_000, |n| i64::try_from(n).unwrap_or(2_000_000))
}

/// Jobs of the operations benchmark.
fn jobs() -> i64 {
    domain::config::number("OPERATION_JOBS", 2_100_000, 10_000..=5_000_000)
        .map_or(2_100_000, |n| i64::try_from(n).unwrap_or(2_100_000))
}

#[tokio::main]
async fn main() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let runs = |name: &str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let mut report = Report::default();
    let work = runs("peers")
        || runs("pipeline")
        || runs("watched")
        || runs("latency")
        || runs("fairness")
        || runs("import");
    if work {
        // Of three bureaus' cases the first has 26 of 46 parts: as many as there are tasks.
        let mut rig = Rig::start("toimik_bench_work", tasks() * 46 / 26 + 3, 3).await?;
        let outcome = measure_work(&mut rig, &mut report, &runs).await;
        rig.stop().await;
        outcome?;
    }
    if runs("lists") {
        let mut rig = Rig::start("toimik_bench_lists", cases(), 20).await?;
        let outcome = async {
            lists::measure(&rig, &mut report).await?;
            load::import(&rig, &mut report, "< 90 s").await
        };
        let outcome = outcome.await;
        rig.stop().await;
        outcome?;
    }
    if runs("operations") {
        let mut rig = Rig::start("toimik_bench_operations", 100_000, 60).await?;
        let outcome = operations::measure(&rig, &mut report, jobs()).await;
        rig.stop().await;
        outcome?;
    }
    report.print(wanted.is_empty())
}

async fn measure_work(
    rig: &mut Rig,
    report: &mut Report,
    runs: &impl Fn(&str) -> bool,
) -> Result<()> {
    if runs("peers") || runs("pipeline") {
        let mut best = peers::Best::install().await?;
        let mut ours = load::Rounds::default();
        for turn in 0..peers::TURNS {
            best.turn(rig, turn).await?;
            if runs("pipeline") {
                ours.turn(rig).await?;
            }
        }
        let peer = best.tell(report);
        if runs("pipeline") {
            ours.tell(rig, report, peer).await?;
        }
    }
    if runs("watched") {
        watched::measure(rig, report).await?;
    }
    if runs("latency") {
        load::latency(rig, report).await?;
    }
    if runs("fairness") {
        load::fairness(rig, report).await?;
    }
    if runs("import") {
        load::import(rig, report, "< 30 s").await?;
    }
    rig.memory(report).await
}
