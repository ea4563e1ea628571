//! `kina-observ stats`: where the time went.

mod own_time;
mod print;
mod rows;

use std::cmp::Reverse;
use std::io::Write;
use std::process::ExitCode;

use crate::cli::{Sort, Stats, StatsFormat};
use crate::failure::Failure;
use crate::trace::Trace;

pub(crate) fn run(options: &Stats, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let (trace, note) = Trace::read(&options.traces)?;
    crate::view::warn(note);
    let mut rows = rows::rows(&trace, options.by);
    rows.sort_by(|left, right| left.key.cmp(&right.key));
    match options.sort {
        Sort::Own => rows.sort_by_key(|row| Reverse(row.own_ns)),
        Sort::Total => rows.sort_by_key(|row| Reverse(row.total_ns)),
        Sort::Count => rows.sort_by_key(|row| Reverse(row.count)),
        Sort::P99 => rows.sort_by_key(|row| Reverse(row.p99_ns)),
    }
    let shown = &rows[..options.top.unwrap_or(rows.len()).min(rows.len())];
    match options.format {
        StatsFormat::Human => print::human(out, options.by, &rows, shown, &trace)?,
        StatsFormat::Json => print::json(out, &rows, shown)?,
        StatsFormat::Csv => print::csv(out, &rows, shown)?,
    }
    Ok(ExitCode::SUCCESS)
}
