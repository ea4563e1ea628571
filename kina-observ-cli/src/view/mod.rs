//! `kina-observ view`: a tree for each trace.

mod branch;
mod filter;
mod tree;

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;

use crate::cli::View;
use crate::failure::Failure;
use crate::paint::{BOLD, DIM, Plain, RESET, YELLOW};
use crate::trace::{State, Trace};
use crate::units::counted;
use filter::Filter;
use tree::Tree;

pub(crate) fn run(options: &View, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let (trace, note) = Trace::read(&options.traces)?;
    warn(note);
    let shown = Filter::new(options).shown(&trace);
    let mut tree = Tree::new(&trace, &shown, options);
    let mut any = false;
    let all = summaries(&trace);
    for (trace_id, roots) in tree.roots() {
        if any {
            writeln!(out)?;
        }
        any = true;
        head(out, trace_id, &all[&trace_id], &trace)?;
        roots.into_iter().try_for_each(|root| tree.write(out, root))?;
    }
    if !any {
        let what = if trace.spans.is_empty() { "there is no span in it" } else { "no span fits the filters" };
        warn(Some(what.to_owned()));
    }
    for (count, reason) in &trace.dropped {
        writeln!(out, "{YELLOW}{} dropped{RESET}: {}", counted(*count, "record"), Plain(reason))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says on standard error what standard output cannot: that something is missing from it.
pub(crate) fn warn(note: Option<String>) {
    if let Some(note) = note {
        // A closed standard error must not end the command.
        let _ = writeln!(anstream::stderr(), "{YELLOW}warning{RESET}: {}", Plain(&note));
    }
}

/// What the line above a tree says.
#[derive(Default)]
struct Summary {
    spans: u64,
    failed: u64,
    open: u64,
    module: Option<crate::trace::Word>,
}

fn summaries(trace: &Trace) -> HashMap<u128, Summary> {
    let mut all: HashMap<u128, Summary> = HashMap::new();
    for (_, span) in trace.each() {
        let summary = all.entry(span.facts.trace_id).or_default();
        summary.spans += 1;
        summary.failed += u64::from(span.facts.failed);
        summary.open += u64::from(span.state != State::Ended);
        if !trace.words.text(span.module).is_empty() {
            summary.module.get_or_insert(span.module);
        }
    }
    all
}

fn head(out: &mut dyn Write, trace_id: u128, summary: &Summary, trace: &Trace) -> std::io::Result<()> {
    write!(out, "{BOLD}trace {trace_id:032x}{RESET}: {}", counted(summary.spans, "span"))?;
    for (count, word) in [(summary.failed, "failed"), (summary.open, "unfinished")] {
        if count > 0 {
            write!(out, ", {count} {word}")?;
        }
    }
    if let Some(module) = summary.module {
        write!(out, "{DIM}, module {}{RESET}", Plain(trace.words.text(module)))?;
    }
    writeln!(out)
}
