//! A tool that is loaded by its path, as Nsight is: what a whole process tells it, and how that joins with the trace.

mod common;
#[path = "common/ranges.rs"]
mod ranges;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kina_observ::{builder, conventions, ffi_span, span};
use nvtx_capture::{Call, Names, What, check, read_file};
use ranges::{Range, assert_joined};
use serde_json::Value;

#[span(runtime.kernel.execute)]
fn execute(kernel: &str, stream_id: i64, body: impl FnOnce()) {
    body();
}

#[ffi_span(runtime.gpu.matmul)]
#[unsafe(no_mangle)]
extern "C" fn injected_matmul(batch: i64, m: i64, k: i64, n: i64, dtype_code: i32) -> i32 {
    execute("gemm_64", dtype_code.into(), || ());
    i32::from(batch + m + k + n < 0)
}

const THREADS: usize = 3;
const CALLS: usize = 20;

/// What the process under test does.
fn work() {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let named = std::thread::Builder::new().name(format!("worker-{thread}"));
            let calls = || {
                for call in 0..CALLS {
                    assert_eq!(injected_matmul(1, 8, 16, call as i64, 0), 0);
                    execute("größe", 1, || ());
                }
            };
            named.spawn_scoped(scope, calls).expect("a thread");
        }
    });
}

/// The process under test: this binary, called again.
#[test]
fn process_under_test() {
    match std::env::var("NVTX_TEST_ROLE").as_deref() {
        Ok("traces") => {
            let guard = builder().trace_output(std::env::var_os("NVTX_TEST_TRACE").expect("a path")).init();
            let guard = guard.expect("recording");
            work();
            assert!(guard.shutdown().is_complete());
        }
        Ok("forks") => {
            let guard = builder().stderr(None).init().expect("recording");
            execute("gemm_64", 1, || {
                // SAFETY: the child calls nothing but what may be called after a fork, and `_exit`.
                let child = unsafe { libc::fork() };
                execute("größe", 1, || ());
                if child == 0 {
                    // SAFETY: ends the child without the harness's own end.
                    unsafe { libc::_exit(0) };
                }
                let mut status = -1;
                // SAFETY: `status` is writable.
                assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
                assert_eq!(status, 0);
            });
            drop(guard);
        }
        Ok("names") => {
            let guard = builder().stderr(None).init().expect("recording");
            (0..5_000).for_each(|number| execute(&format!("gemm_{number}"), 1, || ()));
            drop(guard);
        }
        Ok(_) => {
            // The first call asks for the tool; calls of other threads do not wait for the answer.
            execute("gemm_64", 1, || ());
            work();
        }
        Err(_) => {}
    }
}

struct Run {
    folder: tempfile::TempDir,
    calls: Vec<Call>,
    ranges: Vec<Range>,
    lines: Vec<Value>,
}

