//! Rule 24: a span of a remote call has a duration histogram in seconds beside it. A missing one is a warning, not a mistake.

use kina_observ_conventions::{METRICS, MetricDef, SpanKind};

use super::Document;

/// The span types without one, in the order of the table.
#[must_use]
pub fn spans_without_histogram(document: &Document) -> Vec<&'static str> {
    let spans = document.spans.iter().filter(|span| span.kind != SpanKind::Internal && span.deprecated.is_none());
    let metrics = || document.metrics.iter().chain(METRICS);
    spans.map(|span| span.key).filter(|key| !metrics().any(|metric| times(metric, key))).collect()
}

/// Whether the metric times operations of the span's kind: theirs is one namespace.
fn times(metric: &MetricDef, span_type: &str) -> bool {
    let namespace = |name: &str| name.split('.').next().map(str::to_owned);
    metric.instrument == "histogram" && metric.unit == "s" && namespace(metric.name) == namespace(span_type)
}
