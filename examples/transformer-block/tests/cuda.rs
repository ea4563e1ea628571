//! `--backend cuda`, with the stub driver in place of NVIDIA's: the same numbers, nothing left behind, and one error without a driver.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The program, which finds the drivers in `drivers` and no other that a variable names.
fn program(drivers: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transformer-block"));
    for name in ["RUST_LOG", "KINA_RUNTIME_BACKEND", "KINA_OBSERV_LEVEL", "KINA_OBSERV_TRACE_OUTPUT"] {
        command.env_remove(name);
    }
    command.env("LD_LIBRARY_PATH", drivers).args(["--quiet", "--steps", "2", "--backend", "cuda"]);
    command
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("it was written");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn it_computes_the_same_is_measured_and_gives_everything_back() {
    let folder = tempfile::tempdir().expect("a folder for the driver");
    stub_driver::install(folder.path()).expect("cargo builds the stub driver with its tests");
    let (log, trace) = (folder.path().join("calls.jsonl"), folder.path().join("t.jsonl"));
    let output = program(folder.path())
        .env("STUB_DRIVER_LOG", &log)
        .args(["--level", "kernel", "--trace-format", "json", "--trace-output"])
        .arg(&trace)
        .output()
        .expect("the program starts");
    let (stdout, stderr) = text(&output);
    // It compares with the scalar reference itself.
    assert!(output.status.success() && stderr.is_empty(), "{stdout}{stderr}");
    assert!(stdout.contains(" bytes at the most, 0 at the end"), "{stdout}");
    assert!(stdout.lines().last().is_some_and(|line| line.starts_with("you spent ")), "{stdout}");

    let (calls, trace) = (lines(&log), lines(&trace));
    let called = |name: &str| calls.iter().filter(|line| line["call"] == name).count();
    let spans = |span_type: &str| trace.iter().filter(|line| line["type"] == span_type).count();
    let launches = called("cuLaunchKernel");
    assert!(launches > 0);
    assert_eq!(called("cuMemAllocAsync"), called("cuMemFreeAsync"));
    assert_eq!(spans("runtime.kernel.launch"), launches, "one for each");
    assert_eq!(spans("runtime.kernel.device"), launches, "each is measured: the pool is large enough for a step");
    let devices: Vec<_> = trace.iter().filter_map(|line| line["attributes"]["runtime.device"].as_str()).collect();
    assert!(!devices.is_empty() && devices.iter().all(|device| *device == "cuda:0"), "{devices:?}");
    // Each stream that is waited for, the one of the memory, and each copy to the host; nothing waits for the device's times.
    let waits = spans("runtime.sync.stream") + 1 + spans("runtime.copy.d2h");
    assert_eq!(called("cuStreamSynchronize") + called("cuCtxSynchronize") + called("cuEventSynchronize"), waits);
}

#[test]
fn out_of_memory_is_an_error_of_the_runtime() {
    let folder = tempfile::tempdir().expect("a folder for the driver");
    stub_driver::install(folder.path()).expect("cargo builds the stub driver with its tests");
    let output = program(folder.path()).env("STUB_DRIVER_MEMORY", "1000000").output().expect("the program starts");
    let (stdout, stderr) = text(&output);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert!(stderr.contains("error: out of memory: ") && stderr.contains("(code 201)"), "{stderr}");
}

#[test]
fn a_missing_driver_is_one_clear_error() {
    let known = Command::new("ldconfig").arg("-p").output();
    if known.is_ok_and(|known| String::from_utf8_lossy(&known.stdout).contains("libcuda.so")) {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI has no driver");
        println!("skipped, because this machine has a CUDA driver");
        return;
    }
    let folder = tempfile::tempdir().expect("an empty folder");
    let output = program(folder.path()).output().expect("the program starts");
    let (stdout, stderr) = text(&output);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert_eq!(stderr.matches("error: ").count(), 1, "{stderr}");
    assert!(
        stderr.contains("there is no CUDA driver: none of `libcuda.so`") && stderr.contains("(code 207)"),
        "{stderr}"
    );
    assert!(stderr.contains("= help: install the driver of the GPU"), "{stderr}");
}
