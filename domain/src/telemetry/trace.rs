//! One trace from a click to what it sets off: its id is the request's id, which jobs keep, so that no row knows of traces.
use std::sync::atomic::Ordering;

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use sha2::{Digest, Sha256};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;
use uuid::Uuid;

use super::EXPORTS;

/// A trace, and the span in it that all others here hang under: the click, which no process exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    id: Uuid,
    parent: u64,
}

impl Trace {
    /// Of a request id: its own digits where it is a UUID, else the beginning of its SHA-256.
    pub fn of(request_id: &str) -> Self {
        let given = Uuid::try_parse(request_id).ok().filter(|id| !id.is_nil());
        let id = given.unwrap_or_else(|| {
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&Sha256::digest(request_id)[..16]);
            Uuid::from_bytes(bytes)
        });
        Self {
            id,
            parent: id.as_u64_pair().1.max(1),
        }
    }

    /// Of a `traceparent` header, where it is as W3C's trace context wants it.
    pub fn of_header(text: &str) -> Option<Self> {
        let text = text.trim();
        let (first, rest) = (text.get(..55)?, text.get(55..)?);
        let parts: Vec<&str> = first.split('-').collect();
        let [version, id, parent, flags] = parts[..] else {
            return None;
        };
        let lengths = [version.len(), id.len(), parent.len(), flags.len()] == [2, 32, 16, 2];
        let hex = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        };
        // A later version may say more after these four.
        let ends = rest.is_empty() || (version != "00" && rest.starts_with('-'));
        if !lengths || !parts.iter().all(|part| hex(part)) || version == "ff" || !ends {
            return None;
        }
        let id = Uuid::try_parse(id).ok().filter(|id| !id.is_nil())?;
        let parent = u64::from_str_radix(parent, 16).ok().filter(|id| *id > 0)?;
        Some(Self { id, parent })
    }

    /// As the request id that leads here again.
    pub fn request_id(self) -> String {
        self.id.to_string()
    }

    /// Its 32 digits.
    pub fn id(self) -> String {
        self.id.simple().to_string()
    }

    /// Makes a new span one of this trace.
    pub fn take(self, span: &Span) {
        if EXPORTS.load(Ordering::Relaxed) {
            // The sampler asks the trace's id, not this flag.
            let above = self.context(SpanId::from(self.parent), TraceFlags::SAMPLED);
            let _ = span.set_parent(Context::new().with_remote_span_context(above));
        }
    }

    /// The `traceparent` of what is called from within this span.
    pub fn header(self, span: &Span) -> String {
        let own = if EXPORTS.load(Ordering::Relaxed) {
            span.context().span().span_context().clone()
        } else {
            SpanContext::NONE
        };
        let below = if own.is_valid() {
            own
        } else {
            self.context(SpanId::from(self.parent), TraceFlags::NOT_SAMPLED)
        };
        let (trace, span) = (below.trace_id(), below.span_id());
        format!("00-{trace}-{span}-{:02x}", below.trace_flags())
    }

    fn context(self, span: SpanId, flags: TraceFlags) -> SpanContext {
        let trace = TraceId::from(self.id.as_u128());
        SpanContext::new(trace, span, flags, true, TraceState::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_id_leads_to_its_trace_and_back() {
        let own = "0192f0c4-7a10-7c3e-8d52-1f0a6b7c8d90";
        let trace = Trace::of(own);
        assert_eq!(trace.id(), "0192f0c47a107c3e8d521f0a6b7c8d90");
        assert_eq!(trace.request_id(), own);
        let header = "00-0192f0c47a107c3e8d521f0a6b7c8d90-8d521f0a6b7c8d90-00";
        assert_eq!(trace.header(&Span::none()), header);
        assert_eq!(Trace::of_header(header), Some(trace));
        // printf order-7 | sha256sum
        assert_eq!(
            Trace::of("order-7").id(),
            "df8cf80227ec3237922df0ecd88385c5"
        );
    }

    #[test]
    fn only_what_the_standard_allows_is_a_traceparent() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        for (text, fits) in [
            (format!("00-{id}-00f067aa0ba902b7-01"), true),
            (format!(" 00-{id}-00f067aa0ba902b7-00 "), true),
            (format!("cc-{id}-00f067aa0ba902b7-01-what-comes"), true),
            (format!("00-{id}-00f067aa0ba902b7-01-what-comes"), false),
            (format!("ff-{id}-00f067aa0ba902b7-01"), false),
            (
                format!("00-{}-00f067aa0ba902b7-01", id.to_uppercase()),
                false,
            ),
            (format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)), false),
            (format!("00-{id}-0000000000000000-01"), false),
            (format!("00-{id}-00f067aa0ba902b7"), false),
            (format!("00-{}õ-00f067aa0ba902b7-01", &id[2..]), false),
            (String::new(), false),
        ] {
            assert_eq!(Trace::of_header(&text).is_some(), fits, "{text}");
        }
    }
}
