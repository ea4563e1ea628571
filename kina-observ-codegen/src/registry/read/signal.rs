//! Reads spans and metrics.

use kina_observ_conventions::{Level, Severity, SpanKind};

use super::super::error::Errors;
use super::super::fields::{Fields, choose};
use super::super::raw::{RawMetric, RawSpan};
use super::super::yaml::Node;
use super::uses::{self, Owner};
use super::{annotations, brief, deprecated};

const SPAN: &[&str] = &[
    "type",
    "kind",
    "name",
    "brief",
    "note",
    "stability",
    "requirement_level",
    "attributes",
    "deprecated",
    "annotations",
];
const SPAN_KINA: &[&str] = &["macro", "level", "gate", "nvtx", "parent", "errors"];
const METRIC: &[&str] = &[
    "name",
    "instrument",
    "unit",
    "brief",
    "note",
    "stability",
    "requirement_level",
    "attributes",
    "deprecated",
    "annotations",
];

const KINDS: &[(&str, SpanKind)] = &[
    ("internal", SpanKind::Internal),
    ("server", SpanKind::Server),
    ("client", SpanKind::Client),
    ("producer", SpanKind::Producer),
    ("consumer", SpanKind::Consumer),
];

const SEVERITIES: &[(&str, Severity)] = &[
    ("error", Severity::Error),
    ("warn", Severity::Warn),
    ("info", Severity::Info),
    ("debug", Severity::Debug),
    ("trace", Severity::Trace),
];

const GATES: &[(&str, Level)] = &[("basic", Level::Basic), ("kernel", Level::Kernel)];

const MACROS: &[(&str, &str)] = &[
    ("ffi_span", "ffi_span"),
    ("span", "span"),
    ("kernel", "kernel"),
    ("alloc_traced", "alloc_traced"),
    ("stream_sync", "stream_sync"),
];

const INSTRUMENTS: &[(&str, &str)] =
    &[("counter", "counter"), ("updowncounter", "updowncounter"), ("gauge", "gauge"), ("histogram", "histogram")];

pub(super) fn span(node: &Node, errors: &mut Errors) -> Option<RawSpan> {
    let fields = Fields::open(node, "a span", SPAN, errors)?;
    let key = fields.text("type", errors);
    let brief = brief(&fields, errors);
    signal_level(&fields, errors);
    let kind = fields.text("kind", errors).and_then(|word| choose(word, "kind", KINDS, errors));
    let name = fields.required("name", errors).and_then(|node| {
        let name = Fields::open(node, "a span name", &["note"], errors)?;
        name.text("note", errors)
    });
    let uses = uses::list(&fields, Owner::Span, errors);
    let deprecated = deprecated(&fields, errors);
    let kina = annotations(&fields, "the `kina` annotation of a span", SPAN_KINA, errors);
    let kina = kina.as_ref();
    let macros = kina.map_or_else(Vec::new, |kina| kina.texts("macro", errors));
    let macros = macros.into_iter().filter_map(|word| choose(word, "macro", MACROS, errors)).collect();
    let severity = kina.and_then(|kina| kina.choice("level", SEVERITIES, errors));
    let level = kina.and_then(|kina| kina.choice("gate", GATES, errors));
    let nvtx = kina.and_then(|kina| kina.maybe_text("nvtx", errors));
    let parents = kina.map_or_else(Vec::new, |kina| kina.texts("parent", errors));
    let error_types = kina.map_or_else(Vec::new, |kina| kina.texts("errors", errors));
    let name = name?;
    Some(RawSpan {
        key: key?,
        kind: kind?,
        name,
        brief: brief?,
        macros,
        severity: severity.unwrap_or(Severity::Info),
        level: level.unwrap_or(Level::Basic),
        // A span that says nothing has a range of its own name: one attribute must be enough.
        nvtx: match nvtx {
            Some(word) if word.text == "none" => None,
            Some(word) => Some(word),
            None => Some(name),
        },
        parents,
        errors: error_types,
        uses,
        deprecated,
    })
}

pub(super) fn metric(node: &Node, errors: &mut Errors) -> Option<RawMetric> {
    let fields = Fields::open(node, "a metric", METRIC, errors)?;
    let name = fields.text("name", errors);
    let brief = brief(&fields, errors);
    signal_level(&fields, errors);
    let instrument = fields.text("instrument", errors).and_then(|word| choose(word, "instrument", INSTRUMENTS, errors));
    let unit = fields.text("unit", errors);
    let uses = uses::list(&fields, Owner::Other, errors);
    let deprecated = deprecated(&fields, errors);
    Some(RawMetric { name: name?, instrument: instrument?, unit: unit?, brief: brief?, uses, deprecated })
}

fn signal_level(fields: &Fields<'_>, errors: &mut Errors) {
    fields.choice("requirement_level", &[("recommended", ()), ("opt_in", ())], errors);
}
