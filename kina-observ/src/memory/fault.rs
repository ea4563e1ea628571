//! Frees that cannot be right: what is wrong with each, and who allocated and freed the block.

use core::fmt;

use super::events;
use super::lock::Lock;
use super::paths::SpanPath;
use crate::instruments::Counter;

/// What is wrong with a free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// No block with this address was ever given out.
    Unknown,
    /// The block was freed before.
    Double,
    /// The block has another size.
    SizeMismatch,
    /// The block was allocated on another stream. That is right if the one stream waits for the other, which the ledger
    /// cannot see.
    OtherStream,
}

impl FaultKind {
    /// In the order of their counts.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::Double, Self::SizeMismatch, Self::OtherStream];

    /// Its value of `runtime.free.fault`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Double => "double",
            Self::SizeMismatch => "size_mismatch",
            Self::OtherStream => "other_stream",
        }
    }
}

/// One free that cannot be right. Telling it changes nothing: the inner resource gets the call and says what it thinks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FreeFault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The resource.
    pub resource: &'static str,
    /// The address that was passed.
    pub address: u64,
    /// The size that was passed, in bytes.
    pub size: u64,
    /// The stream that was passed.
    pub stream: i64,
    /// Where it was freed.
    pub path: SpanPath,
    /// The size of the block, in bytes.
    pub allocated_size: Option<u64>,
    /// The stream that the block was allocated on.
    pub allocated_stream: Option<i64>,
    /// Where the block was allocated.
    pub allocated_path: Option<SpanPath>,
    /// Where it was freed the first time.
    pub freed_path: Option<SpanPath>,
}

struct Summary<'a>(&'a FreeFault);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fault = self.0;
        let FreeFault { resource, address, size, stream, path, .. } = fault;
        match fault.kind {
            FaultKind::Unknown => {
                write!(f, "{address:#x}, freed in `{path}`, is no block of `{resource}`")
            }
            FaultKind::Double => {
                write!(f, "the block at {address:#x} of `{resource}` is freed a second time in `{path}`")
            }
            FaultKind::SizeMismatch => {
                write!(f, "the block at {address:#x} of `{resource}` is freed in `{path}` as one of {size} bytes")
            }
            FaultKind::OtherStream => {
                write!(f, "the block at {address:#x} of `{resource}` is freed in `{path}` on stream {stream}")
            }
        }?;
        if let Some(allocated) = fault.allocated_path {
            write!(f, "; it was allocated in `{allocated}`")?;
        }
        match (fault.kind, fault.allocated_size, fault.allocated_stream) {
            (FaultKind::SizeMismatch, Some(size), _) => write!(f, " with {size} bytes")?,
            (FaultKind::OtherStream, _, Some(stream)) => write!(f, " on stream {stream}")?,
            _ => {}
        }
        if let Some(freed) = fault.freed_path {
            write!(f, " and freed in `{freed}`")?;
        }
        Ok(())
    }
}

impl fmt::Display for FreeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  = help: {}", self.summary(), self.help())
    }
}

impl FreeFault {
    /// What is wrong, where, and who else had the block, in one line.
    pub fn summary(&self) -> impl fmt::Display + '_ {
        Summary(self)
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self.kind {
            FaultKind::Unknown => "free it through the resource that gave it out",
            FaultKind::Double => "let one of the two own the block",
            FaultKind::SizeMismatch => "keep the size beside the pointer",
            FaultKind::OtherStream => "free it on its own stream, or let that stream wait for this one first",
        }
    }
}

/// The last faults that are kept, for whoever asks.
const KEPT: usize = 64;
/// Faults and failures of one ledger that are written into the trace; the rest is counted.
pub(super) const TOLD: u64 = 100;

#[derive(Debug)]
pub(super) struct Faults {
    counts: [Counter; FaultKind::ALL.len()],
    /// Frees of blocks that may have been allocated while the level was off.
    pub(super) unseen: Counter,
    last: Lock<Vec<FreeFault>>,
    told: Counter,
}

impl Faults {
    pub(super) const fn new() -> Self {
        Self {
            counts: [const { Counter::new() }; FaultKind::ALL.len()],
            unseen: Counter::new(),
            last: Lock::new(Vec::new()),
            told: Counter::new(),
        }
    }

    pub(super) fn add(&self, fault: FreeFault) {
        self.counts[fault.kind as usize].add(1);
        self.told.add(1);
        if self.told.value() <= TOLD {
            events::free_fault(&fault);
        }
        self.last.with(|last| {
            if last.len() == KEPT {
                last.remove(0);
            }
            last.push(fault);
        });
    }

    pub(super) fn counts(&self) -> [u64; FaultKind::ALL.len()] {
        [0, 1, 2, 3].map(|kind: usize| self.counts[kind].value())
    }

    pub(super) fn last(&self) -> Vec<FreeFault> {
        self.last.with(|last| last.clone())
    }

    pub(super) fn hold(&self) {
        self.last.hold();
    }

    pub(super) fn release(&self) {
        self.last.release();
    }
}
