//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Check, show and sum up the traces that kina-observ writes as JSON lines.
///
/// A trace is a file, a directory of rotated files, or `-` for standard input.
///
/// Exit codes: 0 done; 1 `check` or `lint` found errors; 2 something cannot be read, or the command line is wrong.
/// `NO_COLOR=1` turns colours off.
#[derive(Debug, Parser)]
#[command(
    name = "kina-observ",
    version,
    max_term_width = 100,
    after_help = "Examples:
  kina-observ check t.jsonl --registry conventions/acme.yaml
  kina-observ view t.jsonl --min 1ms
  kina-observ stats t.1.jsonl t.jsonl --top 10
  kina-observ lint --workspace"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    View(View),
    Stats(Stats),
    Header(Header),
    Lint(Lint),
}

/// Hold a trace against the registry of names: say what is wrong, where, and what to do
///
/// Names, kinds, parents, attributes, values, secrets, errors, ids, clock order, broken lines.
/// Exit code 0 without errors (warnings are no errors), 1 with errors, 2 if something cannot be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kina-observ check t.jsonl
  kina-observ check t.2.jsonl t.1.jsonl t.jsonl --registry conventions/acme.yaml --coverage
  kina-observ check logs/ --deny warnings --format json | jq -r .id | sort | uniq -c")]
pub(crate) struct Check {
    /// Files, directories of rotated files, or `-`
    #[arg(required = true, value_name = "TRACE")]
    pub(crate) traces: Vec<PathBuf>,
    /// A definition file of your own, as `kina-observ.toml` names it; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) registry: Vec<PathBuf>,
    /// `json`: one object a line
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    pub(crate) format: CheckFormat,
    /// Also name the registered spans that never appear
    #[arg(long)]
    pub(crate) coverage: bool,
    /// `warnings`: they count as errors
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) deny: Option<Deny>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Human,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    Warnings,
}

/// Show a tree for each trace: durations, share of the root, errors
///
/// With filters, what fits all of them is shown, and the spans around it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kina-observ view t.jsonl --min 100us --depth 3
  kina-observ view t.jsonl --errors
  kina-observ view t.jsonl --name 'runtime.gpu.*' | less -R")]
pub(crate) struct View {
    /// Files, directories of rotated files, or `-`
    #[arg(required = true, value_name = "TRACE")]
    pub(crate) traces: Vec<PathBuf>,
    /// Only this trace: its id or the start of it
    #[arg(long, value_name = "ID")]
    pub(crate) trace: Option<String>,
    /// Only calls of this module: its id or the start of it
    #[arg(long, value_name = "ID")]
    pub(crate) module: Option<String>,
    /// Only spans with such a name; `*` is any text, `?` one character
    #[arg(long, value_name = "GLOB")]
    pub(crate) name: Option<String>,
    /// Only spans that took at least so long: 1ms, 250us, 2s
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) min: Option<Duration>,
    /// Not deeper than this; 1 is the roots
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
    /// Only spans that failed
    #[arg(long)]
    pub(crate) errors: bool,
}

/// Sum up where the time went: count, self and total time, percentiles
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kina-observ stats t.jsonl
  kina-observ stats t.jsonl --by module --sort total
  kina-observ stats t.jsonl --format csv > t.csv")]
pub(crate) struct Stats {
    /// Files, directories of rotated files, or `-`
    #[arg(required = true, value_name = "TRACE")]
    pub(crate) traces: Vec<PathBuf>,
    /// What makes a row: the display name, the registry's type, or the module
    #[arg(long, value_enum, default_value_t = By::Name)]
    pub(crate) by: By,
    /// The largest first
    #[arg(long, value_enum, default_value_t = Sort::Own)]
    pub(crate) sort: Sort,
    /// Only so many rows
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// `json`: one object a line
    #[arg(long, value_enum, default_value_t = StatsFormat::Human)]
    pub(crate) format: StatsFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    Name,
    Type,
    Module,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    Total,
    #[value(name = "self")]
    Own,
    Count,
    P99,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsFormat {
    Human,
    Json,
    Csv,
}

/// Look through the sources of crates for what no compiler sees
///
/// Exported functions without a boundary, symbols under a foreign prefix, error codes with two meanings,
/// names that two crates both own. Exit code 0 without findings, 1 with some, 2 if something cannot be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kina-observ lint examples/runtime
  kina-observ lint --workspace --format github")]
pub(crate) struct Lint {
    /// Folders of crates; with `--workspace`, one in the workspace, `.` if none is given
    #[arg(required_unless_present = "workspace", value_name = "PATH")]
    pub(crate) crates: Vec<PathBuf>,
    /// All crates of a workspace
    #[arg(long)]
    pub(crate) workspace: bool,
    /// `json`: one object a line; `github`: notes on a pull request
    #[arg(long, value_enum, default_value_t = LintFormat::Human)]
    pub(crate) format: LintFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    Human,
    Json,
    Github,
}

/// Write the C header of a crate, or check that the one it has is current
///
/// The signatures come from the code that writes the C functions, so the two cannot differ. cbindgen lays them out;
/// a `cbindgen.toml` beside `Cargo.toml` may say more.
/// Exit code 0 if the header is current, 1 if `--check` finds a difference, 2 if a header cannot be written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kina-observ header --crate .
  kina-observ header --crate runtime --output include/runtime.h
  kina-observ header --crate . --check")]
pub(crate) struct Header {
    /// The folder of the crate
    #[arg(long = "crate", value_name = "PATH")]
    pub(crate) krate: PathBuf,
    /// Write nothing: show what differs
    #[arg(long)]
    pub(crate) check: bool,
    /// The header, or `-` for standard output; without it `c/<crate>.h` in the crate
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
