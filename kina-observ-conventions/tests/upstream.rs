//! Holds our copy of OpenTelemetry's names against the published constants.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kina_observ_conventions::{
    ATTRIBUTES, OWNED_NAMESPACES, SEMCONV_VERSION, Stability, UPSTREAM_ATTRIBUTES, UPSTREAM_METRICS,
    UPSTREAM_NAMESPACES, UpstreamName, UpstreamStatus, attribute, upstream, upstream_attribute, upstream_metric,
};
use serde_json::Value;
use support::{FOLDERS, document, files_in};

const PUBLISHED: &str = "opentelemetry-semantic-conventions";

#[test]
fn the_version_is_the_published_one() {
    assert_eq!(
        opentelemetry_semantic_conventions::SCHEMA_URL,
        format!("https://opentelemetry.io/schemas/{SEMCONV_VERSION}"),
        "after an update: read its changes, run `cargo xtask codegen`, then pin the new version in the manifests"
    );
}

#[test]
fn every_manifest_pins_the_same_version() {
    for folder in FOLDERS.iter().filter(|folder| **folder != "otel") {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("registry").join(folder).join("manifest.yaml");
        let pinned = &document(&manifest)["dependencies"][0]["schema_url"];
        assert_eq!(*pinned, format!("https://opentelemetry.io/schemas/{SEMCONV_VERSION}"), "`{folder}`");
    }
}

#[test]
fn the_tables_are_the_published_constants() {
    fn check(file: &str, table: &[UpstreamName]) {
        let published = constants(file);
        let status = |name: &UpstreamName| match name.status {
            UpstreamStatus::Stable | UpstreamStatus::Development => Status::InUse,
            UpstreamStatus::Moved | UpstreamStatus::Renamed(_) | UpstreamStatus::Gone(_) => Status::Deprecated,
        };
        let ours: BTreeMap<String, Status> = table.iter().map(|name| (name.key.to_owned(), status(name))).collect();
        assert_eq!(ours, published, "run `cargo xtask codegen`");
        // Every chain has an end, though some end in a name of the other table.
        for to in
            table.iter().filter_map(|name| if let UpstreamStatus::Renamed(to) = name.status { Some(to) } else { None })
        {
            assert!(upstream(to).is_none_or(|end| !matches!(end.status, UpstreamStatus::Renamed(_))), "`{to}`");
        }
    }
    check("attribute.rs", UPSTREAM_ATTRIBUTES);
    check("metric.rs", UPSTREAM_METRICS);
}

#[test]
fn renames_lead_to_todays_name() {
    let check = |old: &str, new: &'static str| {
        assert_eq!(upstream(old).map(|name| name.status), Some(UpstreamStatus::Renamed(new)), "`{old}`");
    };
    check("rpc.system", "rpc.system.name");
    check("http.method", "http.request.method");
    check("http.status_code", "http.response.status_code");
    check("db.system", "db.system.name");
    check("gen_ai.system", "gen_ai.provider.name");
    check("code.filepath", "code.file.path");
    assert!(upstream("code.namespace").is_some_and(|name| matches!(name.status, UpstreamStatus::Gone(_))));
}

#[test]
fn upstream_attributes_are_published_and_in_use() {
    let ours = keys("otel", &[("attributes", "key")]);
    assert!(ours.len() >= 60, "the files are read: {ours:?}");
    for key in ours {
        let name = upstream_attribute(&key).unwrap_or_else(|| panic!("`{key}` is published"));
        assert!(name.is_in_use(), "`{key}`: {:?}", name.status);
        let stable = attribute(&key).map(|def| def.stability == Stability::Stable);
        assert_eq!(stable, Some(name.status == UpstreamStatus::Stable), "the stability of `{key}`");
    }
    for name in keys("otel", &[("metrics", "name")]) {
        assert!(upstream_metric(&name).is_some_and(UpstreamName::is_in_use), "`{name}`");
    }
    for old in ATTRIBUTES.iter().flat_map(|def| def.also_emit) {
        assert!(upstream_attribute(old).is_some_and(|name| !name.is_in_use()), "`{old}`");
    }
}

#[test]
fn upstream_namespaces_are_the_published_ones() {
    let all = constants("attribute.rs").into_keys().chain(constants("metric.rs").into_keys());
    let roots: BTreeSet<String> = all.filter_map(|name| Some(name.split_once('.')?.0.to_owned())).collect();
    let ours: BTreeSet<String> = UPSTREAM_NAMESPACES.iter().map(|&root| root.to_owned()).collect();
    assert_eq!(ours, roots);
}

#[test]
fn our_namespaces_are_ours_alone() {
    let definitions = [("attributes", "key"), ("spans", "type"), ("metrics", "name")];
    let ours = |folder| keys(folder, &definitions);
    let ours: BTreeSet<String> =
        ours("kina").iter().chain(&ours("tl")).filter_map(|key| Some(key.split_once('.')?.0.to_owned())).collect();
    assert_eq!(ours.iter().map(String::as_str).collect::<Vec<_>>(), ["compiler", "runtime", "tl"]);
    for root in &ours {
        assert!(!UPSTREAM_NAMESPACES.contains(&root.as_str()), "`{root}.*` is OpenTelemetry's");
        assert!(OWNED_NAMESPACES.contains(&root.as_str()), "`{root}.*` is closed");
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Status {
    InUse,
    Deprecated,
}

/// The names that a source file of the published crate has constants for.
fn constants(file: &str) -> BTreeMap<String, Status> {
    let source = fs::read_to_string(published().join("src").join(file)).expect("the published source");
    let mut parts = source.split("\npub const ");
    let mut before = parts.next().unwrap_or_default();
    let mut found = BTreeMap::new();
    for part in parts {
        let name = part.split('"').nth(1).expect("a constant is a text").to_owned();
        let attributes = before.rsplit_once("\";\n").map_or(before, |(_, attributes)| attributes);
        let status = if attributes.contains("#[deprecated") { Status::Deprecated } else { Status::InUse };
        // Two constants can have one name, one of them under its old spelling.
        let held = found.entry(name).or_insert(Status::Deprecated);
        if status == Status::InUse {
            *held = status;
        }
        before = part;
    }
    assert!(found.len() > 400, "{} constants in {file}", found.len());
    assert!(found.values().any(|status| *status == Status::Deprecated));
    found
}

/// Where cargo keeps the published crate.
fn published() -> PathBuf {
    let host = output(Command::new("rustc").arg("-vV"));
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    // Of this platform only: other platforms' packages need not be on this machine.
    let words = ["metadata", "--format-version=1", "--offline", "--filter-platform", host];
    let metadata = output(Command::new(env!("CARGO")).args(words).current_dir(env!("CARGO_MANIFEST_DIR")));
    let metadata: Value = serde_json::from_str(&metadata).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let package = packages.iter().find(|package| package["name"] == PUBLISHED).expect("a dependency of the tests");
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("the folder of the manifest").to_owned()
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The names that one folder of the registry defines, by list and key.
fn keys(folder: &str, definitions: &[(&str, &str)]) -> Vec<String> {
    let mut keys = Vec::new();
    for file in files_in(folder) {
        let document = document(&file);
        for (list, key) in definitions {
            let entries = document[list].as_array().into_iter().flatten();
            keys.extend(entries.filter_map(|entry| Some(entry[key].as_str()?.to_owned())));
        }
    }
    keys
}
