//! What the example tells an NVTX tool is what its trace tells: on the CPU, and with the stub driver on CUDA.

#[path = "../src/bin/gpu-check/ranges.rs"]
mod ranges;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use nvtx_capture::{Call, What, read_file};
use serde_json::Value;

/// Cargo puts the library that this test depends on beside the test.
fn tool() -> PathBuf {
    let folder = std::env::current_exe().expect("this binary").parent().expect("its folder").to_owned();
    folder.join(format!("{}nvtx_capture{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX))
}

fn run(drivers: Option<&Path>, arguments: &[&str]) -> (Vec<Call>, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (capture, trace) = (folder.path().join("ranges.jsonl"), folder.path().join("t.jsonl"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer-block"));
    for name in ["RUST_LOG", "KINA_RUNTIME_BACKEND", "KINA_OBSERV_LEVEL", "KINA_OBSERV_NVTX"] {
        command.env_remove(name);
    }
    command.envs(drivers.map(|drivers| ("LD_LIBRARY_PATH", drivers)));
    command.env("NVTX_INJECTION64_PATH", tool()).env("NVTX_CAPTURE_OUTPUT", &capture);
    command.args(["--quiet", "--steps", "2", "--level", "kernel", "--trace-format", "json", "--trace-output"]);
    let output = command.arg(&trace).args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&trace).expect("the trace was written");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    (read_file(&capture).expect("the tool was loaded"), lines)
}

#[test]
fn every_launch_is_in_one_range_and_every_range_is_its_span() {
    let (calls, lines) = run(None, &[]);
    let told = ranges::verdict(&calls, &lines).expect("what both tell is the same");
    assert!(told.contains(" 42 launches"), "{told}");
    // On the CPU every span of a thread has a range, so that none is missing either.
    let with_range = |line: &&Value| line["kind"] == "span" && line["type"] != "runtime.kernel.device";
    let spans = lines.iter().filter(with_range).count();
    let pushed = calls.iter().filter(|call| matches!(&call.what, What::Push { .. })).count();
    assert_eq!(pushed, spans);
}

#[test]
fn a_range_that_is_missing_or_of_another_name_is_found() {
    let (mut calls, lines) = run(None, &["--backend", "cpu"]);
    let kernel = |call: &Call| match &call.what {
        What::Push { message, .. } => message.text().is_some_and(|name| name == "gelu_f32"),
        _ => false,
    };
    let mut open = BTreeMap::new();
    // Without its push and its pop everything else still pairs.
    let at = calls.iter().position(kernel).expect("a launch");
    let thread = calls[at].thread;
    let pop = calls[at..].iter().position(|call| {
        let depth: &mut i32 = open.entry(call.thread).or_default();
        *depth += match call.what {
            What::Push { .. } => 1,
            What::Pop { .. } => -1,
            _ => 0,
        };
        call.thread == thread && *depth == 0
    });
    calls.remove(at + pop.expect("it ends"));
    calls.remove(at);
    let wrong = ranges::verdict(&calls, &lines).expect_err("one is missing");
    assert!(wrong.starts_with("0 ranges, and not one, for ") && wrong.contains("gelu_f32"), "{wrong}");
}

#[cfg(feature = "cuda")]
#[test]
fn the_same_on_cuda() {
    let folder = tempfile::tempdir().expect("a folder for the driver");
    stub_driver::install(folder.path()).expect("cargo builds the stub driver with its tests");
    let (calls, lines) = run(Some(folder.path()), &["--backend", "cuda"]);
    let told = ranges::verdict(&calls, &lines).expect("what both tell is the same");
    assert!(told.contains(" 42 launches"), "{told}");
    let named = |call: &Call| matches!(&call.what, What::Name { kind, .. } if kind == "cuda stream");
    assert!(calls.iter().any(named), "the streams have no names: {calls:?}");
}
