//! Reads spans and metrics.

use kina_observ_conventions::{Level, Severity, SpanKind};

use super::super::error::Errors;
use super::super::fields::{Fields, choose};
use super::super::raw::{RawEvent, RawMetric, RawSpan};
use super::super::yaml::Node;
use super::uses::{self, Owner};
use super::{annotations, brief, count, deprecated, foreign, stability};

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
const SPAN_KINA: &[&str] =
    &["macro", "level", "gate", "nvtx", "parent", "errors", "events", "fallback_names", "foreign", "sample_every"];
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

const EVENT: &[&str] =
    &["name", "brief", "note", "stability", "requirement_level", "attributes", "deprecated", "annotations"];

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

const MACROS: &[(&str, ())] =
    &[("ffi_span", ()), ("span", ()), ("kernel", ()), ("alloc_traced", ()), ("stream_sync", ())];

const INSTRUMENTS: &[(&str, ())] = &[("counter", ()), ("updowncounter", ()), ("gauge", ()), ("histogram", ())];

pub(super) fn span(node: &Node, errors: &mut Errors) -> Option<RawSpan> {
    let fields = Fields::open(node, "a span", SPAN, errors)?;
    let key = fields.text("type", errors);
    let stability = stability(&fields, errors);
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
    let macros = macros.into_iter().filter(|word| choose(*word, "macro", MACROS, errors).is_some()).collect();
    let severity = kina.and_then(|kina| kina.choice("level", SEVERITIES, errors));
    let level = kina.and_then(|kina| kina.choice("gate", GATES, errors));
    let nvtx = kina.and_then(|kina| kina.maybe_text("nvtx", errors));
    let parents = kina.map_or_else(Vec::new, |kina| kina.texts("parent", errors));
    let error_types = kina.map_or_else(Vec::new, |kina| kina.texts("errors", errors));
    let events = kina.map_or_else(Vec::new, |kina| kina.texts("events", errors));
    let fallbacks = kina.map_or_else(Vec::new, |kina| kina.texts("fallback_names", errors));
    let sample_every = kina.and_then(|kina| count(kina, "sample_every", errors));
    let foreign = kina.and_then(|kina| foreign(kina, errors));
    let name = name?;
    Some(RawSpan {
        key: key?,
        kind: kind?,
        name,
        fallbacks,
        brief: brief?.text,
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
        events,
        sample_every,
        uses,
        stability,
        foreign,
        deprecated,
    })
}

pub(super) fn metric(node: &Node, errors: &mut Errors) -> Option<RawMetric> {
    let fields = Fields::open(node, "a metric", METRIC, errors)?;
    let name = fields.text("name", errors);
    let stability = stability(&fields, errors);
    let brief = brief(&fields, errors);
    signal_level(&fields, errors);
    let instrument =
        fields.text("instrument", errors).filter(|word| choose(*word, "instrument", INSTRUMENTS, errors).is_some());
    let unit = fields.text("unit", errors);
    let uses = uses::list(&fields, Owner::Other, errors);
    let deprecated = deprecated(&fields, errors);
    let kina = annotations(&fields, "the `kina` annotation of a metric", &["allow_name", "foreign"], errors);
    let allow_name = kina.as_ref().map_or_else(Vec::new, |kina| kina.texts("allow_name", errors));
    let foreign = kina.as_ref().and_then(|kina| foreign(kina, errors));
    Some(RawMetric {
        name: name?,
        instrument: instrument?,
        unit: unit?,
        brief: brief?,
        uses,
        stability,
        allow_name,
        foreign,
        deprecated,
    })
}

pub(super) fn event(node: &Node, errors: &mut Errors) -> Option<RawEvent> {
    let fields = Fields::open(node, "an event", EVENT, errors)?;
    let name = fields.text("name", errors);
    let stability = stability(&fields, errors);
    let brief = brief(&fields, errors);
    signal_level(&fields, errors);
    let uses = uses::list(&fields, Owner::Other, errors);
    let deprecated = deprecated(&fields, errors);
    let kina = annotations(&fields, "the `kina` annotation of an event", &["every"], errors);
    let every = kina.and_then(|kina| count(&kina, "every", errors));
    Some(RawEvent { name: name?, brief: brief?.text, every, uses, stability, deprecated })
}

fn signal_level(fields: &Fields<'_>, errors: &mut Errors) {
    fields.choice("requirement_level", &[("recommended", ()), ("opt_in", ())], errors);
}
