//! The command line.

use std::path::PathBuf;

use clap::{ArgAction, Parser, ValueEnum};
use kina_observ::{Builder, Format, Level, ModuleId, Severity};

use crate::runtime;

/// Run a transformer block on the example runtime, and show where the time went.
///
/// The trace goes to standard error in a form for people, or to a file with `--trace-output`. The last thing on standard
/// output is two tables, the kernels and the spans, with their count, total and share of the time.
///
/// Exit codes: 0 done; 1 the run failed, its result is wrong, or the trace is not complete; 2 the command line is wrong.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Cli {
    /// Say more on standard error: -v info (the default without --trace-output), -vv debug, -vvv trace
    #[arg(short, action = ArgAction::Count, conflicts_with = "quiet")]
    verbose: u8,

    /// Errors only on standard error
    #[arg(long)]
    quiet: bool,

    /// Write the trace to this file
    #[arg(long, value_name = "PATH")]
    trace_output: Option<PathBuf>,

    /// Form of the trace file: for people or for tools [default: json]
    #[arg(long, value_name = "FORMAT", requires = "trace_output")]
    trace_format: Option<TraceFormat>,

    /// Module id of the program, a UUID [default: the one it was built with]
    #[arg(long, value_name = "ID")]
    module_id: Option<ModuleId>,

    /// What is recorded: nothing, spans, or the parts of kernels too [default: basic]
    #[arg(long)]
    level: Option<GateLevel>,

    /// What runs the kernels [default: what KINA_RUNTIME_BACKEND says, or cpu]
    #[arg(long)]
    backend: Option<Backend>,

    /// How many forward passes; each is one trace
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) steps: u32,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TraceFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Backend {
    /// The threads of the CPU
    Cpu,
    /// The first CUDA device
    Cuda,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum GateLevel {
    Off,
    Basic,
    Kernel,
}

/// The id of this program, as a compiler would put it into what it builds. Made once, with `uuidgen`.
const BUILT_WITH: ModuleId = ModuleId::from_bytes(0x5b1d_6a0c_93c4_4e0b_8f3e_2c7a_b04d_91e6_u128.to_be_bytes());

impl Cli {
    /// The module that the calls belong to.
    pub(crate) fn module(&self) -> ModuleId {
        self.module_id.unwrap_or(BUILT_WITH)
    }

    /// What runs the kernels, if the command line says so.
    pub(crate) fn backend(&self) -> Option<runtime::Backend> {
        self.backend.map(|backend| match backend {
            Backend::Cpu => runtime::Backend::Cpu,
            Backend::Cuda => runtime::Backend::Cuda,
        })
    }

    /// How the trace is recorded. What the command line says wins over the environment.
    pub(crate) fn builder(&self, environment: Builder) -> Builder {
        let mut builder = environment;
        if let Some(level) = self.level {
            builder = builder.level(match level {
                GateLevel::Off => Level::Off,
                GateLevel::Basic => Level::Basic,
                GateLevel::Kernel => Level::Kernel,
            });
        }
        if let Some(path) = &self.trace_output {
            builder = builder.trace_output(path);
        }
        if let Some(format) = self.trace_format {
            builder = builder.trace_format(match format {
                TraceFormat::Text => Format::Text,
                TraceFormat::Json => Format::Json,
            });
        }
        let severity = match (self.quiet, self.verbose) {
            (true, _) => Some(Severity::Error),
            (false, 0) => None,
            (false, 1) => Some(Severity::Info),
            (false, 2) => Some(Severity::Debug),
            (false, _) => Some(Severity::Trace),
        };
        // What is asked for here must not fall to the filter's own limit, `info`; what `RUST_LOG` says stands.
        if std::env::var_os("RUST_LOG").is_none_or(|directives| directives.is_empty()) {
            builder = match severity {
                Some(Severity::Trace) => builder.filter("trace"),
                Some(Severity::Debug) => builder.filter("debug"),
                _ => builder,
            };
        }
        if severity.is_some() { builder.stderr(severity) } else { builder }
    }
}
