//! Where records go: lines of text or JSON, on standard error or in a file.

mod append;
pub(crate) mod callback;
pub(crate) mod file;
mod json;
pub(crate) mod lines;
mod number;
pub(crate) mod rotate;
pub(crate) mod stderr;
mod string;
mod text;
mod time;

pub(crate) use json::Json;
pub(crate) use text::{Color, Text};

use kina_observ_conventions::Severity;

/// The name of a severity in every output.
pub(crate) fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "ERROR",
        Severity::Warn => "WARN",
        Severity::Info => "INFO",
        Severity::Debug => "DEBUG",
        Severity::Trace => "TRACE",
    }
}