/// Cargo puts the library that this test depends on beside the test.
fn library() -> PathBuf {
    let folder = std::env::current_exe().expect("this binary").parent().expect("its folder").to_owned();
    let library = folder.join(format!("{}nvtx_capture{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX));
    assert!(library.exists(), "{} is missing", library.display());
    library
}

fn run(role: &str, tool: &Path, variables: &[(&str, &str)]) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (trace, capture) = (folder.path().join("t.jsonl"), folder.path().join("c.jsonl"));
    let mut process = Command::new(std::env::current_exe().expect("this binary"));
    process.args(["--exact", "process_under_test", "--nocapture"]);
    for name in ["KINA_OBSERV_LEVEL", "KINA_OBSERV_NVTX", "KINA_OBSERV_TRACE_OUTPUT", "RUST_LOG"] {
        process.env_remove(name);
    }
    process.env("NVTX_INJECTION64_PATH", tool).env("NVTX_CAPTURE_OUTPUT", folder.path().join("c.jsonl.%p"));
    process.env("NVTX_TEST_ROLE", role).env("NVTX_TEST_TRACE", &trace).envs(variables.iter().copied());
    let child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("this binary starts");
    let own = capture.with_extension(format!("jsonl.{}", child.id()));
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    let calls = if own.exists() { read_file(&own).expect("a capture") } else { Vec::new() };
    let lines = if trace.exists() { common::lines(&trace) } else { Vec::new() };
    Run { ranges: ranges::ranges(&calls), folder, calls, lines }
}

/// Every name that a range may have.
fn registry() -> Names {
    let spans = conventions::SPANS;
    let templates = spans.iter().flat_map(|span| span.nvtx.into_iter().chain(span.fallback_names.iter().copied()));
    let keys = spans.iter().map(|span| span.key);
    Names::new(templates.chain(keys)).value("runtime.kernel.name", ["gemm_64", "größe"])
}

fn names(run: &Run) -> BTreeMap<&str, usize> {
    let mut names = BTreeMap::new();
    for range in &run.ranges {
        *names.entry(range.name.as_str()).or_default() += 1;
    }
    names
}

#[test]
fn every_range_is_a_span_of_the_trace_and_every_span_a_range() {
    let run = run("traces", &library(), &[]);
    assert_eq!(check(&run.calls, "kina", &registry()), []);
    assert_joined(&run.ranges, &run.lines);
    let counted = names(&run);
    assert_eq!((counted["gemm_64"], counted["größe"]), (THREADS * CALLS, THREADS * CALLS));
    assert_eq!(counted["matmul 8x7x16"], THREADS, "the shape is in the name");
    let inside = run.ranges.iter().filter(|range| range.name == "gemm_64");
    assert!(
        inside
            .into_iter()
            .all(|range| run.ranges[range.outer.expect("the call around it")].name.starts_with("matmul "))
    );
}

#[test]
fn each_thread_is_named_once_as_the_lines_name_it() {
    let run = run("traces", &library(), &[]);
    let mut named: Vec<_> = run
        .calls
        .iter()
        .filter_map(|call| match &call.what {
            What::NameThread { named, name } => Some((call.thread, *named, name.as_str())),
            _ => None,
        })
        .collect();
    assert!(named.iter().all(|(thread, named, _)| thread == named));
    named.sort_by_key(|(_, _, name)| *name);
    let names: Vec<_> = named.iter().map(|(_, _, name)| *name).collect();
    assert_eq!(names, ["worker-0", "worker-1", "worker-2"]);
    let mut lines: Vec<_> =
        common::of_kind(&run.lines, "span").iter().filter_map(|line| line["thread"].as_str()).collect();
    lines.sort();
    lines.dedup();
    assert_eq!(lines, names);
}

#[test]
fn a_library_that_nobody_configured_has_ranges_and_no_spans() {
    let unset = run("works", &library(), &[]);
    assert_eq!(check(&unset.calls, "kina", &registry()), []);
    assert_eq!(unset.ranges.len(), 3 * THREADS * CALLS + 1);
    assert!(unset.ranges.iter().all(|range| range.payload.is_none()));
    let off = run("works", &library(), &[("KINA_OBSERV_LEVEL", "off")]);
    assert_eq!(names(&off), names(&unset));
}

#[test]
fn who_wants_no_ranges_gets_none() {
    for variables in
        [&[("KINA_OBSERV_NVTX", "off")][..], &[("KINA_OBSERV_NVTX", "off"), ("KINA_OBSERV_LEVEL", "basic")]]
    {
        assert_eq!(run("works", &library(), variables).calls, [], "{variables:?}");
    }
    let none = Path::new("no such tool.so");
    let run = run("traces", none, &[]);
    assert_eq!((run.calls.len(), common::of_kind(&run.lines, "span").len()), (0, 3 * THREADS * CALLS));
}

#[test]
fn names_without_end_become_the_type() {
    let run = run("names", &library(), &[]);
    let registered = run.calls.iter().filter(|call| matches!(call.what, What::Register { .. })).count();
    assert_eq!(registered, 4_096 + 1, "the names with values, and the type");
    let names = names(&run);
    assert_eq!((names["gemm_0"], names["gemm_4095"], names["runtime.kernel.execute"]), (1, 1, 5_000 - 4_096));
    let known = Names::new(["gemm_{number}", "runtime.kernel.execute"]);
    assert_eq!(check(&run.calls, "kina", &known), []);
}

#[test]
fn a_forked_child_says_nothing_to_its_parents_tool() {
    let run = run("forks", &library(), &[]);
    assert_eq!(check(&run.calls, "kina", &registry()), []);
    assert_eq!(names(&run), BTreeMap::from([("gemm_64", 1), ("größe", 1)]));
    let files = std::fs::read_dir(run.folder.path()).expect("the folder");
    assert_eq!(files.count(), 1, "the child has no capture of its own");
}
