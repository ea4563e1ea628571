//! Writes a registry as the Rust tables of kina-observ-conventions.

use std::fmt::Write as _;

use kina_observ_conventions::{
    AttributeDef, AttributeUse, Deprecated, EventDef, MetricDef, Requirement, Source, SpanDef,
};

use super::files::Manifest;
use super::render_values;
use super::resolve::Document;

const HEADER: &str = "// Generated from registry/*/*.yaml by `cargo xtask codegen`. Do not edit.\n";

/// One generated file, not yet formatted.
#[derive(Debug)]
pub struct Generated {
    /// Name below `src/generated/`.
    pub file: &'static str,
    /// Rust text.
    pub text: String,
}

/// The generated files of a registry.
#[must_use]
pub fn render(document: &Document, manifest: &Manifest) -> Vec<Generated> {
    let spans = table("Span types, sorted by key.", "SPANS: &[SpanDef]", &document.spans, span);
    let attributes =
        table("Attributes, sorted by key.", "ATTRIBUTES: &[AttributeDef]", &document.attributes, attribute);
    let metrics = table("Metrics, sorted by name.", "METRICS: &[MetricDef]", &document.metrics, metric);
    let events = table("Events, sorted by name.", "EVENTS: &[EventDef]", &document.events, event);
    let hash = fnv1a(&[&spans, &attributes, &metrics, &events]);
    let names = names(document, manifest, hash);
    vec![
        Generated { file: "attributes.rs", text: attributes },
        Generated { file: "events.rs", text: events },
        Generated { file: "metrics.rs", text: metrics },
        Generated { file: "names.rs", text: names },
        Generated { file: "spans.rs", text: spans },
        Generated { file: "values.rs", text: HEADER.to_owned() + &render_values::values(&document.attributes) },
    ]
}

fn table<T>(what: &str, declaration: &str, definitions: &[T], one: fn(&T) -> String) -> String {
    let body: String = definitions.iter().map(|def| one(def) + ",\n").collect();
    format!("{HEADER}//! {what}\n\nuse crate::model::*;\n\n/// {what}\npub static {declaration} = &[\n{body}];\n")
}

fn span(def: &SpanDef) -> String {
    let uses: String = def.attributes.iter().map(|used| attribute_use(used) + ",\n").collect();
    format!(
        "SpanDef {{ key: {:?}, kind: SpanKind::{:?}, name: {:?}, fallback_names: &{:?}, brief: {:?}, macros: &{:?}, \
         severity: Severity::{:?}, level: Level::{:?}, nvtx: {:?}, parents: &{:?}, errors: &{:?}, events: &{:?}, \
         sample_every: {:?}, attributes: &[{uses}], deprecated: {} }}",
        def.key,
        def.kind,
        def.name,
        def.fallback_names,
        def.brief,
        def.macros,
        def.severity,
        def.level,
        def.nvtx,
        def.parents,
        def.errors,
        def.events,
        def.sample_every,
        deprecated(def.deprecated),
    )
}

fn attribute_use(used: &AttributeUse) -> String {
    let AttributeUse { key, requirement, source, params } = used;
    let requirement = match requirement {
        Requirement::ConditionallyRequired(why) => format!("ConditionallyRequired({why:?})"),
        Requirement::Required | Requirement::Recommended | Requirement::OptIn => format!("{requirement:?}"),
    };
    let source = match source {
        Source::Type(name) => format!("Type({name:?})"),
        Source::Parameter | Source::Context | Source::ReturnCode | Source::Outcome | Source::Hand => {
            format!("{source:?}")
        }
    };
    format!(
        "AttributeUse {{ key: {key:?}, requirement: Requirement::{requirement}, source: Source::{source}, params: &{params:?} }}"
    )
}

fn attribute(def: &AttributeDef) -> String {
    let AttributeDef {
        key,
        value_type,
        brief,
        members,
        class,
        cardinality,
        alias,
        also_emit,
        stability,
        deprecated: gone,
    } = def;
    // `Member` holds texts and numbers only, so its debug form is Rust.
    format!(
        "AttributeDef {{ key: {key:?}, value_type: ValueType::{value_type:?}, brief: {brief:?}, members: &{members:?}, \
         class: Class::{class:?}, cardinality: Cardinality::{cardinality:?}, alias: {alias:?}, also_emit: &{also_emit:?}, \
         stability: Stability::{stability:?}, deprecated: {} }}",
        deprecated(*gone),
    )
}

fn metric(def: &MetricDef) -> String {
    let MetricDef { name, instrument, unit, brief, attributes, deprecated: gone } = def;
    format!(
        "MetricDef {{ name: {name:?}, instrument: {instrument:?}, unit: {unit:?}, brief: {brief:?}, \
         attributes: &{attributes:?}, deprecated: {} }}",
        deprecated(*gone),
    )
}

fn event(def: &EventDef) -> String {
    let EventDef { name, brief, every, attributes, deprecated: gone } = def;
    let uses: String = attributes.iter().map(|used| attribute_use(used) + ",\n").collect();
    format!(
        "EventDef {{ name: {name:?}, brief: {brief:?}, every: {every:?}, attributes: &[{uses}], deprecated: {} }}",
        deprecated(*gone),
    )
}

fn deprecated(gone: Option<Deprecated>) -> String {
    // `Deprecated` holds texts only, so its debug form is Rust.
    format!("{gone:?}")
}

fn names(document: &Document, manifest: &Manifest, hash: u64) -> String {
    let Manifest { schema_url, semconv_version } = manifest;
    let mut text = format!(
        "{HEADER}//! Names as constants, and what the registry says about itself.\n\n\
         /// Schema URL of this registry.\npub const SCHEMA_URL: &str = {schema_url:?};\n\n\
         /// Version of the OpenTelemetry semantic conventions that it builds on.\n\
         pub const SEMCONV_VERSION: &str = {semconv_version:?};\n\n\
         /// FNV-1a of the tables: it changes whenever a definition changes.\n\
         pub const REGISTRY_HASH: &str = \"{hash:016x}\";\n\n\
         /// Root namespaces in which every name must be registered, sorted.\n\
         pub const OWNED_NAMESPACES: &[&str] = &{:?};\n",
        document.namespaces
    );
    let spans = document.spans.iter().filter(|def| def.deprecated.is_none()).map(|def| (def.key, def.brief));
    let attributes = document.attributes.iter().filter(|def| def.deprecated.is_none()).map(|def| (def.key, def.brief));
    let metrics = document.metrics.iter().filter(|def| def.deprecated.is_none()).map(|def| (def.name, def.brief));
    let events = document.events.iter().filter(|def| def.deprecated.is_none()).map(|def| (def.name, def.brief));
    constants(&mut text, "Span types", "spans", spans);
    constants(&mut text, "Keys of attributes", "attributes", attributes);
    constants(&mut text, "Names of metrics", "metrics", metrics);
    constants(&mut text, "Names of events", "events", events);
    text
}

fn constants(text: &mut String, what: &str, module: &str, all: impl Iterator<Item = (&'static str, &'static str)>) {
    let body: String = all
        .map(|(key, brief)| {
            let constant = key.replace('.', "_").to_uppercase();
            format!("/// {brief}\npub const {constant}: &str = {key:?};\n")
        })
        .collect();
    // Writing to a text cannot fail.
    let _ = write!(text, "\n/// {what}.\npub mod {module} {{\n{body}}}\n");
}

/// 64-bit FNV-1a: stable across releases of Rust, which the standard hasher is not.
fn fnv1a(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
