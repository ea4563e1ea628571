//! What only a GPU can show of the example, one line a check. `cargo xtask gpu-check` leaves it in a folder with all that it needs.

kina_observ::conventions!();

mod example;
#[cfg(feature = "nvtx")]
mod profiler;
#[cfg(feature = "nvtx")]
mod ranges;
mod times;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kina_observ::device::{Device, DeviceError};

use example::Run;

/// What a check found: how it holds, or what is wrong.
type Outcome = Result<Found, String>;

/// What a check found that did not fail.
enum Found {
    Holds(String),
    /// Why it could not be made.
    Skipped(&'static str),
}

/// What the checks work with.
struct Bench {
    device: Device,
    /// Where this program and the example are.
    folder: PathBuf,
    /// For traces; gone at the end.
    scratch: PathBuf,
}

fn main() -> ExitCode {
    let device = match Device::cuda(0) {
        Ok(device) => device,
        Err(DeviceError::Unavailable { what, .. }) => {
            // The rest are the names of all libraries that were tried.
            println!("skipped: no device ({})", what.split(": none of").next().unwrap_or_default());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            println!("failed   device: {error}");
            return ExitCode::FAILURE;
        }
    };
    let scratch = env::temp_dir().join(format!("gpu-check-{}", std::process::id()));
    let outcome = bench(device, &scratch).map(|bench| checks(&bench));
    let _ = std::fs::remove_dir_all(&scratch);
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            println!("failed   {message}");
            ExitCode::FAILURE
        }
    }
}

fn bench(device: Device, scratch: &Path) -> Result<Bench, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let folder = program.parent().ok_or("this program lies in no folder")?.to_owned();
    std::fs::create_dir_all(scratch).map_err(|error| format!("cannot make `{}`: {error}", scratch.display()))?;
    Ok(Bench { device, folder, scratch: scratch.to_owned() })
}

/// Whether all of them hold.
fn checks(bench: &Bench) -> bool {
    let mut all = say("device", device(&bench.device));
    match Run::of(bench) {
        Ok(run) => {
            all &= say("result", run.result());
            all &= say("memory", run.memory());
            all &= say("launches", run.launches());
            all &= say("ranges", run.ranges());
        }
        Err(message) => all = say("result", Err(message)),
    }
    all &= say("times", times::check(bench));
    all & say("profiler", profiler(bench))
}

#[cfg(feature = "nvtx")]
fn profiler(bench: &Bench) -> Outcome {
    profiler::check(bench)
}

#[cfg(not(feature = "nvtx"))]
fn profiler(_: &Bench) -> Outcome {
    Ok(Found::Skipped(example::NO_RANGES))
}

fn device(device: &Device) -> Outcome {
    let memory = device.memory_info().ok_or("the driver does not say how much memory there is")?;
    Ok(Found::Holds(format!("{}, {} MiB of {} free", device.name(), memory.free >> 20, memory.total >> 20)))
}

fn say(check: &str, outcome: Outcome) -> bool {
    match &outcome {
        Ok(Found::Holds(what)) => println!("ok       {check}: {what}"),
        Ok(Found::Skipped(why)) => println!("skipped  {check}, because {why}"),
        Err(what) => println!("failed   {check}: {what}"),
    }
    outcome.is_ok()
}
