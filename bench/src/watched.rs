//! What being watched costs the pipeline: the same work with and without somebody who scrapes every process, in turn.
use std::time::Duration;

use anyhow::{Context, Result};
use tokio_util::sync::CancellationToken;

use crate::load::like_for_like;
use crate::report::{Report, percentile};
use crate::rig::Rig;

/// Pairs of runs, of several rounds each, so that a run is longer than the time between two scrapes.
const PAIRS: usize = 8;
const ROUNDS: usize = 3;
/// As docs/watching.md has it.
const EVERY: Duration = Duration::from_secs(15);

/// One run: tasks a second, and busy processor time a task, in microseconds, of the whole machine.
struct Run {
    rate: f64,
    busy: f64,
}

/// The processor time tells more than the rate, which a machine's moods blur by some per cent.
pub async fn measure(rig: &Rig, report: &mut Report) -> Result<()> {
    // Made once: it reads the certificates of the system, which is no part of being watched.
    let client = reqwest::Client::builder()
        .connect_timeout(EVERY)
        .timeout(EVERY)
        .build()?;
    let (mut rates, mut busy) = (Vec::new(), Vec::new());
    for pair in 0..PAIRS {
        // Whoever comes second finds a larger table.
        let first = pair % 2 == 0;
        let one = run(rig, first.then_some(&client)).await?;
        let two = run(rig, (!first).then_some(&client)).await?;
        let (with, without) = if first { (one, two) } else { (two, one) };
        eprintln!(
            "scraped {:.0} tasks/s, {:.1} µs of processors a task; alone {:.0}, {:.1}",
            with.rate, with.busy, without.rate, without.busy
        );
        rates.push(with.rate / without.rate * 100.0);
        busy.push(with.busy / without.busy * 100.0);
    }
    let said = |values: &mut [f64]| {
        format!(
            "{:.1} % (quartiles {:.1}, {:.1})",
            percentile(values, 50),
            percentile(values, 25),
            percentile(values, 75)
        )
    };
    report.row(
        &format!("pipeline, each process scraped every 15 s, of the pipeline alone, median of {PAIRS} pairs"),
        said(&mut rates),
        "> 99 %",
    );
    report.row(
        "processor time of a task, the same pairs",
        said(&mut busy),
        "< 101 %",
    );
    Ok(())
}

async fn run(rig: &Rig, scraper: Option<&reqwest::Client>) -> Result<Run> {
    let stop = CancellationToken::new();
    let scraper = scraper
        .map(|client| tokio::spawn(scrape(client.clone(), rig.metrics.clone(), stop.clone())));
    let before = busy_us().await?;
    let mut rate = 0.0;
    for _ in 0..ROUNDS {
        rate += like_for_like(rig).await? / ROUNDS as f64;
    }
    let busy = (busy_us().await? - before) / (crate::tasks() as f64 * ROUNDS as f64);
    stop.cancel();
    if let Some(scraper) = scraper {
        scraper.await??;
    }
    Ok(Run { rate, busy })
}

async fn scrape(client: reqwest::Client, ports: Vec<u16>, stop: CancellationToken) -> Result<()> {
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        tokio::select! { _ = ticks.tick() => {}, () = stop.cancelled() => return Ok(()) }
        for port in &ports {
            let url = format!("http://127.0.0.1:{port}/metrics");
            let answer = client.get(url).send().await?.error_for_status()?;
            answer.text().await?;
        }
    }
}

/// Processor time that the whole machine was busy, in microseconds; a tick of /proc/stat is 10 ms.
async fn busy_us() -> Result<f64> {
    let stat = tokio::fs::read_to_string("/proc/stat").await?;
    let line = stat.lines().next().context("/proc/stat is empty")?;
    let ticks: Vec<f64> = line
        .split_whitespace()
        .skip(1)
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let busy = |(place, ticks): (usize, &f64)| (!matches!(place, 3 | 4 | 8 | 9)).then_some(*ticks);
    Ok(ticks.iter().enumerate().filter_map(busy).sum::<f64>() * 10_000.0)
}
