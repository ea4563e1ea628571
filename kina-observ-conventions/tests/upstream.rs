//! Holds our copy of OpenTelemetry's names against the published constants.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use kina_observ_conventions::{OWNED_NAMESPACES, SEMCONV_VERSION, UPSTREAM_NAMESPACES};
use serde_json::Value;
use support::{definition_files, document};

const PUBLISHED: &str = "opentelemetry-semantic-conventions";

#[test]
fn the_version_is_the_published_one() {
    assert_eq!(
        opentelemetry_semantic_conventions::SCHEMA_URL,
        format!("https://opentelemetry.io/schemas/{SEMCONV_VERSION}"),
        "after an update: read its changes, then pin the new version in `manifest.yaml` and `upstream.yaml`"
    );
}

#[test]
fn upstream_attributes_are_published_and_in_use() {
    let published = constants("attribute.rs");
    let ours = keys(|file| file == "upstream.yaml");
    assert!(ours.len() >= 5, "the file is read: {ours:?}");
    for key in ours {
        assert_eq!(published.get(&key), Some(&Status::InUse), "`{key}`");
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
    let ours: BTreeSet<String> =
        keys(|file| file != "upstream.yaml").iter().filter_map(|key| Some(key.split_once('.')?.0.to_owned())).collect();
    assert_eq!(ours.iter().map(String::as_str).collect::<Vec<_>>(), ["compiler", "runtime"]);
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

/// The keys of attributes, spans and metrics in the definition files that are asked for.
fn keys(wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut keys = Vec::new();
    for file in definition_files() {
        if !file.file_name().and_then(|name| name.to_str()).is_some_and(&wanted) {
            continue;
        }
        let document = document(&file);
        for (list, key) in [("attributes", "key"), ("spans", "type"), ("metrics", "name")] {
            let entries = document[list].as_array().into_iter().flatten();
            keys.extend(entries.filter_map(|entry| Some(entry[key].as_str()?.to_owned())));
        }
    }
    keys
}
