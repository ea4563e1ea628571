//! Hosts that fork, load and unload, end in every way: what they are told is the same at every level.

mod host;

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use host::{build, have, library_folder, spans};
use serde_json::Value;

const LEVELS: [&str; 3] = ["off", "basic", "kernel"];

/// A host that was built, and a folder for its files.
struct Host {
    program: PathBuf,
    folder: tempfile::TempDir,
}

/// None without a compiler.
fn host(compiler: &str, flags: &[&str], source: &str) -> Option<Host> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(compiler, flags, &format!("c/{source}"), folder.path())?;
    Some(Host { program, folder })
}

const C: [&str; 2] = ["-std=c11", "-pedantic"];

impl Host {
    fn trace(&self) -> PathBuf {
        self.folder.path().join("trace.jsonl")
    }

    fn run(&self, level: &str, arguments: &[&str]) -> Output {
        let _ = std::fs::remove_file(self.trace());
        let output = Command::new(&self.program)
            .args(arguments)
            .env("KINA_OBSERV_LEVEL", level)
            .env("KINA_OBSERV_TRACE_OUTPUT", self.trace())
            .env("KINA_OBSERV_TRACE_FORMAT", "json")
            .env("KINA_RUNTIME_MEMORY_LIMIT", "1048576")
            .env_remove("RUST_LOG")
            // Cargo's, which would come before the folder that the program names.
            .env_remove("LD_LIBRARY_PATH")
            .output()
            .expect("the host runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{level} {arguments:?}: {}: {err}", output.status);
        // Nothing but the one line that tells what was dropped: some hosts record faster than a disk takes.
        let others =
            err.lines().filter(|line| !(line.starts_with("kina-observ: recorded ") && line.contains("; dropped ")));
        assert_eq!(others.count(), 0, "{level} {arguments:?}: the host's standard error is the host's: {err}");
        output
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The whole text of a host's life at each level, which must not differ.
fn the_same_at_every_level(host: &Host, arguments: &[&str]) -> String {
    let [off, basic, kernel] = LEVELS.map(|level| {
        let told = text(&host.run(level, arguments));
        assert_eq!(level == "off", !host.trace().exists(), "{level}");
        told
    });
    assert_eq!(off, basic);
    assert_eq!(basic, kernel);
    off
}

/// What a C host must be told, in order: the case, and how its line goes on.
const ROWS: [(&str, &str); 37] = [
    ("ok", "0"),
    ("ok alloc", "0"),
    ("ok alloc", "0"),
    ("inner error", "111/111 layer 3 size_mismatch: `bytes` has 23 bytes, but `dst` has 24 |"),
    ("inner error 2", "101/101 layer 3 shape_mismatch: shape mismatch: `out` holds 2 elements"),
    ("too large", "112/112 layer 3 size_overflow: `shape` has more bytes"),
    ("outer error", "201/201 layer 2 out_of_memory: out of memory: 1073741824 bytes asked for"),
    ("null out", "-2/-2 layer 1 null_pointer: `out` is null |"),
    ("misaligned out", "-3/-3 layer 1 misaligned_pointer: `out` is not aligned to 8 bytes |"),
    ("null and 6", "-2/-2 layer 1 null_pointer: `shape` is null |"),
    ("length -1", "-4/-4 layer 1 invalid_size: `shape` is longer than the address space |"),
    ("misaligned slice", "-3/-3 layer 1 misaligned_pointer: `shape` is not aligned to 8 bytes |"),
    ("null and 6 bytes", "-2/-2 layer 1 null_pointer: `bytes` is null |"),
    ("bad utf-8", "-5/-5 layer 1 invalid_utf8: `label` is not UTF-8: byte 0 is invalid |"),
    ("null text", "-2/-2 layer 1 null_pointer: `label` is null |"),
    ("no such enum", "-6/-6 layer 1 invalid_enum_value: `dtype` is 99"),
    ("handle 0", "-7/-7 layer 1 invalid_handle: `tensor` is not"),
    ("handle of another kind", "-7/-7 layer 1 invalid_handle: `stream` is not"),
    ("free", "0"),
    ("double free", "-7/-7 layer 1 invalid_handle: `tensor` is not"),
    ("use after free", "-7/-7 layer 1 invalid_handle: `dst` is not"),
    ("stream", "0"),
    ("stream work", "0"),
    ("stream destroy", "0"),
    ("stream destroyed", "-7/-7 layer 1 invalid_handle: `stream` is not"),
    ("free", "0"),
    ("null and 0", "0"),
    ("before the thread", "-2/-2 layer 1 null_pointer: `out` is null"),
    ("new thread", "0"),
    ("thread", "-7/-7 layer 1 invalid_handle: `tensor` is not"),
    ("pthread_key destructor", "-2/-2 layer 1 null_pointer: `out` is null"),
    ("still", "-2/-2 layer 1 null_pointer: `out` is null"),
    ("pthread_key destructor", "-2/-2 layer 1 null_pointer: `out` is null"),
    ("cleared", "0 1"),
    ("observe", "-2 1"),
    ("flush", "1"),
    ("atexit", "-2/-2 layer 1 null_pointer: `out` is null"),
];

#[test]
fn errno_is_the_same_after_every_call() {
    let Some(host) = host("gcc", &C, "life.c") else { return };
    let told = the_same_at_every_level(&host, &["rows"]);
    assert!(!told.contains("errno changed"), "{told}");
    let last = ("ELF destructor", "-2/-2 layer 1 null_pointer: `out` is null");
    let expected = ROWS.iter().chain([&last]);
    assert_eq!(told.lines().count(), ROWS.len() + 1, "{told}");
    for (line, (case, goes_on)) in told.lines().zip(expected) {
        let rest = line.strip_prefix(case).and_then(|line| line.strip_prefix(": ")).unwrap_or_else(|| panic!("{line}"));
        assert!(rest.starts_with(goes_on), "{line}");
    }
}

#[test]
fn a_full_or_closed_standard_error_changes_nothing() {
    let Some(host) = host("gcc", &C, "life.c") else { return };
    let expected = text(&host.run("off", &["rows"]));
    for redirection in ["2>/dev/full", "2>&-"] {
        // Without a trace output the lines go to standard error, in vain.
        let output = Command::new("sh")
            .args(["-c", &format!("exec \"$0\" rows {redirection}")])
            .arg(&host.program)
            .env("KINA_OBSERV_LEVEL", "basic")
            .env("KINA_RUNTIME_MEMORY_LIMIT", "1048576")
            .env_remove("KINA_OBSERV_TRACE_OUTPUT")
            .env_remove("RUST_LOG")
            // Cargo's, which would come before the folder that the program names.
            .env_remove("LD_LIBRARY_PATH")
            .output()
            .expect("the host runs");
        assert!(output.status.success(), "{redirection}: {}", output.status);
        assert_eq!(text(&output), expected, "{redirection}");
    }
}

#[test]
fn cpp_objects_call_before_main_and_after_it() {
    let Some(host) = host("g++", &["-std=c++17"], "life.cpp") else { return };
    let told = the_same_at_every_level(&host, &[]);
    let places: Vec<_> = told.lines().filter_map(|line| line.split_once(": ")).collect();
    assert!(places.iter().all(|(_, rest)| *rest == "-2 `out` is null | runtime.device.count"), "{told}");
    let places: Vec<_> = places.iter().map(|(place, _)| *place).collect();
    let thread = "thread_local object";
    let expected = ["static object", "main", thread, thread, thread, "try", "catch", "static local", "static local"];
    assert_eq!(places, [&expected[..], &["static object"]].concat());
}

#[test]
fn a_thousand_children_of_a_tracing_process_trace_for_themselves() {
    let Some(host) = host("gcc", &C, "life.c") else { return };
    let mut seen = HashSet::new();
    for (level, children) in [("basic", 1_000), ("kernel", 50), ("off", 100)] {
        let folder = host.folder.path().join(level);
        std::fs::create_dir(&folder).expect("a folder");
        let output = host.run(level, &["fork", &children.to_string(), &folder.to_string_lossy()]);
        assert_eq!(text(&output), format!("{children} children, 0 bad\n"));
        for child in 0..children {
            let spans = spans(&folder.join(format!("child-{child}.jsonl")));
            // What it called before `init` was not recorded, and what its parent called is not its own.
            let types: Vec<_> = spans.iter().map(|span| &span["type"]).collect();
            assert_eq!(types, ["runtime.tensor.alloc", "runtime.tensor.free", "runtime.device.count"]);
            for span in &spans {
                assert!(span.get("parent_span_id").is_none(), "{spans:?}");
                assert!(seen.insert(span["span_id"].to_string()), "{spans:?}");
            }
        }
        if level != "off" {
            assert!(ids(&host.trace()).is_disjoint(&seen), "a child has an id of its parent's");
        }
    }
}

/// The ids of a long trace, without its JSON.
fn ids(trace: &Path) -> HashSet<String> {
    let text = std::fs::read_to_string(trace).expect("the trace was written");
    let id = |line: &str| Some(line.split_once("\"span_id\":")?.1.split_once(',')?.0.to_owned());
    text.lines().filter_map(id).collect()
}

#[test]
fn loading_and_unloading_leaves_the_memory_map_as_it_was() {
    let Some(host) = host("gcc", &C, "reload.c") else { return };
    let library = library_folder().join("libkina_runtime.so");
    let library = library.to_str().expect("a path of text");
    for level in LEVELS {
        assert_eq!(text(&host.run(level, &[library, "never"])), "0 mapped\n", "a library never called unmaps");
        assert_eq!(text(&host.run(level, &[library, "1000"])), "1000 rounds\n");
        if level != "off" {
            assert_eq!(spans(&host.trace()).len(), 2_000);
        }
    }
}

#[test]
fn two_libraries_in_one_process_stay_apart() {
    let Some(host) = host("gcc", &C, "reload.c") else { return };
    let library = library_folder().join("libkina_runtime.so");
    let copy = host.folder.path().join("libcopy.so");
    std::fs::copy(&library, &copy).expect("a copy");
    let [library, copy] = [&library, &copy].map(|path| path.to_str().expect("a path of text"));
    // The second is told nothing by its environment, and nothing by the first.
    assert_eq!(text(&host.run("", &[library, "apart", copy])), "errors 0 -2, the other starts: 0\n");
    assert_eq!(spans(&host.trace()).len(), 1);
}

/// What became of the records of a trace, by kind.
fn kinds(trace: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    assert!(trace.ends_with('\n'), "the last line is torn");
    for line in trace.lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let kind = line["kind"].as_str().expect("every line has a kind");
        *counts.entry(kind.to_owned()).or_default() += line["count"].as_u64().unwrap_or(1);
    }
    counts
}

fn count(counts: &BTreeMap<String, u64>, kind: &str) -> u64 {
    counts.get(kind).copied().unwrap_or(0)
}

/// Runs 64 threads while the level goes round; gives how many calls there were and what became of them.
fn storm(host: &Host, levels: &str, milliseconds: &str) -> (u64, BTreeMap<String, u64>) {
    let output = host.run("basic", &["storm", levels, milliseconds]);
    let calls = text(&output).strip_suffix(" calls\n").and_then(|calls| calls.parse().ok()).expect("a number of calls");
    (calls, kinds(&std::fs::read_to_string(host.trace()).expect("the trace was written")))
}

#[test]
fn no_call_is_lost_while_the_level_is_switched_a_thousand_times() {
    let Some(host) = host("gcc", &C, "life.c") else { return };
    // Every call is recorded at either level, so all of them are in the trace, or told as dropped: the first ones too,
    // which race the one that configures.
    let (calls, counts) = storm(&host, "12", "10000");
    assert!(calls > 1_000, "{calls}");
    assert_eq!(count(&counts, "span") + count(&counts, "dropped"), calls, "{counts:?}");
    assert_eq!(count(&counts, "header"), 1);
    // Through off: what is recorded is whole.
    let (calls, counts) = storm(&host, "102", "2000");
    assert!(counts["span"] <= calls, "{counts:?}");
}

#[test]
fn a_call_that_races_the_first_one_is_recorded() {
    let Some(host) = host("gcc", &C, "life.c") else { return };
    for _ in 0..20 {
        host.run("basic", &["first", "32"]);
        let counts = kinds(&std::fs::read_to_string(host.trace()).expect("the trace was written"));
        // A machine that is very busy may not have configured it in time, and says so.
        assert_eq!(count(&counts, "span") + count(&counts, "dropped"), 32, "{counts:?}");
    }
}

/// The call that configures waits for somebody to read the pipe. The others wait for it, but not for ever.
#[test]
fn a_first_call_that_hangs_holds_nobody_else() {
    let Some(host) = host("gcc", &C, "life.c") else { return };
    if !have("mkfifo") {
        return;
    }
    let pipe = host.folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let mut child = Command::new(&host.program)
        .args(["first", "8"])
        .env("KINA_OBSERV_LEVEL", "basic")
        .env("KINA_OBSERV_TRACE_OUTPUT", &pipe)
        .env_remove("RUST_LOG")
        // Cargo's, which would come before the folder that the program names.
        .env_remove("LD_LIBRARY_PATH")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the host runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, "all but one\n");
    // Who opens it lets the first call go on; the others are told as lost.
    let counts = kinds(&std::fs::read_to_string(&pipe).expect("the trace"));
    assert!(child.wait().expect("the host ends").success());
    assert_eq!((count(&counts, "span"), count(&counts, "dropped")), (1, 7), "{counts:?}");
}
