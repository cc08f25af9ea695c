//! How a process speaks of itself: JSON lines on standard error, and traces by OTLP over HTTP where a collector is named.
mod sampler;
mod trace;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::SpanExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::filter::EnvFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config;
use sampler::Part;
pub use trace::Trace;

/// Spans are exported; without that they cost what their log fields cost.
static EXPORTS: AtomicBool = AtomicBool::new(false);

/// What the end of a process may wait for spans that are not exported yet.
const LAST_FLUSH: Duration = Duration::from_secs(2);

/// Runs a process: logs, and exports spans where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. `process` is the name in traces, unless
/// `OTEL_SERVICE_NAME` gives another. An error is one plain sentence.
pub async fn run(
    process: &str,
    work: impl Future<Output = Result<(), String>>,
) -> Result<(), String> {
    let provider = start(process)?;
    let ended = work.await;
    if let Some(provider) = provider
        && let Err(error) = provider.shutdown_with_timeout(LAST_FLUSH)
    {
        tracing::warn!(error = %error, "the last spans were not exported");
    }
    ended
}

fn start(process: &str) -> Result<Option<SdkTracerProvider>, String> {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let lines = fmt::layer()
        .json()
        .flatten_event(true)
        // The list has the request's id also where an inner span is the current one.
        .with_current_span(false)
        .with_span_list(true)
        .with_writer(std::io::stderr);
    let provider = provider(process)?;
    let spans = provider.as_ref().map(|provider| {
        tracing_opentelemetry::layer()
            .with_tracer(provider.tracer(env!("CARGO_PKG_NAME")))
            .with_context_activation(false)
            .with_location(false)
            .with_threads(false)
            .with_level(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_error_fields_to_exceptions(false)
            .with_error_events_to_status(false)
            .with_error_events_to_exceptions(false)
            .with_error_records_to_exceptions(false)
    });
    // One filter for both: with a filter a layer, whoever asks whether something would be logged, as sqlx does after each
    // statement, makes the next span disappear (tokio-rs/tracing#2519).
    tracing_subscriber::registry()
        .with(filter)
        .with(lines)
        .with(spans)
        .init();
    // A panic's text may hold values; its place says enough.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "a panic");
    }));
    EXPORTS.store(provider.is_some(), Ordering::Relaxed);
    Ok(provider)
}

fn provider(process: &str) -> Result<Option<SdkTracerProvider>, String> {
    let endpoint = config::text("OTEL_EXPORTER_OTLP_ENDPOINT", "");
    if endpoint.is_empty() {
        return Ok(None);
    }
    let ratio = config::text("OTEL_TRACES_SAMPLER_ARG", "1");
    let part = Part::parse(&ratio).ok_or_else(|| {
        format!("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not '{ratio}'.")
    })?;
    let exporter = SpanExporter::builder()
        // Reads the standard settings: endpoint, headers, time-out.
        .with_http()
        .build()
        .map_err(|error| format!("OTEL_EXPORTER_OTLP_ENDPOINT cannot be used: {error}."))?;
    let name = config::text("OTEL_SERVICE_NAME", process);
    let provider = SdkTracerProvider::builder()
        .with_resource(Resource::builder().with_service_name(name).build())
        .with_sampler(part)
        // What is logged stays in the log.
        .with_max_events_per_span(0)
        // A thread of its own with a bounded queue: a slow collector costs spans, never time.
        .with_batch_exporter(exporter)
        .build();
    Ok(Some(provider))
}
