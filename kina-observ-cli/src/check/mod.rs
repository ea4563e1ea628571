//! `kina-observ check`: holds a trace against the registry and against itself.

mod attributes;
mod checker;
mod coverage;
mod finding;
mod outcome;
mod report;
mod span;
mod structure;
mod values;

pub(crate) use finding::{Finding, Severity};
pub(crate) use report::show;

use std::io::Write;
use std::process::ExitCode;

use crate::cli::{Check, CheckFormat, Deny};
use crate::failure::Failure;
use crate::input::Files;
use crate::names::Names;
use checker::Checker;
use report::{Human, Json, Report};

/// Exit code 0 without errors, 1 with errors.
pub(crate) fn run(options: &Check, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let names = Names::new(&options.registry)?;
    let files = Files::new(&options.traces)?;
    let mut report: Box<dyn Report + '_> = match options.format {
        CheckFormat::Human => Box::new(Human::new(out)),
        CheckFormat::Json => Box::new(Json::new(out)),
    };
    let mut checker = Checker::new(&names);
    files.lines(|read| {
        checker.line(&read);
        checker.found.drain(..).try_for_each(|(site, finding)| report.finding(&files, site, finding))?;
        Ok(())
    })?;
    structure::check(&mut checker);
    let coverage = options.coverage.then(|| coverage::never_seen(&checker));
    for (site, finding) in std::mem::take(&mut checker.found) {
        report.finding(&files, site, finding)?;
    }
    let tally = report.end(&files, checker.trace.each().count(), coverage)?;
    let failed = tally.errors > 0 || (options.deny == Some(Deny::Warnings) && tally.warnings > 0);
    Ok(ExitCode::from(u8::from(failed)))
}
