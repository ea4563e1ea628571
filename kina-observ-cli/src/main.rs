//! `kina-observ`: checks, shows and sums up the traces that kina-observ writes, and lints the crates that write them.

#![forbid(unsafe_code)]

mod check;
mod cli;
mod failure;
mod header;
mod ids;
mod input;
mod line;
mod lint;
mod names;
mod paint;
mod renames;
mod stats;
mod table;
mod trace;
mod units;
mod view;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = std::io::BufWriter::new(anstream::stdout().lock());
    let done = match &cli.command {
        Command::Check(options) => check::run(options, &mut out),
        Command::View(options) => view::run(options, &mut out),
        Command::Lint(options) => lint::run(options, &mut out),
        Command::Header(options) => header::run(options, &mut out),
        Command::Stats(options) => stats::run(options, &mut out),
    };
    let done = done.and_then(|code| out.flush().map(|()| code).map_err(Failure::Output));
    match done {
        Ok(code) => code,
        // The reader has seen enough: `kina-observ view t.jsonl | head`.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // A closed standard error must not turn into a panic.
            let _ = writeln!(anstream::stderr(), "{}", failure.shown());
            ExitCode::from(2)
        }
    }
}
