//! `cargo xtask cost`: what an annotated call costs, each number beside its limit.
//! Instructions and allocations repeat exactly on a busy machine; of times only a ratio is judged, of one run.

use std::path::{Path, PathBuf};

use crate::features;
use crate::process::{capture, cargo, command, is_installed, run};

const PACKAGE: &str = "kina-observ-cost";

/// Two run lengths: what a run costs once cancels in their difference. Both fit into one ring, so that nothing is dropped.
const SHORT: u32 = 200;
const LONG: u32 = 1_200;

/// The functions under test, named after their number of arguments.
const FUNCTIONS: [&str; 2] = ["2", "8"];

/// What is measured against the bare function, and how many instructions it may add.
const VARIANTS: [(&str, Option<f64>); 4] =
    [("off", Some(5.0)), ("filtered", Some(24.0)), ("basic", Some(160.0)), ("tracing", None)];
/// The same in a shared library that a host loads.
const IN_LIBRARY: [(&str, Option<f64>); 2] = [("off", Some(8.0)), ("basic", None)];

/// Calls that fail: a null pointer, the outer `Err`, the inner `Err`. What they may take is said in time, below.
const FAILURES: [&str; 3] = ["rejected", "error", "inner_error"];
const LEVELS: [&str; 2] = ["off", "basic"];

/// What the feature `nvtx` may add to them while no tool is attached.
const WITH_NVTX: [(&str, f64); 2] = [("off", 0.0), ("basic", 15.0)];

/// What a ledger adds to an allocation and its free; what it may take in time the program says itself.
const MEMORY: &str = "kina-observ-cost-memory";
const LEDGERS: [(&str, Option<f64>); 3] = [("off", Some(18.0)), ("totals", None), ("spans", None)];

/// Where the functions are.
#[derive(Clone, Copy)]
enum Place {
    Program,
    Library,
}

/// Prints one `name value limit` a line; fails if a value is over its limit.
pub(crate) fn run_all() -> Result<(), String> {
    if !is_installed("valgrind") {
        return Err("instructions cannot be counted: `valgrind` is not installed\n\
             help: install it with your package manager (Debian: `apt-get install valgrind`)"
            .to_owned());
    }
    let program = build(&[], "")?;
    let mut lines = Vec::new();
    for function in FUNCTIONS {
        lines.extend(over_bare(&program, Place::Program, function, &VARIANTS)?);
    }
    for function in FUNCTIONS {
        lines.extend(over_bare(&program, Place::Library, function, &IN_LIBRARY)?);
    }
    lines.extend(with_nvtx(&program)?);
    for failure in FAILURES {
        for level in LEVELS {
            let total = instructions(&program, Place::Program, level, failure)?;
            lines.push(line(&format!("{level}_{failure}"), total, None));
        }
    }
    let memory = program.with_file_name(MEMORY);
    lines.extend(over_bare(&memory, Place::Program, "allocations", &LEDGERS)?);
    for (program, measurement) in [(&program, "time"), (&program, "allocations"), (&memory, "time")] {
        lines.extend(printed(program, measurement)?);
    }
    for line in &lines {
        println!("{line}");
    }
    verdict(&lines)
}

/// What else the machine does may slow a whole run down, and never speeds one up; so one run within the limits is proof.
const RUNS: u32 = 5;

/// The lines that a program prints itself, in our form: of the first run within the limits, else of the last.
fn printed(program: &Path, measurement: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for _ in 0..RUNS {
        lines = capture(command(program, &[measurement]))?.lines().map(str::to_owned).collect();
        if measurement != "time" || !lines.iter().any(|line| is_over(line)) {
            break;
        }
    }
    Ok(lines)
}

/// The lines of one function: bare, and what each variant makes of it.
fn over_bare(
    program: &Path,
    place: Place,
    function: &str,
    variants: &[(&str, Option<f64>)],
) -> Result<Vec<String>, String> {
    let prefix = match place {
        Place::Program => "",
        Place::Library => "library_",
    };
    let bare = instructions(program, place, "bare", function)?;
    let mut lines = vec![line(&format!("{prefix}bare_{function}"), bare, None)];
    for (variant, limit) in variants {
        let total = instructions(program, place, variant, function)?;
        lines.push(line(&format!("{prefix}{variant}_{function}"), total, None));
        let added = format!("{prefix}{variant}_{function}_over_bare");
        lines.push(line(&added, total - bare, *limit));
    }
    Ok(lines)
}

