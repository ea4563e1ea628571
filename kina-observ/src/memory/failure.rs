//! The report on an allocation that failed: what there was, and who holds it.

use core::fmt;

use super::book::Book;
use super::error::{AllocError, Reason};
use super::events;
use super::fault::TOLD;
use super::paths::SpanPath;
use super::resource::PoolInfo;
use super::state::State;
use crate::device::{MemoryInfo, Stream};

/// Holders that a report names.
const HOLDERS: usize = 10;

/// Why there was no memory: what the device and the pool have, and the span paths that hold the most.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllocReport {
    /// Where the allocation was asked for.
    pub path: SpanPath,
    /// Bytes asked for.
    pub requested: u64,
    /// What the device has; `None`: it does not say.
    pub memory: Option<MemoryInfo>,
    /// What the pool has; `None`: there is no pool.
    pub pool: Option<PoolInfo>,
    /// Bytes that the ledger saw go out, and that are not back.
    pub live: u64,
    /// The most that were ever out.
    pub peak: u64,
    /// The ten span paths that hold the most, the largest first.
    pub holders: Vec<Holder>,
}

/// What one span path holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holder {
    /// The spans in which it was allocated.
    pub path: SpanPath,
    /// Bytes.
    pub bytes: u64,
    /// Blocks.
    pub blocks: u64,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by `{}`", Amount(self.bytes, self.blocks), self.path)
    }
}

/// Bytes, and in how many blocks.
pub(super) struct Amount(pub(super) u64, pub(super) u64);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes, blocks) = self;
        write!(f, "{bytes} bytes in {blocks} {}", if *blocks == 1 { "block" } else { "blocks" })
    }
}

/// What every span path of a ledger holds, the largest first.
pub(super) fn holders(book: &Book) -> Vec<Holder> {
    let held = book.paths().filter_map(|(path, totals)| {
        let bytes = totals.live.value().max(0) as u64;
        let blocks = totals.live_count();
        (bytes > 0 || blocks > 0).then_some(Holder { path, bytes, blocks })
    });
    let mut holders: Vec<_> = held.collect();
    holders.sort_by_key(|holder| core::cmp::Reverse((holder.bytes, holder.blocks)));
    holders
}

impl AllocReport {
    fn new(book: &Book, path: SpanPath, requested: u64, memory: Option<MemoryInfo>, pool: Option<PoolInfo>) -> Self {
        let mut holders = holders(book);
        holders.truncate(HOLDERS);
        let (live, peak) = book.live();
        Self { path, requested, memory, pool, live, peak, holders }
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        let in_pieces = self.pool.is_some_and(|pool| pool.reserved.saturating_sub(pool.used) >= self.requested);
        match self.memory {
            _ if in_pieces => {
                "the pool has the bytes, but not in one piece: allocate large blocks first, or free the small ones between them"
            }
            Some(memory) if self.requested > memory.total => {
                "work on smaller pieces: it is more than all the memory there is"
            }
            Some(memory) if self.live < (memory.total - memory.free) / 2 => {
                "most of the memory is held by somebody else: look for other programs and libraries on the device"
            }
            _ => "free what the largest holder no longer needs, or work on smaller pieces",
        }
    }
}

impl fmt::Display for AllocReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  = in: `{}`", self.path)?;
        if let Some(MemoryInfo { free, total }) = self.memory {
            writeln!(f, "  = memory: {free} of {total} bytes are free")?;
        }
        if let Some(PoolInfo { reserved, used, largest_free }) = self.pool {
            writeln!(f, "  = pool: {reserved} bytes, {used} of them in use, {largest_free} free in one piece")?;
        }
        writeln!(f, "  = live: {} bytes, at most {} so far", self.live, self.peak)?;
        for holder in &self.holders {
            writeln!(f, "  = held: {holder}")?;
        }
        write!(f, "  = help: {}", self.help())
    }
}

/// A failure of a resource that only gives an error of its own: the report goes into the trace.
#[cold]
pub(super) fn tell(book: &Book, state: State, size: u64, stream: Option<&Stream>) {
    let path = book.failed(state);
    let requested = usize::try_from(size).unwrap_or(usize::MAX);
    let error = match stream {
        Some(stream) => AllocError::new(Reason::OutOfMemory, book.resource, requested, stream),
        None => AllocError::without_stream(Reason::OutOfMemory, book.resource, requested),
    };
    let memory = stream.and_then(|stream| stream.device().memory_info());
    let report = AllocReport::new(book, path, size, memory, None);
    write_event(book, &error.with_report(report));
}

/// A failure of a traced resource: the error carries the report too.
#[cold]
pub(super) fn explain(
    book: &Book,
    state: State,
    error: AllocError,
    stream: &Stream,
    memory: Option<MemoryInfo>,
    pool: Option<PoolInfo>,
) -> AllocError {
    let path = book.failed(state);
    let memory = memory.or_else(|| stream.device().memory_info());
    let report = AllocReport::new(book, path, error.requested(), memory, pool);
    let error = error.with_report(report);
    write_event(book, &error);
    error
}

fn write_event(book: &Book, error: &AllocError) {
    book.told.add(1);
    if book.told.value() <= TOLD {
        events::failed(error);
    }
}
