//! Why a command could not do its work; always exit code 2.

use std::path::PathBuf;

use kina_observ_codegen::registry::RegistryError;

use crate::paint::{RED, RESET};

/// What went wrong outside of the trace's content.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A trace cannot be read.
    Input(PathBuf, std::io::Error),
    /// A definition file of `--registry` has mistakes.
    Registry(Vec<RegistryError>),
    /// The output cannot be written.
    Output(std::io::Error),
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
            Self::Output(error) => {
                format!("{red}: the output cannot be written: {error}\n  = help: check where standard output goes")
            }
        }
    }
}
