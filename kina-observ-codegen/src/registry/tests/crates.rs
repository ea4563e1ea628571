//! Holds the registry of a whole crate on disk against what its files say.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use kina_observ_conventions::{Level, Requirement, Severity, Source, SpanKind};

use super::super::{Registry, RegistryError};

const ACME: &str = "\
file_format: definition/2
attributes:
  - {key: acme.cache.entries, type: int, stability: development, brief: Entries looked at.}
  - {key: acme.cache.label, type: string, stability: development, brief: Label of the cache.}
  - {key: acme.cache.kind, stability: development, brief: Kind., type: {members: [{id: lru, annotations: {kina: {code: 1}}}]}}
  - {key: acme.old, type: int, stability: development, brief: Old., deprecated: {reason: renamed, renamed_to: acme.older}}
  - {key: acme.older, type: int, stability: development, brief: Old., deprecated: {reason: renamed, renamed_to: acme.cache.entries}}
attribute_groups:
  - {id: acme.call, visibility: internal, attributes: [{ref: runtime.device}, {ref: error.type}]}
spans:
  - type: acme.cache.look_up
    kind: internal
    stability: development
    brief: One look-up.
    name: {note: \"look up {acme.cache.kind}\"}
    annotations: {kina: {macro: [ffi_span, span], level: debug, gate: kernel, nvtx: none}}
    attributes:
      - ref_group: acme.call
      - {ref: acme.cache.entries, requirement_level: required, annotations: {kina: {param: [count, len]}}}
      - {ref: acme.cache.label, requirement_level: {conditionally_required: If it has one.}}
      - {ref: acme.cache.kind, requirement_level: required}
";

/// Writes a crate and gives its registry; each test has a folder of its own, so the cache cannot mix them.
fn load(files: &[(&str, &str)]) -> (tempfile::TempDir, Result<&'static Registry, Vec<RegistryError>>) {
    let folder = tempfile::tempdir().expect("a folder for the crate");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("the folder of the file");
        fs::write(path, text).expect("the file is written");
    }
    let registry = Registry::for_crate(folder.path());
    (folder, registry)
}

const DECLARATION: &str = "component = \"acme\"\nregistries = [\"conventions/acme.yaml\"]\n";

#[test]
fn a_crate_with_a_registry() {
    let (folder, registry) = load(&[("kina-observ.toml", DECLARATION), ("conventions/acme.yaml", ACME)]);
    let registry = registry.expect("a sound registry");
    assert_eq!(registry.component(), Some("acme"));
    assert!(registry.declared());
    assert_eq!(registry.files(), [folder.path().join("kina-observ.toml"), folder.path().join("conventions/acme.yaml")]);

    let span = registry.span("acme.cache.look_up").expect("the crate's span");
    assert_eq!(registry.span_by_symbol("acme_cache_look_up"), Some(span));
    assert_eq!((span.kind, span.severity, span.level), (SpanKind::Internal, Severity::Debug, Level::Kernel));
    assert_eq!((span.macros, span.nvtx), (["ffi_span", "span"].as_slice(), None));
    let uses: Vec<_> =
        span.attributes.iter().map(|used| (used.key, used.requirement, used.source, used.params)).collect();
    assert_eq!(
        uses,
        [
            ("acme.cache.entries", Requirement::Required, Source::Parameter, ["count", "len"].as_slice()),
            ("acme.cache.kind", Requirement::Required, Source::Parameter, ["kind"].as_slice()),
            ("acme.cache.label", Requirement::ConditionallyRequired("If it has one."), Source::Hand, [].as_slice()),
            ("error.type", Requirement::Recommended, Source::Outcome, [].as_slice()),
            ("runtime.device", Requirement::Recommended, Source::Context, [].as_slice()),
        ]
    );
    let old = registry.attribute("acme.old").and_then(|def| def.deprecated).expect("deprecated");
    assert_eq!((old.renamed_to, old.note), (Some("acme.cache.entries"), "Replaced by `acme.older`."));
    assert_eq!(registry.nearest_attribute("acme.cache.entrys"), ["acme.cache.entries"]);
    assert_eq!(registry.nearest_span("acme.cache.lookup"), ["acme.cache.look_up"]);
    assert!(registry.owns("acme.anything") && registry.may_define("acme.anything"));
    assert!(registry.owns("runtime.gpu.matmul") && !registry.may_define("runtime.gpu.matmul"));
    assert!(registry.owns("http.route") && !registry.may_define("http.route"));
    assert!(!registry.owns("other.thing") && registry.may_define("other.thing"));
}

