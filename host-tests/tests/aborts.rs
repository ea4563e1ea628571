//! A library that was built with `panic = "abort"`: it says so, and a panic ends the process with the trace written.

#[path = "../../examples/runtime/tests/host/mod.rs"]
mod host;

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use host::{build_with, spans};

/// Builds this package's library once more, in a folder of its own.
fn library_that_aborts() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("aborts");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["rustc", "--quiet", "--locked", "--lib", "--crate-type", "cdylib", "--package", "host-tests"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_DEV_PANIC", "abort")
        // Nobody debugs it, and it is built faster so.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("debug")
}

#[test]
fn panic_abort_is_told_at_init_and_still_writes_the_trace() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c/aborts.c");
    let libraries = library_that_aborts();
    let Some(program) = build_with("gcc", &["-std=c99"], &source, folder.path(), &libraries, &["-ltraps"]) else {
        return;
    };
    let trace = folder.path().join("trace.jsonl");
    let output = Command::new(program)
        .env("KINA_OBSERV_TRACE_OUTPUT", &trace)
        .env("RUST_BACKTRACE", "0")
        .env_remove("RUST_LOG")
        // Cargo's, which would come before the folder that the program names.
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .expect("the host runs");
    assert_eq!(output.status.signal(), Some(6), "SIGABRT: {output:?}");
    let out = String::from_utf8_lossy(&output.stdout);
    let told = out.strip_prefix("strategy 1\ninit 0\nok 0, fail 101\nsignal 6: -1 ").unwrap_or_else(|| panic!("{out}"));
    assert!(told.starts_with("panic at host-tests/src/errors.rs:"), "{out}");
    assert!(told.ends_with(": index out of tile: k = 13 | traps.panic\n"), "{out}");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.starts_with("kina-observ: built with `panic = \"abort\"`: a panic ends the process"), "{err}");
    assert!(err.contains("panicked at host-tests/src/errors.rs") && err.contains("index out of tile: k = 13"), "{err}");

    let spans = spans(&trace);
    assert_eq!(spans.len(), 3, "{spans:?}");
    assert_eq!(spans[1]["error"]["message"], "shape mismatch: want 12 elements, got 6");
    // The call that panicked ends in the trace as it would have if it had unwound.
    assert_eq!((&spans[2]["type"], &spans[2]["error"]["type"]), (&"traps.panic".into(), &"panic".into()));
    assert_eq!(spans[2]["error"]["message"].as_str(), told.strip_suffix(" | traps.panic\n"));
}
