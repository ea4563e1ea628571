//! Records made by hand, for the tests of the outputs.

use kina_observ::record::{EventRecord, SpanRecord};
use kina_observ::site::Facts;
use kina_observ::{Level, Severity, SpanContext, SpanId, SpanKind, TraceId};

/// 2026-05-08T20:45:12.183456789Z
pub(crate) const START_NS: u64 = 1_778_273_112_183_456_789;

pub(crate) static MATMUL: Facts = Facts {
    span_type: "runtime.gpu.matmul",
    name: "runtime.gpu.matmul",
    kind: SpanKind::Internal,
    severity: Severity::Info,
    level: Level::Basic,
    symbol: "runtime_gpu_matmul",
    module: "kina_runtime",
    file: "src/gpu.rs",
    line: 1,
    start: &[],
    late: &[],
    code_key: None,
    device: None,
    inner_event: false,
    nvtx: None,
};

pub(crate) fn context(trace_id: u128, span_id: u64) -> SpanContext {
    let trace_id = TraceId::new(trace_id).expect("not zero");
    SpanContext { trace_id, span_id: SpanId::new(span_id).expect("not zero") }
}

/// A root of 2.8 ms that succeeded.
pub(crate) fn span(facts: &'static Facts) -> SpanRecord<'static> {
    SpanRecord {
        facts,
        name: facts.name,
        context: context(0xabc, 0x1f),
        parent: None,
        module: None,
        thread: "main",
        start_ns: START_NS,
        duration_ns: 2_800_000,
        failed: false,
        attributes: &[],
        links: &[],
        error: None,
    }
}

/// A debug message outside of all spans.
#[allow(dead_code, reason = "not every output test has events")]
pub(crate) fn event(message: &str) -> EventRecord<'_> {
    EventRecord {
        time_ns: START_NS,
        severity: Severity::Debug,
        target: "kina_runtime",
        message,
        fields: &[],
        context: None,
        module: None,
        thread: "worker 1",
    }
}
