//! The programs of `docs/hosts.md` do what the page says: they are taken from it, built and run.

mod host;

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::Path;
use std::process::Command;

use host::{build_with, have, library_folder, spans};

/// The one block of that language.
fn block(language: &str) -> String {
    let page = include_str!("../../../docs/hosts.md");
    let mut blocks = page.split("\n```").filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    let block = blocks.next().expect("the page has the block").to_owned();
    assert_eq!(blocks.next(), None, "one block of {language}");
    block
}

/// Runs a program at basic; gives what it prints and which entry points it called.
fn run(mut program: Command, folder: &Path) -> (String, Vec<String>) {
    let trace = folder.join("trace.jsonl");
    let output = program
        .env("KINA_OBSERV_LEVEL", "basic")
        .env("KINA_OBSERV_TRACE_OUTPUT", &trace)
        .env_remove("RUST_LOG")
        // Cargo's, which would come before the folder that the program names.
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .expect("it runs");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && err.is_empty(), "{}: {err}", output.status);
    let spans = spans(&trace);
    let types = spans.iter().map(|span| span["type"].as_str().expect("a type").to_owned()).collect();
    (String::from_utf8(output.stdout).expect("UTF-8"), types)
}

fn compiled(compiler: &str, flags: &[&str], language: &str, suffix: &str) -> Option<(String, Vec<String>)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("page").with_extension(suffix);
    std::fs::write(&source, block(language)).expect("the source is written");
    let program = build_with(compiler, flags, &source, folder.path(), &library_folder(), &["-lkina_runtime"])?;
    Some(run(Command::new(program), folder.path()))
}

const NEGATIVE: &str = "`shape` is -3: a size cannot be negative";

#[test]
fn the_c_program_of_the_page() {
    let Some((out, types)) = compiled("gcc", &["-std=c99", "-pedantic"], "c", "c") else { return };
    assert!(out.starts_with("1 device\n-4 ") && out.contains(NEGATIVE), "{out}");
    assert_eq!(types, ["runtime.device.count", "runtime.tensor.alloc"]);
}

#[test]
fn the_cpp_program_of_the_page() {
    let Some((out, types)) = compiled("g++", &["-std=c++17", "-pedantic"], "cpp", "cpp") else { return };
    assert_eq!(out, NEGATIVE.replace("-3", "-4") + "\n");
    assert_eq!(types, ["runtime.tensor.alloc", "runtime.tensor.alloc", "runtime.tensor.free"]);
}

#[test]
fn the_python_program_of_the_page() {
    if !have("python3") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("page.py");
    std::fs::write(&source, block("python")).expect("the source is written");
    let mut program = Command::new("python3");
    program.arg(source).arg(library_folder().join(format!("{DLL_PREFIX}kina_runtime{DLL_SUFFIX}")));
    let (out, types) = run(program, folder.path());
    assert_eq!(out, "1 device\n-2 `out` is null\n");
    assert_eq!(types, ["runtime.device.count"; 2]);
}
