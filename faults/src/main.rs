//! `faults [--short] [--seed=N] [--tasks=N] [--old=FOLDER] [ROW…]`: kills, cuts and judges the real processes; without rows all
//! of them. `--old`: the programs of the release before, for the row that changes the schema under them.
mod actions;
mod balancer;
mod clock;
mod judge;
mod logs;
mod postgres_server;
mod process;
mod proxy;
mod redis_server;
mod rig;
mod scenarios;
mod simulator;
mod site;
mod traffic;
mod uploads;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use rand::RngExt;
use tokio::signal::unix::{SignalKind, signal};

use judge::Report;
use rig::{Plan, Rig, Size};

/// The longest that one row may take.
const MOST: Duration = Duration::from_secs(1_800);

struct Wanted {
    size: Size,
    seed: u64,
    /// Of the base load; 5,000, in the short form 500.
    tasks: Option<i64>,
    rows: Vec<&'static str>,
    old: Option<PathBuf>,
}

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let outcome = async {
        let wanted = wanted()?;
        let mut term = signal(SignalKind::terminate())?;
        tokio::select! {
            outcome = run(&wanted) => outcome,
            _ = tokio::signal::ctrl_c() => bail!("interrupted"),
            _ = term.recv() => bail!("told to end"),
        }
    };
    match outcome.await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("faults: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn wanted() -> Result<Wanted> {
    let mut wanted = Wanted {
        size: Size::Full,
        seed: rand::rng().random_range(1..1_000_000),
        tasks: None,
        rows: Vec::new(),
        old: None,
    };
    for arg in std::env::args().skip(1) {
        if arg == "--short" {
            wanted.size = Size::Short;
        } else if let Some(seed) = arg.strip_prefix("--seed=") {
            wanted.seed = seed.parse()?;
        } else if let Some(tasks) = arg.strip_prefix("--tasks=") {
            wanted.tasks = Some(tasks.parse()?);
        } else if let Some(folder) = arg.strip_prefix("--old=") {
            wanted.old = Some(PathBuf::from(folder).canonicalize()?);
        } else {
            let row = scenarios::ALL.iter().find(|(name, _)| *name == arg);
            wanted
                .rows
                .push(row.ok_or_else(|| anyhow!("there is no row {arg}"))?.0);
        }
    }
    if wanted.rows.is_empty() {
        wanted.rows = match wanted.size {
            Size::Full => scenarios::ALL.iter().map(|(name, _)| *name).collect(),
            Size::Short => scenarios::SHORT.to_vec(),
        };
    }
    Ok(wanted)
}

async fn run(wanted: &Wanted) -> Result<bool> {
    let short = wanted.size == Size::Short;
    let cases = wanted
        .rows
        .iter()
        .map(|row| scenarios::cases(row, short))
        .max()
        .unwrap_or(0);
    let started = Instant::now();
    let tasks = wanted.tasks.unwrap_or(wanted.size.of(5_000, 500));
    let url = std::env::var("DATABASE_URL")
        .context("DATABASE_URL is not set: an administrator's; scripts/with-services gives one")?;
    let folder = std::env::temp_dir().join(format!("toimik-faults-{}", std::process::id()));
    let plan = Plan::of(cases);
    let mut rig = Rig::start(&url, folder, wanted.size, tasks, plan, wanted.seed).await?;
    rig.old.clone_from(&wanted.old);
    println!(
        "{cases} cases in {} bureaus, seed {}, made in {} s",
        rig::BUREAUS,
        wanted.seed,
        started.elapsed().as_secs()
    );
    let (mut passed, mut failed) = (0, 0);
    for row in &wanted.rows {
        let from = Instant::now();
        let outcome = tokio::time::timeout(MOST, one(row, &mut rig)).await;
        let report = match outcome {
            Ok(Ok(report)) => report,
            Ok(Err(error)) => Report {
                wrong: vec![format!("{error:#}")],
                ..Report::default()
            },
            Err(_) => Report {
                wrong: vec![format!("not over after {} s", MOST.as_secs())],
                ..Report::default()
            },
        };
        tell(row, &report, wanted.seed, from.elapsed());
        if report.wrong.is_empty() {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    let spoken = logs::judge(&rig.folder.join("log"), &rig.admin).await?;
    for wrong in &spoken {
        println!("LOG {wrong}");
    }
    failed += i32::from(!spoken.is_empty());
    rig.finish(failed > 0).await?;
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

async fn one(row: &str, rig: &mut Rig) -> Result<Report> {
    rig.reset().await?;
    scenarios::run(row, rig).await
}

/// One line a row, then one for each thing that does not hold.
fn tell(row: &str, report: &Report, seed: u64, took: Duration) {
    let what = scenarios::ALL
        .iter()
        .find(|(name, _)| *name == row)
        .map_or("", |(_, what)| what);
    let verdict = if report.wrong.is_empty() {
        "pass"
    } else {
        "FAIL"
    };
    let recovery = report.recovery.map_or(String::new(), |after| {
        format!(", recovery {} ms", after.as_millis())
    });
    let notes: String = report
        .notes
        .iter()
        .map(|note| format!("; {note}"))
        .collect();
    println!(
        "{row} {verdict} ({what}): seed {seed}, tasks {}{recovery}, took {} s{notes}",
        report.tasks,
        took.as_secs()
    );
    for wrong in report.wrong.iter().take(20) {
        println!("    {wrong}");
    }
}