/// The lines of the feature `nvtx`: what it adds to a call.
fn with_nvtx(without: &Path) -> Result<Vec<String>, String> {
    if let Some(reason) = features::refusal("nvtx")? {
        println!("nvtx skipped, because {reason}");
        return Ok(Vec::new());
    }
    // In a folder of its own, so that neither build makes the other one anew.
    let with = build(&["--features", "nvtx"], "nvtx")?;
    let mut lines = Vec::new();
    for function in FUNCTIONS {
        for (variant, limit) in WITH_NVTX {
            let [without, with] =
                [without, &with].map(|program| instructions(program, Place::Program, variant, function));
            lines.push(line(&format!("nvtx_{variant}_{function}_over_{variant}"), with? - without?, Some(limit)));
        }
    }
    Ok(lines)
}

fn build(features: &[&str], folder: &str) -> Result<PathBuf, String> {
    let target = target_directory()?.join(folder);
    let mut build = cargo(&[&["build", "--release", "--locked", "--package", PACKAGE], features].concat());
    build.env("CARGO_TARGET_DIR", &target);
    run(build)?;
    Ok(target.join("release").join(PACKAGE))
}

/// Cargo built us into `<target>/<profile>/xtask`.
pub(crate) fn target_directory() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find xtask itself: {error}"))?;
    own.ancestors()
        .nth(2)
        .map(Path::to_owned)
        .ok_or_else(|| format!("`{}` is not inside a target directory", own.display()))
}

/// Instructions of one call, caller's thread only.
fn instructions(program: &Path, place: Place, variant: &str, function: &str) -> Result<f64, String> {
    let short = count(program, place, variant, function, SHORT)?;
    let long = count(program, place, variant, function, LONG)?;
    let difference = long
        .checked_sub(short)
        .ok_or_else(|| format!("{variant}_{function}: {LONG} calls took fewer instructions than {SHORT}"))?;
    // Far below 2^52: exact.
    Ok(difference as f64 / f64::from(LONG - SHORT))
}

/// One run under callgrind, which counts only inside the batch function.
fn count(program: &Path, place: Place, variant: &str, function: &str, calls: u32) -> Result<u64, String> {
    let directory = program.parent().unwrap_or(Path::new("."));
    let profile = directory.join(format!("callgrind.out.{variant}_{function}_{calls}"));
    let mut valgrind = command("valgrind", &["--tool=callgrind", "--quiet"]);
    // With a tool something else would be measured.
    valgrind.env_remove("NVTX_INJECTION64_PATH");
    valgrind
        .arg("--toggle-collect=cost_batch_*")
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(program)
        .args(match place {
            Place::Program => None,
            Place::Library => Some("library"),
        })
        .args([variant, function, &calls.to_string()]);
    capture(valgrind)?;
    let text =
        std::fs::read_to_string(&profile).map_err(|error| format!("cannot read `{}`: {error}", profile.display()))?;
    total(&text).ok_or_else(|| {
        format!("`{}` counts nothing; is `cost_batch_*` still the name of the batch functions?", profile.display())
    })
}

/// The sum over all functions, from callgrind's own file.
fn total(profile: &str) -> Option<u64> {
    let line = profile.lines().find_map(|line| line.strip_prefix("summary: ").or(line.strip_prefix("totals: ")))?;
    line.split_whitespace().next()?.parse().ok().filter(|total| *total > 0)
}

fn line(name: &str, value: f64, limit: Option<f64>) -> String {
    match limit {
        Some(limit) => format!("{name} {value:.1} {limit}"),
        None => format!("{name} {value:.1} -"),
    }
}

fn verdict(lines: &[String]) -> Result<(), String> {
    let over: Vec<&str> = lines.iter().map(String::as_str).filter(|line| is_over(line)).collect();
    if over.is_empty() {
        return Ok(());
    }
    Err(format!(
        "over the limit (name value limit): {}\n\
         help: look at the wrapper's machine code with `objdump -d`, then mend it or explain a new limit",
        over.join("; ")
    ))
}

fn is_over(line: &str) -> bool {
    let mut words = line.split_whitespace().skip(1);
    let mut number = || words.next().and_then(|word| word.parse::<f64>().ok());
    match (number(), number()) {
        (Some(value), Some(limit)) => value > limit,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{line, total, verdict};

    #[test]
    fn a_value_over_its_limit_is_named() {
        let fine = [line("bare_2", 12.0, None), line("off_2_over_bare", 8.0, Some(8.0))];
        assert_eq!(verdict(&fine), Ok(()));
        let over = [line("off_2_over_bare", 8.1, Some(8.0))];
        assert!(verdict(&over).is_err_and(|message| message.contains("off_2_over_bare 8.1 8")));
    }

    #[test]
    fn the_sum_of_a_profile() {
        assert_eq!(total("events: Ir\nsummary: 1234\n\nfn=x\n"), Some(1234));
        assert_eq!(total("events: Ir\ntotals: 0\n"), None);
        assert_eq!(total(""), None);
    }
}
