//! What every request passes: its own task, request id, refusals before routing's work, headers, access log.
use std::net::{IpAddr, SocketAddr};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, HOST};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Actor;
use domain::telemetry::Trace;
use futures::FutureExt;
use tracing::field::Empty;
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::app::App;
use crate::error::{self, Error, Style};
use crate::in_flight::Ticket;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const REFRESH_TOKEN: HeaderName = HeaderName::from_static("refresh-token");
const CSP: &str = "default-src 'self'; script-src 'self'; img-src 'self' data: blob:; object-src 'none'; \
                   base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What is known of one request; extractors fill it, the gate reads it at the end.
#[derive(Debug)]
pub struct Known {
    pub request_id: String,
    pub trace: Trace,
    pub peer: IpAddr,
    pub actor: OnceLock<Actor>,
    /// The new token of a rotation.
    pub fresh_token: OnceLock<String>,
    /// Held until the answer is made.
    pub ticket: OnceLock<Ticket>,
    /// SHA-256 of the JSON body, for idempotency keys.
    pub body_hash: OnceLock<Vec<u8>>,
}

/// The outermost layer. The work runs in a task of its own: a client that leaves never cancels a transaction half-way.
pub async fn pass(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let style = Style::of(&request);
    let https = is_https(&app, &request);
    let api = request.uri().path().starts_with("/api");
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "-".to_owned(), |path| path.as_str().to_owned());
    let (request_id, trace) = ids(request.headers());
    let known = Arc::new(Known {
        request_id,
        trace,
        peer: client_address(&app, &request),
        actor: OnceLock::new(),
        fresh_token: OnceLock::new(),
        ticket: OnceLock::new(),
        body_hash: OnceLock::new(),
    });
    request.extensions_mut().insert(known.clone());
    let refused = refusal(&request);
    // At this level, so that no filter hides whom a line belongs to.
    let span = tracing::error_span!(
        "request", otel.name = %format_args!("{method} {route}"), otel.kind = "server", http.request.method = %method,
        http.route = route, http.response.status_code = Empty, request.id = known.request_id, trace.id = trace.id()
    );
    trace.take(&span);
    let task = async move {
        let work = async move {
            match refused {
                Some(error) => error.into_response(),
                None => next.run(request).await,
            }
        };
        let response = AssertUnwindSafe(work)
            .catch_unwind()
            .await
            .unwrap_or_else(|_| Error::internal("a panic").into_response());
        // Read before the wait: a body may not be shared between threads.
        if response
            .extensions()
            .get::<Error>()
            .is_some_and(Error::is_forbidden)
        {
            note_forbidden(&app, &known, &route).await;
        }
        let mut response = error::render(&style, &known, response);
        dress(response.headers_mut(), &known, api, https);
        let (status, took) = (response.status().as_u16(), started.elapsed());
        Span::current().record("http.response.status_code", i64::from(status));
        app.metrics.answered(method.as_str(), &route, status, took);
        // The path's template, never the path: it may hold personal codes; never the query.
        tracing::info!(
            http.method = %method, http.route = route, http.status = status,
            duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            user.id = known.actor.get().map(|actor| actor.user_id.0),
            bureau.id = known.actor.get().map(|actor| actor.tenant_id.0), "answered"
        );
        response
    };
    tokio::spawn(task.instrument(span))
        .await
        .unwrap_or_else(|_| Error::internal("the task of a request was lost").into_response())
}

/// Requests that are refused whatever their path.
fn refusal(request: &Request) -> Option<Error> {
    let headers = request.headers();
    let overriding = [
        "x-http-method-override",
        "x-http-method",
        "x-method-override",
    ];
    if overriding.iter().any(|name| headers.contains_key(*name)) {
        return Some(Error::malformed("Meetodit ei saa päises vahetada."));
    }
    if request
        .extensions()
        .get::<crate::serve::Ambiguous>()
        .is_some()
    {
        return Some(Error::malformed("Päringu pikkus on antud kahel viisil."));
    }
    if headers.get_all(HOST).iter().count() > 1 {
        return Some(Error::malformed("Päis Host on korduv."));
    }
    if headers
        .get(CONTENT_ENCODING)
        .is_some_and(|value| value != "identity")
    {
        return Some(Error::media_type());
    }
    let path = percent_encoding::percent_decode_str(request.uri().path());
    match path.decode_utf8() {
        Ok(path) if path.contains('\0') => return Some(Error::not_found()),
        Ok(_) => {}
        Err(_) => return Some(Error::not_found()),
    }
    None
}

/// The request's id and its trace: a caller may give either, and each leads to the other.
fn ids(headers: &HeaderMap) -> (String, Trace) {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let plain = |text: &&str| {
        !text.is_empty()
            && text.len() <= 64
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    let begun = text("traceparent").and_then(Trace::of_header);
    match (text(REQUEST_ID.as_str()).filter(plain), begun) {
        (None, Some(trace)) => (trace.request_id(), trace),
        (Some(id), Some(trace)) if Trace::of(id).id() == trace.id() => (id.to_owned(), trace),
        (Some(id), _) => (id.to_owned(), Trace::of(id)),
        (None, None) => {
            let id = Uuid::now_v7().to_string();
            let trace = Trace::of(&id);
            (id, trace)
        }
    }
}

fn peer(request: &Request) -> IpAddr {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::from([127, 0, 0, 1]), |info| info.0.ip())
        .to_canonical()
}

/// The peer, or what a trusted proxy says of it: its last entry that is no trusted proxy itself.
fn client_address(app: &App, request: &Request) -> IpAddr {
    let peer = peer(request);
    let trusted = |address: &IpAddr| app.config.trusted_proxies.contains(address);
    if !trusted(&peer) {
        return peer;
    }
    let all = request.headers().get_all("x-forwarded-for");
    let hops: Vec<&str> = all
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    hops.iter()
        .rev()
        .filter_map(|hop| hop.trim().parse().ok())
        .find(|address| !trusted(address))
        .unwrap_or(peer)
}

fn is_https(app: &App, request: &Request) -> bool {
    app.config.trusted_proxies.contains(&peer(request))
        && request
            .headers()
            .get("x-forwarded-proto")
            .is_some_and(|proto| proto == "https")
}

fn dress(headers: &mut HeaderMap, known: &Known, api: bool, https: bool) {
    let mut set = |name: &'static str, value: &'static str| {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    };
    set("content-security-policy", CSP);
    set("x-content-type-options", "nosniff");
    set("x-frame-options", "DENY");
    set("referrer-policy", "no-referrer");
    set("cross-origin-opener-policy", "same-origin");
    set("cross-origin-resource-policy", "same-origin");
    set(
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    );
    if https {
        set(
            "strict-transport-security",
            "max-age=31536000; includeSubDomains",
        );
    }
    if api {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    } else {
        headers
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-cache"));
    }
    if let Ok(id) = HeaderValue::from_str(&known.request_id) {
        headers.insert(REQUEST_ID, id);
    }
    if let Some(mut token) = known
        .fresh_token
        .get()
        .and_then(|token| HeaderValue::from_str(token).ok())
    {
        token.set_sensitive(true);
        headers.insert(REFRESH_TOKEN, token);
    }
}

/// A refused right is audited: who asked for what.
async fn note_forbidden(app: &App, known: &Known, route: &str) {
    if let Some(actor) = known.actor.get()
        && let Err(error) = domain::users::note_forbidden(&app.auth_pool, actor, route).await
    {
        tracing::error!(cause = %error, "a refusal could not be audited");
    }
}
