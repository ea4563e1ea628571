//! Holds the tables and the files that they come from against the promises of the registry.

mod support;

use std::path::Path;

use kina_observ_conventions::{
    ATTRIBUTES, EVENTS, Level, METRICS, Requirement, SPANS, Severity, Source, SpanKind, UPSTREAM_ATTRIBUTES,
    UPSTREAM_METRICS, ValueType, attribute, event, metric, names, span, upstream_attribute, upstream_metric,
};
use serde_json::Value;
use support::{definition_files, document};

#[test]
fn tables_are_sorted_and_unique() {
    fn check(keys: Vec<&str>) {
        assert!(!keys.is_empty());
        for pair in keys.windows(2) {
            assert!(pair[0] < pair[1], "`{}` stands before `{}`", pair[0], pair[1]);
        }
    }
    check(SPANS.iter().map(|def| def.key).collect());
    check(ATTRIBUTES.iter().map(|def| def.key).collect());
    check(METRICS.iter().map(|def| def.name).collect());
    check(EVENTS.iter().map(|def| def.name).collect());
    check(UPSTREAM_ATTRIBUTES.iter().map(|name| name.key).collect());
    check(UPSTREAM_METRICS.iter().map(|name| name.key).collect());
    check(kina_observ_conventions::OWNED_NAMESPACES.to_vec());
    check(kina_observ_conventions::UPSTREAM_NAMESPACES.to_vec());
    for def in SPANS.iter().filter(|def| !def.attributes.is_empty()) {
        check(def.attributes.iter().map(|used| used.key).collect());
    }
}

#[test]
fn every_key_is_found() {
    assert!(SPANS.iter().all(|def| span(def.key) == Some(def)));
    assert!(ATTRIBUTES.iter().all(|def| attribute(def.key) == Some(def)));
    assert!(METRICS.iter().all(|def| metric(def.name) == Some(def)));
    assert!(EVENTS.iter().all(|def| event(def.name) == Some(def)));
    assert!(UPSTREAM_ATTRIBUTES.iter().all(|name| upstream_attribute(name.key) == Some(name)));
    assert!(UPSTREAM_METRICS.iter().all(|name| upstream_metric(name.key) == Some(name)));
    assert!(span("runtime.gpu").is_none() && attribute("").is_none() && metric("zzz").is_none());
}

/// Rule 27: a name that was in a release stays, if only to say what it is called today.
#[test]
fn no_released_name_is_gone() {
    let names = include_str!("baseline.txt").lines().filter(|line| !line.starts_with('#'));
    for (kind, name) in names.map(|line| line.split_once(' ').expect("a kind and a name")) {
        let held = match kind {
            "attribute" => attribute(name).is_some(),
            "event" => event(name).is_some(),
            "metric" => metric(name).is_some(),
            "span" => span(name).is_some(),
            other => panic!("`{other}` is no kind of name"),
        };
        assert!(held, "the {kind} `{name}` was in a release: keep it, with `deprecated`");
    }
}

#[test]
fn references_resolve() {
    for def in SPANS {
        for used in def.attributes {
            assert!(attribute(used.key).is_some(), "`{}` of `{}`", used.key, def.key);
            assert_eq!(used.params.is_empty(), used.source != Source::Parameter, "`{}` of `{}`", used.key, def.key);
        }
        for parent in
            def.parents.iter().filter(|parent| !parent.ends_with(".*") && !matches!(**parent, "any" | "remote"))
        {
            assert!(span(parent).is_some(), "the parent `{parent}` of `{}`", def.key);
        }
    }
    for def in METRICS {
        assert!(def.attributes.iter().all(|key| attribute(key).is_some()), "`{}`", def.name);
    }
    for gone in ATTRIBUTES.iter().filter_map(|def| def.deprecated?.renamed_to) {
        assert!(attribute(gone).is_some_and(|end| end.deprecated.is_none()), "`{gone}` ends its chain");
    }
}

