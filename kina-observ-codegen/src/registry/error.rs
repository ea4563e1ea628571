//! Mistakes in registry files: what is wrong, where, and what to do.

use std::fmt;
use std::path::PathBuf;

use super::yaml::Mark;

/// One mistake in a registry file or in `kina-observ.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryError {
    /// The file as `kina-observ.toml` names it, relative to the crate.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl fmt::Display for RegistryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message, help } = self;
        write!(out, "{}:{line}:{column}: {message}\nhelp: {help}", file.display())
    }
}

impl std::error::Error for RegistryError {}

/// Collects the mistakes of all files, so that one run shows them all.
#[derive(Default)]
pub(super) struct Errors {
    files: Vec<PathBuf>,
    found: Vec<RegistryError>,
}

impl Errors {
    /// Names a file; its number goes into every mark in it.
    pub(super) fn file(&mut self, path: PathBuf) -> usize {
        self.files.push(path);
        self.files.len() - 1
    }

    pub(super) fn at(&mut self, mark: Mark, message: impl Into<String>, help: impl Into<String>) {
        let error = RegistryError {
            file: self.files.get(mark.file).cloned().unwrap_or_default(),
            line: mark.line,
            column: mark.column,
            message: message.into(),
            help: help.into(),
        };
        // A mistake in a group is met once for each span that uses the group.
        if !self.found.contains(&error) {
            self.found.push(error);
        }
    }

    /// `file:line:column` of a mark, for a help that points at a second place.
    pub(super) fn place(&self, mark: Mark) -> String {
        let file = self.files.get(mark.file).map_or_else(String::new, |file| file.display().to_string());
        format!("{file}:{}:{}", mark.line, mark.column)
    }

    /// The barrier between two steps: `Err` with every mistake so far, in the order of the files.
    pub(super) fn barrier(&mut self) -> Result<(), Vec<RegistryError>> {
        if self.found.is_empty() {
            return Ok(());
        }
        let mut found = std::mem::take(&mut self.found);
        let place = |error: &RegistryError| self.files.iter().position(|file| *file == error.file);
        found.sort_by_key(|error| (place(error), error.line, error.column));
        Err(found)
    }
}

/// The end of a help text: `did you mean `a` or `b`?`, when something is near, else `otherwise`.
pub(super) fn did_you_mean(near: &[&str], otherwise: impl Into<String>) -> String {
    match near {
        [] => otherwise.into(),
        [one] => format!("did you mean `{one}`?"),
        [first @ .., last] => format!("did you mean `{}` or `{last}`?", first.join("`, `")),
    }
}
