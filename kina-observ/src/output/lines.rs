//! An output: a format, a buffer of whole records, and the target that takes the buffer in one write.

use std::io;

use super::append::Appended;
use super::time::DAY_NS;
use crate::record::{Output, Record, Tally};

/// Large enough that the system call costs nothing per line, small enough to stay in the second-level cache.
const BUFFER_BYTES: usize = 256 * 1024;

/// How a record becomes lines.
pub(crate) trait Format: Send {
    /// Adds the lines of a record, each with its end; adds nothing for one that this format does not show.
    fn record(&mut self, out: &mut Vec<u8>, record: &Record<'_>);
    /// Adds the first line of a file; nothing if the format has none.
    fn header(&mut self, out: &mut Vec<u8>);
}

/// What takes the lines.
pub(crate) trait Target: Send {
    /// Path, or `stderr`.
    fn name(&self) -> String;
    /// The most that should be written at once.
    fn buffer_bytes(&self) -> usize {
        BUFFER_BYTES
    }
    /// Gets ready for `bytes` more on UTC day `day`: reopens, rotates. Says whether a header must come first.
    fn prepare(&mut self, bytes: usize, day: u64) -> Start;
    /// Appends `bytes`, whose records end at `ends`.
    fn append(&mut self, bytes: &[u8], ends: &[usize]) -> Appended;
    /// What went wrong, if no line was lost by it.
    fn problem(&mut self) -> Option<String> {
        None
    }
}

/// Whether this process has already written to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Fresh,
    Continued,
}

/// Writes the records of one format to one target.
pub(crate) struct Lines<F, T> {
    format: F,
    target: T,
    buffer: Vec<u8>,
    /// Where each record in `buffer` ends.
    ends: Vec<usize>,
    limit: usize,
    /// The UTC day of the newest record, and the nanosecond at which it ends.
    day: u64,
    day_end_ns: u64,
    header: Vec<u8>,
    header_due: bool,
    tally: Tally,
}

impl<F: Format, T: Target> Lines<F, T> {
    /// Writes the header at once, so that a run that records nothing leaves a file that says so.
    pub(crate) fn new(format: F, target: T) -> Self {
        let limit = target.buffer_bytes().min(BUFFER_BYTES);
        let mut lines = Self {
            tally: Tally { target: target.name(), ..Tally::default() },
            format,
            target,
            // The record that passes the limit fits too, if it is of usual size.
            buffer: Vec::with_capacity(limit + 4096),
            ends: Vec::new(),
            limit,
            day: 0,
            day_end_ns: 0,
            header: Vec::new(),
            header_due: true,
        };
        if let Err(error) = lines.prepare() {
            lines.tally.last_error = Some(error.to_string());
        }
        lines
    }

    /// Fails if the file has no header yet and does not take one either.
    fn prepare(&mut self) -> io::Result<()> {
        if self.target.prepare(self.buffer.len(), self.day) == Start::Fresh {
            self.header_due = true;
        }
        if let Some(problem) = self.target.problem() {
            self.tally.last_error = Some(problem);
        }
        if self.header_due {
            self.header.clear();
            self.format.header(&mut self.header);
            if !self.header.is_empty() {
                let appended = self.target.append(&self.header, &[self.header.len()]);
                appended.error.map_or(Ok(()), Err)?;
            }
            self.header_due = false;
        }
        Ok(())
    }

    fn write_buffer(&mut self) {
        if self.ends.is_empty() {
            return;
        }
        let appended = match self.prepare() {
            Ok(()) => self.target.append(&self.buffer, &self.ends),
            Err(error) => Appended { records: 0, error: Some(error) },
        };
        self.tally.written += appended.records as u64;
        // What was refused is not kept for another try: memory stays bounded, and the count says what is missing.
        self.tally.lost += (self.ends.len() - appended.records) as u64;
        if let Some(error) = appended.error {
            self.tally.last_error = Some(error.to_string());
        }
        self.buffer.clear();
        self.ends.clear();
    }
}

impl<F: Format, T: Target> Output for Lines<F, T> {
    fn write(&mut self, record: &Record<'_>) {
        let time_ns = written_at(record);
        if time_ns >= self.day_end_ns {
            // What is in the buffer belongs to the day before.
            self.write_buffer();
            self.day = time_ns / DAY_NS;
            self.day_end_ns = (self.day + 1) * DAY_NS;
        }
        let before = self.buffer.len();
        self.format.record(&mut self.buffer, record);
        if self.buffer.len() > before {
            self.ends.push(self.buffer.len());
            if self.buffer.len() >= self.limit {
                self.write_buffer();
            }
        }
    }

    fn flush(&mut self) {
        self.write_buffer();
    }

    fn tally(&self) -> Tally {
        self.tally.clone()
    }
}

/// The moment that put the record into the trace.
fn written_at(record: &Record<'_>) -> u64 {
    match record {
        Record::Span(span) => span.start_ns.saturating_add(span.duration_ns),
        Record::Start(span) | Record::Unfinished(span) => span.start_ns,
        Record::Event(event) => event.time_ns,
        Record::Dropped(dropped) => dropped.time_ns,
    }
}
