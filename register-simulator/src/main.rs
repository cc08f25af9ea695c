//! The simulator as a process of its own, set up by the environment.

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use register_simulator::{Millis, Options, Resend, start_with};

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One sentence, without the backtrace that returning the error would print.
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing::Level::WARN)
        .init();
    let handle = start_with(options()?)
        .await
        .context("the simulator cannot start")?;
    println!("register-simulator listening on http://{}", handle.addr());
    tokio::select! {
        result = handle.wait() => result.context("the simulator stopped"),
        result = stopped() => result,
    }
}

fn options() -> Result<Options> {
    let get = |name: &str| {
        std::env::var(name)
            .ok()
            .filter(|value| !value.trim().is_empty())
    };
    let mut addr: SocketAddr = match get("ADDR") {
        Some(text) => text.parse().context("ADDR is not host:port")?,
        None => SocketAddr::from(([127, 0, 0, 1], 8090)),
    };
    if let Some(text) = get("PORT") {
        addr.set_port(text.parse().context("PORT is not a port number")?);
    }
    let mut options = Options::at(addr);
    options.log_file = get("LOG_FILE").map(Into::into);
    if let Some(text) = get("CAPACITY") {
        options.capacity = text.parse().context("CAPACITY is not a whole number")?;
    }
    if let Some(text) = get("SEED") {
        options.seed = text.parse().context("SEED is not a whole number")?;
    }
    if let Some(text) = get("LATENCY_MS") {
        options.settings.latency_ms = latency(&text)?;
    }
    options.settings.resend = match get("RESEND").as_deref() {
        None | Some("already") => Resend::Already,
        Some("same") => Resend::Same,
        Some(_) => bail!("RESEND must be already or same"),
    };
    options.settings.state_service = match get("STATE_SERVICE").as_deref() {
        None | Some("on") => true,
        Some("off") => false,
        Some(_) => bail!("STATE_SERVICE must be on or off"),
    };
    Ok(options)
}

/// `20` or `20-80`.
fn latency(text: &str) -> Result<Millis> {
    let number = |text: &str| {
        text.trim()
            .parse::<u64>()
            .context("LATENCY_MS must be a number or FROM-TO")
    };
    Ok(match text.split_once('-') {
        Some((from, to)) => Millis::Range([number(from)?, number(to)?]),
        None => Millis::Fixed(number(text)?),
    })
}

async fn stopped() -> Result<()> {
    let mut term = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        _ = term.recv() => Ok(()),
        result = tokio::signal::ctrl_c() => Ok(result?),
    }
}
