//! The api's process: `api` serves, `api openapi` prints the OpenAPI document and needs nothing else.
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use api::app::{App, document, router};
use api::config::Config;
use api::serve::Times;
use domain::telemetry;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let outcome = match (args.next().as_deref(), args.next()) {
        (None, _) => start(),
        (Some("openapi"), None) => print_document(),
        _ => Err("usage: api [openapi]".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("api: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn print_document() -> Result<(), String> {
    let text = document()
        .to_pretty_json()
        .map_err(|error| error.to_string())?;
    writeln!(std::io::stdout(), "{text}").map_err(|error| error.to_string())
}

#[tokio::main]
async fn start() -> Result<(), String> {
    telemetry::run("toimik-api", serve()).await
}

async fn serve() -> Result<(), String> {
    let _points = fail::FailScenario::setup();
    let config = Config::from_env()?;
    let (host, port) = (config.host, config.port);
    let times = Times {
        receive: Duration::from_secs(config.receive_timeout_s),
        notice: Duration::from_secs(config.stop_notice_s),
    };
    let metrics_port = config.metrics_port;
    let app = App::new(config)?;
    domain::db::check_login(&app.pool).await?;
    domain::files::check(&*app.store).await?;
    domain::db::open_all(&app.auth_pool)
        .await
        .map_err(|error| format!("The database does not answer: {error}."))?;
    let listener = listen(host, port).await?;
    if let Some(port) = metrics_port {
        let listener = listen(Ipv4Addr::LOCALHOST.into(), port).await?;
        let routes = api::metrics::router(app.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
    }
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let stopping = app.stopping.clone();
    let stop = async move {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        stopping.store(true, Ordering::Relaxed);
        tracing::info!("stopping");
    };
    tracing::info!(%host, port, "listening");
    api::serve::run(listener, router(app), times, stop).await;
    Ok(())
}

async fn listen(host: IpAddr, port: u16) -> Result<TcpListener, String> {
    let listener = TcpListener::bind((host, port)).await;
    listener.map_err(|error| format!("Port {port} of {host} cannot be opened: {error}."))
}