#[test]
fn a_crate_without_a_file_has_the_built_in_names() {
    let (_folder, registry) = load(&[]);
    let registry = registry.expect("nothing to be wrong");
    assert!(!registry.declared() && registry.component().is_none() && registry.files().is_empty());
    assert!(registry.span("runtime.gpu.matmul").is_some() && registry.attribute("runtime.dtype").is_some());
    assert!(registry.metric("runtime.alloc.bytes").is_some());
    assert_eq!(
        registry.span_by_symbol("runtime_stream_wait_event").map(|def| def.key),
        Some("runtime.stream.wait_event")
    );
    assert_eq!(registry.nearest_attribute("module_idd"), [""; 0], "a deprecated name is no suggestion");
}

#[test]
fn an_edit_is_seen() {
    let (folder, before) = load(&[("kina-observ.toml", DECLARATION), ("conventions/acme.yaml", ACME)]);
    let before = before.expect("a sound registry");
    let again = Registry::for_crate(folder.path()).expect("the same");
    assert!(std::ptr::eq(before, again), "read once");
    let file = folder.path().join("conventions/acme.yaml");
    fs::write(&file, ACME.replace("look_up", "look_in")).expect("the file is written");
    // The clock of a file system can be coarse; an editor is slower than this test.
    let later = SystemTime::now() + Duration::from_secs(5);
    fs::File::options().write(true).open(&file).and_then(|file| file.set_modified(later)).expect("a later time");
    let after = Registry::for_crate(folder.path()).expect("sound again");
    assert!(after.span("acme.cache.look_in").is_some() && after.span("acme.cache.look_up").is_none());
}

#[test]
fn a_file_that_comes_later_is_seen() {
    let (folder, registry) = load(&[("kina-observ.toml", "registries = [\"acme.yaml\"]\n")]);
    assert!(registry.is_err());
    fs::write(folder.path().join("acme.yaml"), ACME).expect("the file is written");
    let registry = Registry::for_crate(folder.path()).expect("sound now");
    assert!(registry.span("acme.cache.look_up").is_some());
}

#[test]
fn mistakes_in_the_declaration() {
    let check = |text: &str, expected: &[&str]| {
        let (_folder, registry) = load(&[("kina-observ.toml", text), ("empty.yaml", "file_format: definition/2\n")]);
        let errors: Vec<String> = registry.err().unwrap_or_default().iter().map(ToString::to_string).collect();
        let first_lines: Vec<&str> = errors.iter().filter_map(|error| error.lines().next()).collect();
        assert_eq!(first_lines, expected, "in\n{text}");
    };
    check("", &[]);
    check("component = \"acme\"\nregistries = [\"empty.yaml\"]\n", &[]);
    check("componnet = \"acme\"\n", &["kina-observ.toml:1:1: `kina-observ.toml` has no key `componnet`"]);
    check("device = \"\"\n", &["kina-observ.toml:1:10: `device` must be a text"]);
    check("component = 1\n", &["kina-observ.toml:1:13: `component` must be a text"]);
    check("component = \"Acme\"\n", &["kina-observ.toml:1:14: `Acme` cannot be a component"]);
    check("\ncomponent = \"http\"\n", &["kina-observ.toml:2:14: `http.*` belongs to OpenTelemetry"]);
    check("registries = \"empty.yaml\"\n", &["kina-observ.toml:1:15: `registries` must be a list"]);
    check("registries = [\"empty.yaml\", \"empty.yaml\"]\n", &["kina-observ.toml:1:30: `empty.yaml` is listed twice"]);
    check("registries = [1]\n", &["kina-observ.toml:1:15: a registry is a path"]);
    check("registries = [\"gone.yaml\"]\n", &["kina-observ.toml:1:16: there is no file `gone.yaml`"]);
    check("registries = [\n", &["kina-observ.toml:2:1: not valid TOML: unexpected eof encountered"]);
}

