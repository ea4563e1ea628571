//! Where something stands in a source file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use proc_macro2::Span;

/// A file, a line and a column, both from 1; places sort as a reader meets them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) file: Rc<Path>,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    pub(super) fn new(file: &Rc<Path>, span: Span) -> Self {
        let start = span.start();
        Self { file: file.clone(), line: start.line, column: start.column + 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// `path` as seen from the current folder, if it lies in it; else as it is.
pub(super) fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match path.strip_prefix(&here) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".into(),
        Ok(inside) => inside.to_owned(),
        Err(_) => path,
    }
}
