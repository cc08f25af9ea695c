//! Which traces are kept: the same in every process, by the trace's id alone.
use opentelemetry::trace::{Link, SpanKind, TraceContextExt, TraceId};
use opentelemetry::{Context, KeyValue};
use opentelemetry_sdk::trace::{SamplingDecision, SamplingResult, ShouldSample};

/// A part of all traces. The library's own reads bits that are the same in every UUID; the last four bytes are random in each
/// kind of them, and by the second level of W3C's trace context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part(u64);

const ALL: u64 = 1 << 32;

impl Part {
    /// A ratio from 0 to 1.
    pub fn parse(text: &str) -> Option<Self> {
        let ratio: f64 = text.trim().parse().ok()?;
        if !(0.0..=1.0).contains(&ratio) {
            return None;
        }
        #[expect(clippy::float_arithmetic, reason = "a ratio")]
        let part = ratio * ALL as f64;
        Some(Self(part as u64))
    }

    fn keeps(self, trace: TraceId) -> bool {
        let bytes = trace.to_bytes();
        let random = u128::from_be_bytes(bytes) & u128::from(ALL - 1);
        random < u128::from(self.0)
    }
}

impl ShouldSample for Part {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace: TraceId,
        _name: &str,
        _kind: &SpanKind,
        _attributes: &[KeyValue],
        _links: &[Link],
    ) -> SamplingResult {
        let state = parent.map(|parent| parent.span().span_context().trace_state().clone());
        SamplingResult {
            decision: match self.keeps(trace) {
                true => SamplingDecision::RecordAndSample,
                false => SamplingDecision::Drop,
            },
            attributes: Vec::new(),
            trace_state: state.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_tenth_of_uuids_is_about_a_tenth() {
        assert_eq!(Part::parse("1.5"), None);
        assert_eq!(Part::parse("many"), None);
        for (ratio, about) in [("0", 0), ("0.1", 1_000), ("0.6", 6_000), ("1", 10_000)] {
            let part = Part::parse(ratio).expect("a ratio");
            let kept = (0..10_000)
                .filter(|_| part.keeps(TraceId::from(Uuid::now_v7().as_u128())))
                .count();
            assert!(kept.abs_diff(about) < 300, "{ratio}: {kept}");
        }
    }
}
