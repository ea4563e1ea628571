//! Programs that step into every trap, built by gcc and by g++: what they are told is the same at every level.

#[path = "../../examples/runtime/tests/host/mod.rs"]
mod host;

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use host::{build_with, library_folder, of, spans};

/// Compilers, and how each reads the same source.
const COMPILERS: [(&str, &[&str]); 2] =
    [("gcc", &["-std=c11", "-pedantic", "-D_GNU_SOURCE"]), ("g++", &["-std=c++17", "-x", "c++"])];

struct Host {
    program: PathBuf,
    folder: tempfile::TempDir,
}

fn host(compiler: &str, flags: &[&str], source: &str) -> Option<Host> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let program = build_with(compiler, flags, &source, folder.path(), &library_folder(), &["-ltraps"])?;
    Some(Host { program, folder })
}

impl Host {
    fn trace(&self) -> PathBuf {
        self.folder.path().join("trace.jsonl")
    }

    fn run(&self, level: &str, redirection: &str) -> Output {
        let _ = std::fs::remove_file(self.trace());
        let mut host = Command::new("sh");
        host.args(["-c", &format!("exec \"$0\" {redirection}")]).arg(&self.program);
        host.env("KINA_OBSERV_LEVEL", level).env("RUST_BACKTRACE", "0").env_remove("RUST_LOG");
        // Cargo's, which would come before the folder that the program names.
        host.env_remove("LD_LIBRARY_PATH");
        // Where standard error is of interest, the lines go there too.
        if redirection.is_empty() {
            host.env("KINA_OBSERV_TRACE_OUTPUT", self.trace());
        } else {
            host.env_remove("KINA_OBSERV_TRACE_OUTPUT");
        }
        let output = host.output().expect("the host runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{level}: {}: {err}", output.status);
        output
    }
}

/// What the host was told, without the places of panics; and how many places there were.
fn told(output: &Output) -> (String, usize) {
    let mut places = 0;
    let lines = std::str::from_utf8(&output.stdout).expect("UTF-8").lines().map(|line| {
        let Some((before, after)) = line.split_once("` at host-tests/src/") else { return line.to_owned() };
        places += 1;
        let (place, text) = after.split_once(": ").expect("a place and a text");
        assert!(place.starts_with("errors.rs:") && place.split(':').count() == 3, "{line}");
        format!("{before}`: {text}")
    });
    (lines.map(|line| line + "\n").collect(), places)
}

/// The golden: every row of a life, told once.
fn expected() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/rows.txt");
    std::fs::read_to_string(path).expect("the golden is there")
}

#[test]
fn every_trap_is_told_alike_at_every_level_from_c_and_from_cpp() {
    for (compiler, flags) in COMPILERS {
        let Some(host) = host(compiler, flags, "c/rows.c") else { continue };
        for level in ["off", "basic", "kernel"] {
            let output = host.run(level, "");
            let (told, places) = told(&output);
            if std::env::var_os("KINA_BLESS").is_some() && level == "off" && compiler == "gcc" {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/rows.txt");
                std::fs::write(path, &told).expect("the golden is written");
            }
            assert!(told == expected(), "{compiler}, {level}:\n{told}");
            let panics = told.lines().filter(|line| line.contains(" layer 1 panic: ")).count();
            // After `atexit` recording is over.
            assert_eq!(places, if level == "off" { 0 } else { panics - 2 }, "{level}: a panic has a place");
            // Each is printed once, also those that a callback or the boundary swallowed.
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(err.matches("panicked at").count(), panics + PRINTED_ONLY, "{level}: {err}");
            if level != "off" {
                check_spans(&host.trace());
            }
        }
    }
}

/// Panics that no row tells: in `Display`, in the payload's drop, and three in a callback that goes on.
const PRINTED_ONLY: usize = 5;

fn check_spans(trace: &Path) {
    let spans = spans(trace);
    let walks = of(&spans, "traps_walk");
    let calls = of(&spans, "traps_fail");
    let inside = calls.iter().filter(|call| walks.iter().any(|walk| walk["span_id"] == call["parent_span_id"]));
    // Three from one walk, three from a walk in a walk.
    assert_eq!(inside.count(), 6, "what a callback calls is inside the call that called it");
    let panicked = of(&spans, "traps_panic").into_iter().filter(|span| span["attributes"]["error.type"] == "panic");
    assert_eq!(panicked.count(), 10);
}

#[test]
fn a_standard_error_that_takes_nothing_changes_no_errno() {
    let (compiler, flags) = COMPILERS[0];
    let Some(host) = host(compiler, flags, "c/rows.c") else { return };
    for redirection in ["2>/dev/full", "2>&-"] {
        for level in ["basic", "kernel"] {
            let (told, _) = told(&host.run(level, redirection));
            assert!(told == expected(), "{level} {redirection}:\n{told}");
        }
    }
}

/// An exception must not pass through frames of Rust, nor be taken for one of its panics.
#[test]
fn an_exception_of_a_callback_ends_the_process() {
    let Some(host) = host("g++", &["-std=c++17"], "c/throws.cpp") else { return };
    for level in ["off", "basic"] {
        let output = Command::new(&host.program)
            .env("KINA_OBSERV_LEVEL", level)
            .env("KINA_OBSERV_TRACE_OUTPUT", host.trace())
            .env_remove("RUST_LOG")
            .env_remove("LD_LIBRARY_PATH")
            .output()
            .expect("the host runs");
        assert_eq!(output.status.signal(), Some(6), "SIGABRT: {output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains("Rust cannot catch foreign exceptions"), "{level}: {err}");
    }
}
