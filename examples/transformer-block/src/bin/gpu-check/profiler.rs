//! What NVIDIA's own profiler sees, where it is installed: no kernel without a range of its name.

use std::process::Command;

use crate::{Bench, Found, Outcome, example};

pub(crate) fn check(bench: &Bench) -> Outcome {
    if Command::new("nsys").arg("--version").output().is_err() {
        return Ok(Found::Skipped("`nsys` is not installed"));
    }
    let report = bench.scratch.join("profile.nsys-rep");
    let example = example::command(&bench.folder, &bench.scratch.join("profiled.jsonl"));
    let mut profile = Command::new("nsys");
    profile.args(["profile", "--trace=cuda,nvtx", "--sample=none", "--cpuctxsw=none", "--output"]).arg(&report);
    run(profile.arg(example.get_program()).args(example.get_args()))?;
    let kernels = sums(&stats(&report, "cuda_gpu_kern_sum")?, "Instances", |row| row("Name").is_some())?;
    // A kernel counts in each range around it; one of them has its own name.
    let own = |row: &dyn Fn(&str) -> Option<String>| {
        row("NVTX Range").is_some_and(|range| row("Kernel Name").is_some_and(|kernel| range.ends_with(&kernel)))
    };
    let in_ranges = sums(&stats(&report, "nvtx_kern_sum")?, "Kern Inst", own)?;
    let said = format!("{in_ranges} of {kernels} kernels are in a range of their name");
    if kernels > 0 && kernels == in_ranges { Ok(Found::Holds(said)) } else { Err(said) }
}

fn stats(report: &std::path::Path, which: &str) -> Result<String, String> {
    run(Command::new("nsys").args(["stats", "--quiet", "--format", "csv", "--report", which]).arg(report))
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("`nsys` does not start: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("`nsys` failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}

/// The sum of a column over some rows of a table. Columns are found by their names, which differ in what is in brackets.
fn sums(csv: &str, column: &str, wanted: impl Fn(&dyn Fn(&str) -> Option<String>) -> bool) -> Result<u64, String> {
    let mut rows = csv.lines().filter(|line| line.contains(',')).map(cells);
    let header = rows.next().ok_or_else(|| format!("`nsys stats` has no table with `{column}`: {csv}"))?;
    let place = |name: &str| header.iter().position(|cell| cell.trim_start_matches(':').starts_with(name));
    let at = place(column).ok_or_else(|| format!("`nsys stats` has no column `{column}`: {header:?}"))?;
    let mut sum = 0;
    for row in rows {
        if wanted(&|name| place(name).and_then(|place| row.get(place)).cloned()) {
            let count = row.get(at).and_then(|cell| cell.replace(',', "").parse::<u64>().ok());
            sum += count.ok_or_else(|| format!("`{column}` is no number in {row:?}"))?;
        }
    }
    Ok(sum)
}

/// The cells of a line, of which some are quoted.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_counts_where_a_range_has_its_name() {
        let table = "Processing ..\n\n\"NVTX Range\",Style,PID,NVTX Inst,Kern Inst,\"Kernel Name\"\n\
                     :matmul_f32,PushPop,1,7,7,matmul_f32\n\"matmul 64x64,1\",PushPop,1,7,7,matmul_f32\nstep,PushPop,1,1,\"1,000\",add_f32\n";
        let own = |row: &dyn Fn(&str) -> Option<String>| {
            row("NVTX Range").is_some_and(|range| row("Kernel Name").is_some_and(|kernel| range.ends_with(&kernel)))
        };
        assert_eq!(sums(table, "Kern Inst", own), Ok(7));
        assert_eq!(sums(table, "Kern Inst", |_| true), Ok(1_014));
        assert!(sums(table, "Instances", |_| true).is_err());
        assert!(sums("SKIPPED: no data", "Instances", |_| true).is_err());
    }
}
