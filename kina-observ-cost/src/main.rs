//! What an annotated call costs: the program that `cargo xtask cost` counts.
//!
//! `kina-observ-cost VARIANT ARGUMENTS CALLS` makes the calls inside `cost_batch_ARGUMENTS`, for callgrind;
//! `kina-observ-cost allocations ARGUMENTS` counts allocations by itself and prints `name value limit` lines.
#![allow(clippy::disallowed_macros, reason = "`#[tracing::instrument]` is what we compare with")]

mod allocations;
mod subject;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use kina_observ::{Format, Guard, Level};

use subject::Subject;

/// Calls before the count starts: the first ones make the ring and whatever else is made once.
const WARM_UP: u32 = 16;
/// Calls whose allocations are counted, in batches that a ring holds easily.
const BATCHES: u32 = 20;
const BATCH: u32 = 1_000;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["allocations", arguments] => count_allocations(arguments),
        [variant, arguments, calls] => make_calls(variant, arguments, calls),
        _ => Err("usage: kina-observ-cost bare|off|filtered|basic|tracing 2|8 CALLS, or: allocations 2|8".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn make_calls(variant: &str, arguments: &str, calls: &str) -> Result<(), Box<dyn Error>> {
    let calls: u32 = calls.parse()?;
    let subject = Subject::choose(variant, arguments)?;
    if matches!(variant, "bare" | "tracing") {
        // Without us: `init` would install a subscriber, and tracing is to be measured without one.
        return warm_up_and_count(subject, calls);
    }
    let guard = set_up(variant)?;
    warm_up_and_count(subject, calls)?;
    let recorded = if variant == "basic" { WARM_UP + calls } else { 0 };
    finish(guard, recorded.into())
}

fn warm_up_and_count(subject: Subject, calls: u32) -> Result<(), Box<dyn Error>> {
    let failed = (0..WARM_UP).map(|_| u32::from(subject.call() != 0)).sum::<u32>() + subject.batch(calls);
    if failed > 0 {
        return Err(format!("{failed} calls failed; only calls that succeed are measured").into());
    }
    Ok(())
}

fn count_allocations(arguments: &str) -> Result<(), Box<dyn Error>> {
    let subject = Subject::choose("basic", arguments)?;
    let guard = set_up("basic")?;
    let mut before = allocations::so_far();
    for round in 0..=BATCHES {
        if round == 1 {
            before = allocations::so_far();
        }
        subject.batch(BATCH);
        if !guard.flush(Duration::from_secs(10)) {
            return Err("the collector did not write a batch within ten seconds".into());
        }
    }
    let after = allocations::so_far();
    let spans = f64::from(BATCHES * BATCH);
    for (place, before, after) in [("caller", before.caller, after.caller), ("process", before.process, after.process)]
    {
        println!("allocations_{place}_{arguments} {:.3} 0", (after - before) as f64 / spans);
    }
    finish(guard, ((BATCHES + 1) * BATCH).into())
}

/// The trace goes into the target directory, beside the program.
fn output() -> std::io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_extension("jsonl"))
}

fn set_up(variant: &str) -> Result<Guard, Box<dyn Error>> {
    let builder = kina_observ::builder().trace_output(output()?).trace_format(Format::Json);
    let builder = match variant {
        "filtered" => builder.level(Level::Basic).filter("kina_observ_cost=off"),
        "off" => builder.level(Level::Off),
        _ => builder.level(Level::Basic),
    };
    Ok(builder.init()?)
}

/// A variant that recorded more or fewer spans than it should has measured something else.
fn finish(guard: Guard, expected: u64) -> Result<(), Box<dyn Error>> {
    let report = guard.shutdown();
    std::fs::remove_file(output()?)?;
    if report.produced == expected && report.dropped == 0 {
        return Ok(());
    }
    Err(format!("expected {expected} spans and no loss, got: {report}").into())
}
