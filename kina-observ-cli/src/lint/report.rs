//! Findings for people, for programs and for the pages of a pull request.

use std::io::{Result, Write};

use serde::Serialize;

use super::Found;
use crate::check::{self, Severity};
use crate::units::counted;

/// As a compiler shows them.
pub(super) fn human(found: &[Found], crates: usize, out: &mut dyn Write) -> Result<()> {
    for (place, finding) in found {
        check::show(out, finding, Some(&place.to_string()), &[("help", &finding.help)])?;
    }
    if !found.is_empty() {
        let (findings, crates) = (counted(found.len() as u64, "finding"), counted(crates as u64, "crate"));
        writeln!(out, "{findings} in {crates}")?;
    }
    Ok(())
}

/// The keys of a line, in their order.
#[derive(Serialize)]
struct Object<'a> {
    id: &'a str,
    severity: Severity,
    file: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
    help: &'a str,
}

/// One object a line.
pub(super) fn json(found: &[Found], out: &mut dyn Write) -> Result<()> {
    for (place, finding) in found {
        let object = Object {
            id: finding.id,
            severity: finding.severity,
            file: &place.file.to_string_lossy(),
            line: place.line,
            column: place.column,
            message: &finding.message,
            help: &finding.help,
        };
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Workflow commands of GitHub's: each becomes a note at its line.
pub(super) fn github(found: &[Found], out: &mut dyn Write) -> Result<()> {
    for (place, finding) in found {
        let file = escaped(&place.file.to_string_lossy()).replace(':', "%3A").replace(',', "%2C");
        let text = escaped(&format!("{}\nhelp: {}", finding.message, finding.help));
        let (line, column) = (place.line, place.column);
        writeln!(out, "::error file={file},line={line},col={column},title={}::{text}", finding.id)?;
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
