//! A number of calls under one level, of which callgrind counts those inside `cost_batch_*`.

use std::error::Error;
use std::path::PathBuf;

use kina_observ::{Format, Guard, Level};

use crate::names::{Variant, of_numbers};
use crate::subject::Subject;

/// Calls before the count starts: the first ones make the ring and whatever else is made once.
const WARM_UP: u32 = 16;

pub(crate) fn make(variant: usize, case: usize, calls: u32) -> Result<(), Box<dyn Error>> {
    let (variant, case) = of_numbers(variant, case).ok_or("the numbers stand for no function")?;
    let subject = Subject::choose(variant, case)?;
    if matches!(variant, Variant::Bare | Variant::Tracing) {
        // Without us: `init` would install a subscriber, and tracing is to be measured without one.
        return warm_up_and_count(subject, calls);
    }
    let guard = set_up(variant)?;
    warm_up_and_count(subject, calls)?;
    let recorded = if matches!(variant, Variant::Basic) { WARM_UP + calls } else { 0 };
    finish(guard, recorded.into())
}

fn warm_up_and_count(subject: Subject, calls: u32) -> Result<(), Box<dyn Error>> {
    let wrong = (0..WARM_UP).map(|_| u32::from(!subject.call())).sum::<u32>() + subject.batch(calls);
    if wrong > 0 {
        return Err(format!("{wrong} calls returned another code than they should").into());
    }
    Ok(())
}

/// The trace goes into the target directory, beside the program.
fn output() -> std::io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_extension("jsonl"))
}

pub(crate) fn set_up(variant: Variant) -> Result<Guard, Box<dyn Error>> {
    let builder = kina_observ::builder().trace_output(output()?).trace_format(Format::Json);
    let builder = match variant {
        Variant::Filtered => builder.level(Level::Basic).filter("off"),
        Variant::Off => builder.level(Level::Off),
        _ => builder.level(Level::Basic),
    };
    Ok(builder.init()?)
}

/// A variant that recorded more or fewer spans than it should has measured something else.
pub(crate) fn finish(guard: Guard, expected: u64) -> Result<(), Box<dyn Error>> {
    let report = guard.shutdown();
    std::fs::remove_file(output()?)?;
    if report.produced == expected && report.dropped == 0 {
        return Ok(());
    }
    Err(format!("expected {expected} spans and no loss, got: {report}").into())
}
