//! Reads the lines of files, of directories of rotated files and of standard input.

mod order;
mod progress;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use progress::Progress;

/// Few system calls, and a line is nearly always whole in it.
const BUFFER_BYTES: usize = 1 << 20;

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Index into [`Files`].
    pub(crate) file: u32,
    /// From 1.
    pub(crate) line: u32,
}

/// One line as it was read.
pub(crate) struct Read1<'a> {
    pub(crate) place: Place,
    /// Without its line end.
    pub(crate) bytes: &'a [u8],
    /// Whether its line end was there; without one the writer may have been interrupted.
    pub(crate) whole: bool,
}

/// The traces of one call, the oldest first.
pub(crate) struct Files(Vec<PathBuf>);

impl Files {
    /// `paths` as they were given; a directory stands for the `.jsonl` files in it.
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() {
                let read = |error| Failure::Input(path.clone(), error);
                for entry in std::fs::read_dir(path).map_err(read)? {
                    let path = entry.map_err(read)?.path();
                    if path.extension().is_some_and(|extension| extension == "jsonl") {
                        files.push(path);
                    }
                }
            } else {
                files.push(path.clone());
            }
        }
        order::oldest_first(&mut files);
        Ok(Self(files))
    }

    /// The name of the file of `place`, for people.
    pub(crate) fn name(&self, place: Place) -> String {
        self.0.get(place.file as usize).map_or_else(String::new, |path| {
            if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
        })
    }

    /// Hands every line to `each`, in order; empty ones are left out.
    pub(crate) fn lines<F>(&self, mut each: F) -> Result<(), Failure>
    where
        F: FnMut(Read1<'_>) -> Result<(), Failure>,
    {
        let mut progress = Progress::new(&self.0);
        let mut bytes = Vec::new();
        for (file, path) in (0..).zip(&self.0) {
            let failed = |error| Failure::Input(path.clone(), error);
            let source: Box<dyn Read> = if is_stdin(path) {
                Box::new(std::io::stdin().lock())
            } else {
                Box::new(File::open(path).map_err(failed)?)
            };
            let mut source = BufReader::with_capacity(BUFFER_BYTES, source);
            for line in 1.. {
                bytes.clear();
                let count = source.read_until(b'\n', &mut bytes).map_err(failed)?;
                if count == 0 {
                    break;
                }
                progress.read(count as u64);
                let whole = bytes.ends_with(b"\n");
                let text = bytes.trim_ascii_end();
                if !text.is_empty() {
                    each(Read1 { place: Place { file, line }, bytes: text, whole })?;
                }
            }
        }
        Ok(())
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
