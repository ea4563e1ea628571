//! How far a long read is, on standard error, only for a person.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Below this the answer is there before anybody wonders.
const LARGE: u64 = 100 << 20;
/// Four lines a gigabyte would be few, a thousand too many.
const STEP: u64 = 8 << 20;

/// Counts bytes and shows a percentage.
pub(crate) struct Progress {
    total: u64,
    done: u64,
    shown: u64,
    visible: bool,
}

impl Progress {
    /// Standard input has no length, so that a call with it shows nothing.
    pub(crate) fn new(files: &[PathBuf]) -> Self {
        let lengths: Option<u64> = files.iter().map(|path| Some(std::fs::metadata(path).ok()?.len())).sum();
        let total = lengths.unwrap_or(0);
        Self { total, done: 0, shown: 0, visible: total > LARGE && std::io::stderr().is_terminal() }
    }

    pub(crate) fn read(&mut self, bytes: u64) {
        self.done += bytes;
        if self.visible && self.done - self.shown >= STEP {
            self.shown = self.done;
            let percent = self.done.saturating_mul(100) / self.total.max(1);
            // Nobody misses a progress line that could not be written.
            let _ = write!(std::io::stderr(), "\rread {percent} %");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown > 0 {
            let _ = write!(std::io::stderr(), "\r          \r");
        }
    }
}
