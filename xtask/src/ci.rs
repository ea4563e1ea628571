//! `cargo xtask ci`: the checks in the order of their price; the first failure ends it.

use std::env;
use std::time::Instant;

use crate::process::{cargo, is_installed, run};
use crate::{asan, codegen, cost, features, licences, tidy};

enum Done {
    Passed,
    Skipped(&'static str),
}

type Check = fn() -> Result<Done, String>;

const STEPS: [(&str, Check); 11] = [
    ("fmt", || passed(run(cargo(&["fmt", "--all", "--check"])))),
    ("tidy", || passed(tidy::run())),
    ("codegen", || passed(codegen::run(true))),
    ("clippy", || passed(clippy())),
    ("lint", || passed(lint())),
    ("header", || passed(header())),
    ("doc", || passed(doc())),
    ("licences", || passed(licences::run())),
    ("features", || passed(features::run_all())),
    ("cost", measure),
    ("asan", sanitize),
];

/// Runs every step; the tests are a command of their own and not among them.
pub(crate) fn run_all() -> Result<(), String> {
    for (name, check) in STEPS {
        println!("==> {name}");
        let start = Instant::now();
        let done = check();
        let seconds = start.elapsed().as_secs_f64();
        match done {
            Ok(Done::Passed) => println!("    {name} passed in {seconds:.1} s"),
            Ok(Done::Skipped(reason)) => println!("    {name} skipped, because {reason}"),
            Err(message) => {
                return Err(format!(
                    "step `{name}` failed after {seconds:.1} s: {message}\n\
                     help: mend it, then run `cargo xtask ci` again"
                ));
            }
        }
    }
    Ok(())
}

fn passed(result: Result<(), String>) -> Result<Done, String> {
    result.map(|()| Done::Passed)
}

fn clippy() -> Result<(), String> {
    run(cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))
}

/// The example shows what the linter asks for, so it has no finding.
fn lint() -> Result<(), String> {
    run(cargo(&["run", "--quiet", "--locked", "-p", "kina-observ-cli", "--", "lint", "examples/runtime"]))
}

/// The committed headers are what the sources export.
fn header() -> Result<(), String> {
    for package in ["examples/runtime", "host-tests", "host-tests/other"] {
        let words = ["header", "--crate", package, "--check"];
        run(cargo(&[&["run", "--quiet", "--locked", "-p", "kina-observ-cli", "--"], words.as_slice()].concat()))?;
    }
    Ok(())
}

fn doc() -> Result<(), String> {
    let mut doc = cargo(&["doc", "--no-deps", "--workspace", "--locked"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    run(doc)
}

fn sanitize() -> Result<Done, String> {
    match asan::refusal()? {
        Some(reason) if env::var_os("CI").is_none_or(|value| value != "true") => Ok(Done::Skipped(reason)),
        _ => passed(asan::run_all()),
    }
}

fn measure() -> Result<Done, String> {
    if is_installed("valgrind") || env::var_os("CI").is_some_and(|value| value == "true") {
        return passed(cost::run_all());
    }
    Ok(Done::Skipped("valgrind is not installed"))
}
