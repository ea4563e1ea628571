//! A C program calls every entry point, rightly and wrongly, and leaves a true trace at every level.

mod host;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use host::{ENTRY_POINTS, build, of, spans};
use serde_json::Value;

const MODULE: &str = "6f1c9c1e-2b1f-4d0e-9a5b-0a6d2c1c7e11";

/// Builds the program once; none without a compiler.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<(tempfile::TempDir, PathBuf)>> = OnceLock::new();
    let built = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = build("gcc", &["-std=c99", "-pedantic"], "c/main.c", folder.path())?;
        Some((folder, program))
    });
    built.as_ref().map(|(_, program)| program.as_path())
}

/// Runs the program and gives the path of its trace.
fn run(level: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trace = folder.path().join("trace.jsonl");
    let output = Command::new(program()?)
        .env("KINA_OBSERV_LEVEL", level)
        .env("KINA_OBSERV_TRACE_OUTPUT", &trace)
        .env("KINA_OBSERV_TRACE_FORMAT", "json")
        .env("KINA_RUNTIME_MEMORY_LIMIT", "1048576")
        .env_remove("RUST_LOG")
        // Cargo's, which would come before the folder that the program names.
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .expect("the program runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "level {level}: {out}{err}");
    assert!(out.starts_with("ok ") && out.ends_with(" checks\n"), "{out}");
    Some((folder, trace))
}

#[test]
fn off_writes_nothing() {
    let Some((_folder, trace)) = run("off") else { return };
    let written = std::fs::read_to_string(trace).unwrap_or_default();
    assert!(!written.contains("\"kind\":\"span\""), "{written}");
}

#[test]
fn basic_writes_every_call_and_what_it_started() {
    let Some((_folder, trace)) = run("basic") else { return };
    let spans = spans(&trace);
    check_calls(&spans);
    assert!(of(&spans, "runtime_kernel_lane").is_empty());
}

#[test]
fn a_full_disk_is_told_and_changes_nothing_else() {
    let Some(program) = program() else { return };
    let output = Command::new(program)
        .env("KINA_OBSERV_LEVEL", "basic")
        .env("KINA_OBSERV_TRACE_OUTPUT", "/dev/full")
        .env("KINA_RUNTIME_MEMORY_LIMIT", "1048576")
        .env_remove("RUST_LOG")
        // Cargo's, which would come before the folder that the program names.
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .expect("the program runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    assert!(err.contains("kina-observ: recorded ") && err.contains(" lost (No space left on device"), "{err}");
}

#[test]
fn kernel_writes_the_lanes_too() {
    let Some((_folder, trace)) = run("kernel") else { return };
    let spans = spans(&trace);
    check_calls(&spans);
    let lanes = of(&spans, "runtime_kernel_lane");
    assert!(!lanes.is_empty());
    for lane in lanes {
        let execute = with_id(&spans, &lane["parent_span_id"]);
        assert_eq!(execute["type"], "runtime.kernel.execute", "{lane}");
    }
}

fn check_calls(spans: &[Value]) {
    for symbol in ENTRY_POINTS {
        let calls = of(spans, symbol);
        assert!(calls.iter().any(|span| span.get("status").is_none()), "{symbol} succeeded");
        for span in calls {
            check_outcome(span);
            assert_eq!(span["attributes"]["runtime.device"], "cpu", "{span}");
        }
    }
    let executed = of(spans, "runtime_kernel_execute");
    assert!(!executed.is_empty());
    for span in executed {
        let call = with_id(spans, &span["parent_span_id"]);
        assert_eq!(call["trace_id"], span["trace_id"], "{span}");
        assert_eq!(call.get("module_id"), span.get("module_id"), "{span}");
        assert_ne!(call["thread"], span["thread"], "{span}");
    }
    let of_the_module = spans.iter().filter(|span| span["module_id"] == MODULE);
    assert!(of_the_module.clone().count() > 20);
    for span in of_the_module {
        assert_eq!(span["attributes"]["module_id"], MODULE, "{span}");
    }
    // The wait leads to the call that recorded the event.
    let waited = of(spans, "runtime_stream_wait_event");
    let link = waited.iter().find_map(|span| span.get("links")).expect("a wait has a link");
    assert_eq!(with_id(spans, &link[0]["span_id"])["type"], "runtime.event.record");
}

fn check_outcome(span: &Value) {
    let code = span["attributes"]["runtime.ffi.code"].as_i64().expect("every call has its code");
    assert_eq!(code == 0, span.get("status").is_none(), "{span}");
    assert_eq!(code == 0, span["attributes"].get("error.type").is_none(), "{span}");
    if code != 0 {
        let error = &span["error"];
        assert_eq!(error["type"], span["attributes"]["error.type"], "{span}");
        assert_eq!(error["span_path"], span["type"], "{span}");
        assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{span}");
        assert!(error["help"].as_str().is_some_and(|text| !text.is_empty()), "{span}");
    }
}

fn with_id<'a>(spans: &'a [Value], id: &Value) -> &'a Value {
    spans.iter().find(|span| span["span_id"] == *id).unwrap_or_else(|| panic!("no span has the id {id}"))
}