#[test]
fn definition_files_pass_the_schema_of_the_format() {
    let schema: Value = serde_json::from_str(include_str!("semconv.schema.v2.json")).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let mut files = definition_files();
    assert_eq!(files.len(), 13, "{files:?}");
    // A crate's own files have the same format.
    let others = [
        "examples/transformer-block/conventions/transformer.yaml",
        "ui-tests/fixtures/own_registry/conventions/acme.yaml",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    files.extend(others.iter().map(|file| root.join(file)));
    for file in &files {
        let document = document(file);
        let mistakes: Vec<String> =
            validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(mistakes.is_empty(), "{}:\n{}", file.display(), mistakes.join("\n"));
        // The judge is awake: a key that the format does not know is refused.
        let mut wrong = document.clone();
        wrong["atributes"] = Value::Array(Vec::new());
        assert!(!validator.is_valid(&wrong), "{}", file.display());
    }
}

/// What an entry point carries beside the attributes of every call: key, requirement, source, parameters.
type Own = (&'static str, bool, Source, &'static [&'static str]);

const HAND: Source = Source::Hand;
const PARAMETER: Source = Source::Parameter;

const STREAM: Own = ("runtime.stream.id", false, HAND, &[]);
const BATCH: Own = ("runtime.shape.batch", true, PARAMETER, &["batch"]);
const M: Own = ("runtime.shape.m", true, PARAMETER, &["m"]);
const N: Own = ("runtime.shape.n", true, PARAMETER, &["n"]);
const K: Own = ("runtime.shape.k", true, PARAMETER, &["k"]);
const ALLOC_SIZE: Own = ("runtime.alloc.size", false, HAND, &[]);
const COPY_SIZE: Own = ("runtime.copy.size", false, HAND, &[]);

/// The C entry points of a runtime, in the order of their keys.
const ENTRY_POINTS: [(&str, &[Own]); 17] = [
    ("runtime.copy.d2h", &[COPY_SIZE]),
    ("runtime.copy.h2d", &[COPY_SIZE]),
    ("runtime.device.count", &[]),
    ("runtime.device.synchronize", &[]),
    ("runtime.event.record", &[STREAM]),
    ("runtime.gpu.add", &[N]),
    ("runtime.gpu.gelu", &[N]),
    ("runtime.gpu.layernorm", &[M, N]),
    ("runtime.gpu.matmul", &[BATCH, K, M, N, ("runtime.dtype", true, PARAMETER, &["dtype_code"])]),
    ("runtime.gpu.softmax", &[M, N]),
    ("runtime.gpu.transpose", &[BATCH, M, N]),
    ("runtime.stream.create", &[STREAM]),
    ("runtime.stream.destroy", &[STREAM]),
    ("runtime.stream.synchronize", &[STREAM]),
    ("runtime.stream.wait_event", &[STREAM, ("runtime.stream.waits_on", false, HAND, &[])]),
    (
        "runtime.tensor.alloc",
        &[
            ("runtime.dtype", true, PARAMETER, &["dtype", "dtype_code"]),
            ("runtime.tensor.rank", false, HAND, &[]),
            ALLOC_SIZE,
        ],
    ),
    ("runtime.tensor.free", &[ALLOC_SIZE]),
];

#[test]
fn every_entry_point_is_a_span() {
    for (key, own) in ENTRY_POINTS {
        let def = span(key).unwrap_or_else(|| panic!("`{key}` is registered"));
        assert_eq!((def.kind, def.severity, def.level), (SpanKind::Internal, Severity::Info, Level::Basic), "`{key}`");
        assert_eq!((def.macros, def.name), (["ffi_span"].as_slice(), key));
        let call = |key: &str| {
            let used = def.attribute(key).unwrap_or_else(|| panic!("`{key}` of `{}`", def.key));
            (used.requirement, used.source)
        };
        assert_eq!(call("runtime.device"), (Requirement::Required, Source::Context));
        assert_eq!(call("runtime.ffi.code"), (Requirement::Required, Source::ReturnCode));
        assert_eq!(call("code.function.name"), (Requirement::OptIn, HAND));
        assert!(matches!(call("runtime.module.id"), (Requirement::ConditionallyRequired(_), Source::Context)));
        assert!(matches!(call("error.type"), (Requirement::ConditionallyRequired(_), Source::Outcome)));
        for &(key, required, source, params) in own {
            assert_eq!(call(key).1, source, "`{key}` of `{}`", def.key);
            assert_eq!(call(key).0 == Requirement::Required, required, "`{key}` of `{}`", def.key);
            assert_eq!(def.attribute(key).map(|used| used.params), Some(params), "`{key}` of `{}`", def.key);
        }
        assert_eq!(def.attributes.len(), 5 + own.len(), "`{key}` carries nothing else");
    }
    let entries = SPANS.iter().filter(|def| def.attribute("runtime.ffi.code").is_some());
    assert_eq!(entries.count(), ENTRY_POINTS.len(), "no other span has a code");
}

#[test]
fn a_kernel_is_named_after_itself() {
    let check = |key: &str, name: &str, level: Level, severity: Severity| {
        let def = span(key).unwrap_or_else(|| panic!("`{key}` is registered"));
        assert_eq!((def.name, def.level, def.severity, def.macros), (name, level, severity, ["span"].as_slice()));
        let kernel = def.attribute(names::attributes::RUNTIME_KERNEL_NAME).expect("its name");
        assert_eq!((kernel.source, kernel.params), (Source::Parameter, ["kernel"].as_slice()));
    };
    check(names::spans::RUNTIME_KERNEL_EXECUTE, "{runtime.kernel.name}", Level::Basic, Severity::Info);
    check(names::spans::RUNTIME_KERNEL_LANE, "{runtime.kernel.name} lane", Level::Kernel, Severity::Info);
}

#[test]
fn element_types_have_the_codes_of_the_c_interface() {
    let dtype = attribute(names::attributes::RUNTIME_DTYPE).expect("registered");
    assert_eq!(dtype.value_type, ValueType::Enum);
    let codes: Vec<_> = dtype.members.iter().map(|member| (member.value, member.code)).collect();
    assert_eq!(
        codes,
        [("f16", Some(1)), ("bf16", Some(2)), ("f32", Some(3)), ("f64", Some(4)), ("i32", Some(5)), ("i64", Some(6)),]
    );
}
