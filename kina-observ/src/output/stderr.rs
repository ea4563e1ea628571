//! Standard error as a target: a closed one loses lines, counted, and never panics.

use std::fs::File;
use std::io::{ErrorKind, Result, Write};
use std::os::fd::AsFd as _;

use super::append::{Appended, Tail, append};
use super::lines::{Start, Target};

/// File descriptor 2, whatever it is at the moment of a write.
pub(crate) struct Stderr;

impl Target for Stderr {
    fn name(&self) -> String {
        "stderr".to_owned()
    }

    fn prepare(&mut self, _bytes: usize, _day: u64) -> Start {
        Start::Continued
    }

    fn append(&mut self, bytes: &[u8], ends: &[usize]) -> Appended {
        // `std::io::Stderr` takes a write to a closed descriptor for a success, so the loss would go uncounted; a
        // duplicate made for each write tells the truth and follows a `dup2` of the program.
        match std::io::stderr().as_fd().try_clone_to_owned() {
            Ok(descriptor) => append(&mut Unseekable(File::from(descriptor)), bytes, ends),
            Err(error) if error.raw_os_error() == Some(libc::EBADF) => Appended { records: 0, error: Some(error) },
            // No descriptor is left for a duplicate.
            Err(_) => append(&mut Unseekable(std::io::stderr()), bytes, ends),
        }
    }
}

/// A terminal, a pipe, a device: what was written cannot be taken back.
struct Unseekable<W>(W);

impl<W: Write> Tail for Unseekable<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write(bytes)
    }

    fn is_ours(&mut self) -> bool {
        true
    }

    fn cut(&mut self, _bytes: u64) -> Result<()> {
        Err(ErrorKind::Unsupported.into())
    }
}
