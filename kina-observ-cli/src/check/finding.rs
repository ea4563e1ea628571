//! One thing that is wrong with a trace: what, where, what to do.

use serde::Serialize;

use crate::input::Place;

/// What a finding means for the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Error,
    Warning,
    /// For `--coverage`: no fault.
    Note,
}

/// One finding. Its id is stable: scripts filter by it.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) id: &'static str,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Finding {
    pub(crate) fn error(id: &'static str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { id, severity: Severity::Error, message: message.into(), help: help.into() }
    }

    pub(crate) fn warning(id: &'static str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(id, message, help) }
    }
}

/// Where a finding is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Site {
    /// Nowhere, if it is about the whole trace.
    pub(crate) place: Option<Place>,
    /// Display name of the span.
    pub(crate) span: String,
    /// As hexadecimal digits; empty without.
    pub(crate) span_id: String,
    pub(crate) trace_id: String,
}
