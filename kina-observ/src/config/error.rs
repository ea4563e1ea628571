//! The error of a setting: what is wrong, where it was said, what to write instead.

use std::error::Error;
use std::fmt;
use std::io;

use crate::filter::FilterError;

/// A setting that cannot be used.
///
/// ```
/// let error = kina_observ::config::Builder::new().filter("kina=loud").check().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`loud` is not a level\n  \
///        = where: filter `kina=loud`\n  \
///        = help: write `off`, `error`, `warn`, `info`, `debug` or `trace`"
/// );
/// ```
#[derive(Debug)]
pub struct ConfigError {
    what: String,
    place: String,
    help: String,
    source: Option<io::Error>,
}

impl ConfigError {
    pub(crate) fn new(what: impl Into<String>, place: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), place: place.into(), help: help.into(), source: None }
    }

    pub(crate) fn caused_by(mut self, source: io::Error) -> Self {
        self.source = Some(source);
        self
    }

    /// The same mistake, found in an environment variable.
    pub(crate) fn in_variable(mut self, name: &str, value: &str) -> Self {
        self.place = format!("environment variable `{name}={}`", value.escape_debug());
        self
    }

    /// What is wrong.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The environment variable or the builder's method.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What to do.
    pub fn help(&self) -> &str {
        &self.help
    }
}

impl From<FilterError> for ConfigError {
    fn from(error: FilterError) -> Self {
        Self::new(error.what, format!("filter `{}`", error.text.escape_debug()), error.help)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  = where: {}\n  = help: {}", self.what, self.place, self.help)
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
