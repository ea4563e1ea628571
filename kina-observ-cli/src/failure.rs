//! Why a command could not do its work; always exit code 2.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use kina_observ_codegen::registry::RegistryError;

use crate::header::Refusal;
use crate::paint::{Plain, RED, RESET};

/// What went wrong outside of the trace's content.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A trace cannot be read.
    Input(PathBuf, std::io::Error),
    /// A definition file of `--registry` has mistakes.
    Registry(Vec<RegistryError>),
    /// Crates, or files of theirs, cannot be read.
    Sources(Vec<Unread>),
    /// The header of a crate cannot be written.
    Header(Vec<Refusal>),
    /// The output cannot be written.
    Output(std::io::Error),
}

/// One thing that `lint` cannot read.
#[derive(Debug)]
pub(crate) struct Unread {
    /// A path, or a place in a file.
    pub(crate) what: String,
    pub(crate) why: String,
    pub(crate) help: Cow<'static, str>,
}

impl Unread {
    pub(crate) fn new(path: &Path, why: impl Display, help: &'static str) -> Self {
        Self { what: path.display().to_string(), why: why.to_string(), help: help.into() }
    }
}

impl From<std::io::Error> for Failure {
    /// Only writes use `?` bare; a read knows its path.
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// For a person.
    pub(crate) fn shown(&self) -> String {
        let red = format!("{RED}error{RESET}");
        match self {
            Self::Input(path, error) => format!(
                "{red}: `{}` cannot be read: {error}\n  = help: give the path of a trace, or `-` for standard input",
                path.display()
            ),
            Self::Registry(errors) => {
                let shown: Vec<String> = errors.iter().map(|error| format!("{red}: {error}")).collect();
                shown.join("\n")
            }
            Self::Sources(unread) => {
                let one = |Unread { what, why, help }: &Unread| {
                    format!("{red}: `{}` cannot be read: {}\n  = help: {}", Plain(what), Plain(why), Plain(help))
                };
                unread.iter().map(one).collect::<Vec<_>>().join("\n")
            }
            Self::Header(refusals) => {
                let shown: Vec<String> = refusals.iter().map(|refusal| format!("{red}: {}", refusal.shown())).collect();
                shown.join("\n")
            }
            Self::Output(error) => {
                format!("{red}: the output cannot be written: {error}\n  = help: check where standard output goes")
            }
        }
    }
}
