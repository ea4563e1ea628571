//! What the integration tests share: a trace file and a reader that holds every line against the schema.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;

/// A trace file in a folder of its own.
#[allow(dead_code, reason = "not every test keeps a file")]
pub(crate) fn trace_file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("t.jsonl");
    (folder, path)
}

/// Every line of a trace, each valid under `docs/trace-line.schema.json`.
#[allow(dead_code, reason = "not every test reads a trace")]
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let schema = include_str!("../../../docs/trace-line.schema.json");
        let schema = serde_json::from_str(schema).expect("the schema is JSON");
        jsonschema::validator_for(&schema).expect("the schema is a schema")
    });
    let text = std::fs::read_to_string(path).expect("the trace file");
    text.lines()
        .map(|line| {
            let value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if let Err(error) = schema.validate(&value) {
                panic!("{error}\n{line}");
            }
            value
        })
        .collect()
}

/// The lines of one kind.
#[allow(dead_code, reason = "not every test reads a trace")]
pub(crate) fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}
