//! The generated header: C and C++ compile it without a warning, and it has exactly what the library exports.

#[allow(dead_code)] // no trace is read here
mod host;

use std::collections::BTreeSet;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::Command;

use host::{ENTRY_POINTS, have, library_folder};

fn header() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c/kina_runtime.h")
}

#[test]
fn c_and_cpp_compile_it_without_a_warning() {
    for (compiler, language, standard) in
        [("gcc", "c", "c99"), ("gcc", "c", "c11"), ("gcc", "c", "c2x"), ("g++", "c++", "c++17")]
    {
        if !have(compiler) {
            continue;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = Command::new(compiler)
            .args(["-pedantic", "-Wall", "-Wextra", "-Werror", "-x", language, "-c", "-o"])
            .arg(folder.path().join("header.o"))
            .arg(format!("-std={standard}"))
            .arg(header())
            .output()
            .expect("the compiler runs");
        assert!(output.status.success(), "{standard}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn it_has_exactly_what_the_library_exports() {
    if !have("nm") {
        return;
    }
    let library = library_folder().join(format!("{DLL_PREFIX}kina_runtime{DLL_SUFFIX}"));
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output().expect("nm runs");
    let listing = String::from_utf8(output.stdout).expect("symbols are ASCII");
    let exported: BTreeSet<&str> =
        listing.lines().filter(|line| line.contains(" T ")).filter_map(|line| line.split_whitespace().last()).collect();
    let text = std::fs::read_to_string(header()).expect("the header is there");
    let declared: BTreeSet<&str> = text.lines().filter_map(declared).collect();
    assert_eq!(declared, exported);
    assert!(ENTRY_POINTS.iter().all(|symbol| declared.contains(symbol)));
}

/// The name of the function whose declaration starts on a line.
fn declared(line: &str) -> Option<&str> {
    let starts = line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.starts_with("typedef");
    let (before, _) = line.split_once('(').filter(|_| starts)?;
    before.rsplit([' ', '*']).next()
}

#[test]
fn it_says_where_it_comes_from() {
    let text = std::fs::read_to_string(header()).expect("the header is there");
    let first = text.lines().next().unwrap_or_default();
    assert!(first.starts_with("/* Generated from src/lib.rs of kina_runtime by `kina-observ header"), "{first}");
}
