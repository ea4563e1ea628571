//! Where replayed records go, and what is counted on the way.

use super::rollup::Rollup;
use crate::clock::Scale;
use crate::output::callback::HostLog;
use crate::record::{Output, Record};

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) spans: u64,
    pub(crate) events: u64,
    pub(crate) unfinished: u64,
}

/// Where replayed records go.
pub(super) struct Sink {
    pub(super) outputs: Vec<Box<dyn Output>>,
    pub(super) host_log: HostLog,
    pub(super) start_lines: bool,
    pub(super) scale: Scale,
    pub(super) rollup: Rollup,
    pub(super) counts: Counts,
}

impl Sink {
    pub(super) fn write(&mut self, record: &Record<'_>) {
        for output in &mut self.outputs {
            output.write(record);
        }
        self.host_log.write(record);
    }

    pub(super) fn flush(&mut self) {
        for output in &mut self.outputs {
            output.flush();
        }
    }
}
