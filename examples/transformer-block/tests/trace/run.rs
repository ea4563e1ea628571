//! Runs the program as a user does, and reads its trace back.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The module id that the runs are given.
pub(crate) const MODULE: &str = "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11";
/// Steps of a run.
pub(crate) const STEPS: usize = 2;

/// A trace, and what the program printed.
pub(crate) struct Run {
    pub(crate) lines: Vec<Value>,
    pub(crate) stdout: String,
}

impl Run {
    /// Runs `STEPS` steps at a level.
    pub(crate) fn at(level: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trace = folder.path().join("t.jsonl");
        let output = program(&[
            "--quiet",
            "--steps",
            &STEPS.to_string(),
            "--trace-output",
            trace.to_str().expect("a temporary path is UTF-8"),
            "--trace-format",
            "json",
            "--module-id",
            MODULE,
            "--level",
            level,
        ]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{stderr}");
        let stdout = String::from_utf8(output.stdout).expect("the program prints text");
        Self { lines: lines(&trace), stdout }
    }

    /// The spans.
    pub(crate) fn spans(&self) -> impl Iterator<Item = Span<'_>> + Clone {
        self.lines.iter().filter(|line| line["kind"] == "span").map(Span)
    }

    /// The spans of a type.
    pub(crate) fn of(&self, span_type: &str) -> impl Iterator<Item = Span<'_>> + Clone {
        self.spans().filter(move |span| span.text("type") == span_type)
    }

    /// The spans by id.
    pub(crate) fn by_id(&self) -> HashMap<&str, Span<'_>> {
        let by_id: HashMap<_, _> = self.spans().map(|span| (span.text("span_id"), span)).collect();
        assert_eq!(by_id.len(), self.spans().count(), "ids are unique");
        by_id
    }
}

/// A span line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<'a>(pub(crate) &'a Value);

impl<'a> Span<'a> {
    /// A text that every span has.
    pub(crate) fn text(&self, key: &str) -> &'a str {
        self.0[key].as_str().unwrap_or_else(|| panic!("no `{key}` in {}", self.0))
    }

    /// The parent's id; none at a root.
    pub(crate) fn parent(&self) -> Option<&'a str> {
        self.0.get("parent_span_id").map(|id| id.as_str().expect("an id is text"))
    }

    /// An attribute.
    pub(crate) fn attribute(&self, key: &str) -> Option<&'a Value> {
        self.0["attributes"].get(key)
    }

    /// Start and end, in nanoseconds.
    pub(crate) fn times(&self) -> (u128, u128) {
        let start = humantime::parse_rfc3339(self.text("ts")).expect("a time");
        let start = start.duration_since(std::time::UNIX_EPOCH).expect("not so long ago").as_nanos();
        let milliseconds = self.0["duration_ms"].as_f64().expect("a duration");
        (start, start + (milliseconds * 1e6).round() as u128)
    }
}

/// Runs the program.
pub(crate) fn program(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer-block"));
    for name in [
        "RUST_LOG",
        "KINA_RUNTIME_BACKEND",
        "KINA_OBSERV_LEVEL",
        "KINA_OBSERV_TRACE_OUTPUT",
        "KINA_OBSERV_TRACE_FORMAT",
    ] {
        command.env_remove(name);
    }
    command.args(arguments).output().expect("the program starts")
}

fn lines(trace: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(trace).expect("the trace was written");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}
