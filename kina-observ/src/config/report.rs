//! What came of a recording: written, dropped, and what the spans cost.

use core::fmt;

use crate::collector::{Finished, SpanTotal};
use crate::device::LaunchCounts;
use crate::memory::Leaks;
use crate::record::Tally;

/// Written + dropped = produced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Spans and events that the program made.
    pub produced: u64,
    /// Spans and events that reached the outputs, unfinished spans among them.
    pub written: u64,
    /// Spans and events lost before the collector saw them: a full ring, nesting too deep.
    pub dropped: u64,
    /// Error texts and links lost for want of room; their spans are there.
    pub details_dropped: u64,
    /// Spans that were still open.
    pub unfinished: u64,
    /// What each output wrote, and what the operating system refused.
    pub outputs: Vec<Tally>,
    /// Counts and times by span name, the most expensive first.
    pub totals: Vec<SpanTotal>,
    /// Launches of kernels and graphs, and of how many the time on the device is known.
    pub launches: LaunchCounts,
    /// Memory that was still out, by span path.
    pub leaks: Leaks,
    /// Why the rest of this report is missing.
    pub failure: Option<&'static str>,
}

impl Report {
    /// The collector did not end, so nobody knows what it wrote.
    pub(crate) fn lost() -> Self {
        let failure = Some("the collector did not end in time, or an output panicked: how much was written is unknown");
        Self { failure, ..Self::default() }
    }

    /// Whether nothing was lost anywhere.
    pub fn is_complete(&self) -> bool {
        self.failure.is_none()
            && self.dropped == 0
            && self.details_dropped == 0
            && self.outputs.iter().all(|output| output.lost == 0)
    }
}

impl From<Finished> for Report {
    fn from(finished: Finished) -> Self {
        let written = finished.counts.spans + finished.counts.events;
        Self {
            produced: written + finished.dropped,
            written,
            dropped: finished.dropped,
            details_dropped: finished.details_lost,
            unfinished: finished.counts.unfinished,
            outputs: finished.outputs,
            totals: finished.totals,
            launches: LaunchCounts::default(),
            leaks: Leaks::default(),
            failure: None,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(failure) = self.failure {
            return f.write_str(failure);
        }
        write!(f, "recorded {} of {} spans and events", self.written, self.produced)?;
        if self.dropped > 0 {
            write!(f, "; dropped {}: make the rings larger or record less", self.dropped)?;
        }
        if self.unfinished > 0 {
            write!(f, "; {} unfinished", self.unfinished)?;
        }
        if self.launches.launched > 0 {
            write!(f, "; {}", self.launches)?;
        }
        if let Some(largest) = self.leaks.holders.first() {
            let Leaks { bytes, .. } = self.leaks;
            write!(f, "; {bytes} bytes of traced memory still out, most of them from `{}`", largest.path)?;
        }
        for output in &self.outputs {
            write!(f, "; {}: {} lines", output.target, output.written)?;
            if output.lost > 0 {
                let why = output.last_error.as_deref().unwrap_or("unknown error");
                write!(f, ", {} lost ({why})", output.lost)?;
            }
        }
        Ok(())
    }
}
