//! The words of the settings that have few values, and the error that lists them.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use kina_observ_conventions::{Level, Severity};

use crate::memory::Detail;

/// How a trace is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// `[2026-05-08T20:45:12.183456Z INFO  kina_runtime] runtime.gpu.matmul completed in 2.8ms`
    Text,
    /// One JSON object a line; `docs/trace-line.schema.json` describes it.
    #[default]
    Json,
}

/// Whether text on standard error has colours; a file never has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// No.
    Never,
    /// Yes, even into a pipe.
    Always,
}

/// A word that is not among the allowed ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
    subject: &'static str,
    allowed: Vec<&'static str>,
}

const LEVELS: [(&str, Level); 3] = [("off", Level::Off), ("basic", Level::Basic), ("kernel", Level::Kernel)];
const SEVERITIES: [(&str, Severity); 5] = [
    ("error", Severity::Error),
    ("warn", Severity::Warn),
    ("info", Severity::Info),
    ("debug", Severity::Debug),
    ("trace", Severity::Trace),
];
const DETAILS: [(&str, Detail); 2] = [("totals", Detail::Totals), ("spans", Detail::Spans)];
const FORMATS: [(&str, Format); 2] = [("text", Format::Text), ("json", Format::Json)];
const COLORS: [(&str, ColorChoice); 3] =
    [("auto", ColorChoice::Auto), ("never", ColorChoice::Never), ("always", ColorChoice::Always)];

/// Reads `off`, `basic` or `kernel`, whatever its case.
///
/// ```
/// use kina_observ::config::parse_level;
/// assert!(parse_level("Basic").is_ok());
/// assert_eq!(parse_level("fast").unwrap_err().to_string(), "`fast` is not a level; write `off`, `basic` or `kernel`");
/// ```
pub fn parse_level(word: &str) -> Result<Level, UnknownWord> {
    find(word, "a level", &LEVELS)
}

/// Reads `error`, `warn`, `info`, `debug` or `trace`, whatever its case.
pub fn parse_severity(word: &str) -> Result<Severity, UnknownWord> {
    find(word, "a severity", &SEVERITIES)
}

/// Reads `totals` or `spans`.
pub(super) fn parse_detail(word: &str) -> Result<Detail, UnknownWord> {
    find(word, "a detail of the memory ledger", &DETAILS)
}

impl FromStr for Format {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        find(word, "a trace format", &FORMATS)
    }
}

impl FromStr for ColorChoice {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        find(word, "a choice of colour", &COLORS)
    }
}

impl UnknownWord {
    pub(crate) fn what(&self) -> String {
        format!("`{}` is not {}", self.word.escape_debug(), self.subject)
    }

    pub(crate) fn help(&self) -> String {
        let (last, others) = self.allowed.split_last().expect("every subject has words");
        format!("write `{}` or `{last}`", others.join("`, `"))
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.help())
    }
}

impl Error for UnknownWord {}

fn find<T: Copy>(word: &str, subject: &'static str, words: &[(&'static str, T)]) -> Result<T, UnknownWord> {
    match words.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim())) {
        Some(&(_, value)) => Ok(value),
        None => {
            let allowed = words.iter().map(|&(name, _)| name).collect();
            Err(UnknownWord { word: word.to_owned(), subject, allowed })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        assert_eq!(parse_level("OFF"), Ok(Level::Off));
        assert_eq!(parse_level(" Kernel "), Ok(Level::Kernel));
        assert_eq!(parse_severity("Warn"), Ok(Severity::Warn));
        assert_eq!("JSON".parse(), Ok(Format::Json));
        assert_eq!("never".parse(), Ok(ColorChoice::Never));
    }

    #[test]
    fn an_unknown_word_lists_the_allowed_ones() {
        let check = |error: UnknownWord, expected: &str| assert_eq!(error.to_string(), expected);
        check(parse_level("").unwrap_err(), "`` is not a level; write `off`, `basic` or `kernel`");
        check("xml".parse::<Format>().unwrap_err(), "`xml` is not a trace format; write `text` or `json`");
        check(
            parse_severity("loud\n").unwrap_err(),
            "`loud\\n` is not a severity; write `error`, `warn`, `info`, `debug` or `trace`",
        );
    }
}