#[test]
fn two_registries_that_define_one_name() {
    let attribute =
        "file_format: definition/2\nattributes:\n  - {key: acme.size, type: int, stability: development, brief: B.}\n";
    let both = "registries = [\"one.yaml\", \"two.yaml\"]\n";
    let (_folder, registry) =
        load(&[("kina-observ.toml", both), ("one.yaml", attribute), ("two.yaml", &format!("# later\n{attribute}"))]);
    let errors = registry.expect_err("one name, two definitions");
    assert_eq!(
        errors.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["two.yaml:4:11: `acme.size` is defined twice\nhelp: keep one of the two; the other is at one.yaml:3:11"]
    );
}

#[test]
fn metrics_and_events_of_a_crate() {
    let file = "\
file_format: definition/2
metrics:
  - {name: acme.hits, instrument: counter, unit: \"{hit}\", stability: development, brief: Hits., attributes: [{ref: runtime.device}]}
events:
  - {name: acme.evicted, stability: development, brief: An entry went., annotations: {kina: {every: 8}}}
spans:
  - {type: acme.look_up, kind: internal, stability: development, brief: B., name: {note: acme.look_up}, annotations: {kina: {events: [acme.evicted, token], sample_every: 50}}}
";
    let (_folder, registry) = load(&[("kina-observ.toml", DECLARATION), ("conventions/acme.yaml", file)]);
    let registry = registry.expect("a sound registry");
    let metric = registry.metric("acme.hits").expect("the crate's metric");
    assert_eq!(
        (metric.instrument, metric.unit, metric.attributes),
        ("counter", "{hit}", ["runtime.device"].as_slice())
    );
    assert_eq!(registry.event("acme.evicted").map(|def| def.every), Some(Some(8)));
    assert!(registry.event("token").is_some(), "the built-in event");
    let span = registry.span("acme.look_up").expect("the crate's span");
    assert_eq!((span.events, span.sample_every), (["acme.evicted", "token"].as_slice(), Some(50)));
    assert_eq!(registry.own().metrics.len(), 1);
    assert_eq!(registry.upstream_rename("rpc.system"), Some("rpc.system.name"));
    assert!(registry.is_upstream("http.method") && !registry.is_upstream("acme.hits"));
}

#[test]
fn an_error_names_file_line_and_column() {
    let file =
        "file_format: definition/2\nattributes:\n  - {key: http.x, type: int, stability: development, brief: B.}\n";
    let (_folder, registry) = load(&[("kina-observ.toml", DECLARATION), ("conventions/acme.yaml", file)]);
    let errors = registry.expect_err("the namespace is OpenTelemetry's");
    assert_eq!(
        errors[0].to_string(),
        "conventions/acme.yaml:3:11: `http.*` belongs to OpenTelemetry\nhelp: start the name with your own namespace"
    );
}

#[test]
fn a_file_of_another_crate_is_named_by_its_path() {
    let declaration = "component = \"shop\"\nregistries = [\"../names/conventions/acme.yaml\"]\n";
    let folder = tempfile::tempdir().expect("a folder for two crates");
    for (name, text) in [("app/kina-observ.toml", declaration), ("names/conventions/acme.yaml", ACME)] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("the folder of the file");
        fs::write(path, text).expect("the file is written");
    }
    let registry = Registry::for_crate(&folder.path().join("app")).expect("a sound registry");
    assert!(registry.span("acme.cache.look_up").is_some());
    assert!(registry.owns("acme.anything") && registry.files().len() == 2);
}
