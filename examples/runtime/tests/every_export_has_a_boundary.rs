//! Every exported `runtime_*` symbol, called with nulls and zeros, leaves exactly one span that bears its name.
//! An export without a boundary would leave none, or end the process.

mod host;

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;
use std::process::Command;

use host::{ENTRY_POINTS, have, library_folder, of, spans};

const TRACE: &str = "KINA_OBSERV_TRACE_OUTPUT";
const CHILD: &str = "KINA_RUNTIME_TEST_CHILD";

/// More words than any entry point has parameters; a callee looks at no others.
type EntryPoint = unsafe extern "C" fn(u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64, u64) -> i32;

#[test]
fn every_export_has_a_boundary() {
    if std::env::var_os(CHILD).is_some() {
        return call_each();
    }
    if !have("nm") {
        return;
    }
    assert_eq!(exported(), ENTRY_POINTS, "the library exports exactly these");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trace = folder.path().join("trace.jsonl");
    let child = Command::new(std::env::current_exe().expect("a test knows where it is"))
        .args(["--exact", "every_export_has_a_boundary", "--nocapture"])
        .env(CHILD, "1")
        .env(TRACE, &trace)
        .env("KINA_OBSERV_LEVEL", "basic")
        .env("KINA_OBSERV_TRACE_FORMAT", "json")
        .env_remove("RUST_LOG")
        .output()
        .expect("the test runs itself");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
    let spans = spans(&trace);
    for symbol in ENTRY_POINTS {
        assert_eq!(of(&spans, symbol).len(), 1, "spans of `{symbol}`");
    }
    // The default stream, 0, is waited for.
    assert_eq!(of(&spans, "runtime_sync_stream").len(), 1, "spans of the wait");
    assert_eq!(spans.len(), ENTRY_POINTS.len() + 1, "no other span");
}

fn library() -> PathBuf {
    library_folder().join(format!("{DLL_PREFIX}kina_runtime{DLL_SUFFIX}"))
}

fn exported() -> Vec<String> {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library()).output().expect("nm runs");
    let listing = String::from_utf8(output.stdout).expect("symbols are ASCII");
    let names = listing.lines().filter_map(|line| line.split_whitespace().last());
    let mut names: Vec<_> = names.filter(|name| name.starts_with("runtime_")).map(str::to_owned).collect();
    names.sort();
    names
}

fn call_each() {
    // SAFETY: the library's constructors are Rust's own, which do nothing.
    let library = unsafe { libloading::Library::new(library()) }.expect("the library loads");
    for symbol in ENTRY_POINTS {
        // SAFETY: the symbol is a C function of integers and pointers; surplus arguments are ignored by the calling convention.
        let call = unsafe { library.get::<EntryPoint>(symbol) }.expect("the symbol is there");
        // SAFETY: null pointers and zeros are what the boundary must refuse; that is the test.
        let code = unsafe { call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) };
        println!("{symbol}: {code}");
    }
    // SAFETY: this is its signature.
    let shutdown = unsafe { library.get::<unsafe extern "C" fn(u32) -> i32>("kina_observ_shutdown") }
        .expect("the symbol is there");
    // SAFETY: any number is a timeout.
    assert_eq!(unsafe { shutdown(5_000) }, 0);
}
