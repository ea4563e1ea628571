//! The witness: one JSON line for each call of the driver and for each kernel that ran.

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::codes::words;

pub(crate) struct Log {
    file: Option<File>,
    /// Times in the log count from here.
    start: Instant,
}

impl Log {
    /// Writes to the file that `STUB_DRIVER_LOG` names, nothing without it.
    pub(crate) fn open() -> Self {
        let file = std::env::var_os("STUB_DRIVER_LOG").map(|path| {
            let opened = OpenOptions::new().create(true).append(true).open(&path);
            opened.unwrap_or_else(|error| panic!("`STUB_DRIVER_LOG` is `{}`: {error}", path.display()))
        });
        Self { file, start: Instant::now() }
    }

    pub(crate) fn call(&self, call: &Call, result: u32) {
        let name = words(result).map_or("?", |(name, _)| name.to_str().unwrap_or("?"));
        self.write(format_args!(
            r#"{{"call":"{}","result":"{name}","thread":{},"at_ns":{}{}}}"#,
            call.name,
            thread(),
            self.nanoseconds(Instant::now()),
            call.facts,
        ));
    }

    pub(crate) fn ran(&self, kernel: &str, stream: u64, launch: u64, begin: Instant, end: Instant) {
        self.write(format_args!(
            r#"{{"ran":"{kernel}","stream":{stream},"launch":{launch},"begin_ns":{},"duration_ns":{}}}"#,
            self.nanoseconds(begin),
            end.saturating_duration_since(begin).as_nanos(),
        ));
    }

    fn nanoseconds(&self, at: Instant) -> u128 {
        at.saturating_duration_since(self.start).as_nanos()
    }

    /// One write for a line, so that lines of several threads do not mix.
    fn write(&self, line: std::fmt::Arguments<'_>) {
        if let Some(mut file) = self.file.as_ref() {
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}

/// One call, while it is answered.
pub(crate) struct Call {
    name: &'static str,
    facts: String,
}

impl Call {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, facts: String::new() }
    }

    pub(crate) fn note(&mut self, key: &str, number: impl Into<u64>) -> &mut Self {
        let _ = write!(self.facts, r#","{key}":{}"#, number.into());
        self
    }

    /// `text` is a name: nothing in it needs an escape.
    pub(crate) fn note_name(&mut self, key: &str, text: &str) -> &mut Self {
        let _ = write!(self.facts, r#","{key}":"{text}""#);
        self
    }
}

/// A small number for the calling thread.
pub(crate) fn thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static OWN: Cell<u64> = const { Cell::new(0) };
    }
    if OWN.get() == 0 {
        OWN.set(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    OWN.get()
}
