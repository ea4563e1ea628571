//! What an annotated call costs: the program that `cargo xtask cost` counts.
//!
//! `kina-observ-cost VARIANT FUNCTION CALLS` makes the calls inside `cost_batch_*`, for callgrind, and
//! `kina-observ-cost library VARIANT FUNCTION CALLS` has the shared library make them.
//! `kina-observ-cost allocations` and `kina-observ-cost time` measure by themselves and print `name value limit` lines.
#![allow(clippy::disallowed_macros, reason = "`#[tracing::instrument]` is what we compare with")]

mod allocations;
mod batch;
mod calls;
mod host;
mod names;
mod subject;
mod time;

use std::error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<(), Box<dyn Error>> {
    match words {
        ["allocations"] => allocations::print(),
        ["time"] => time::print(),
        [variant, case, calls] => {
            let (variant, case) = numbers(variant, case)?;
            calls::make(variant, case, calls.parse()?)
        }
        ["library", variant, case, calls] => {
            let (variant, case) = numbers(variant, case)?;
            host::make(variant, case, calls.parse()?)
        }
        _ => Err("usage: kina-observ-cost [library] VARIANT FUNCTION CALLS, or: allocations, or: time".into()),
    }
}

/// The places of both names in the tables.
fn numbers(variant: &str, case: &str) -> Result<(usize, usize), Box<dyn Error>> {
    let variants = names::VARIANTS.iter().position(|(known, _)| *known == variant);
    let cases = names::CASES.iter().position(|(known, _)| *known == case);
    variants.zip(cases).ok_or_else(|| format!("there is no `{variant}` of `{case}`").into())
}
