//! What the ledgers know, as numbers.

use super::book::Book;
use super::fault::{FaultKind, FreeFault};
use super::paths::{self, SpanPath};
use super::registry;

/// What one memory resource did while the level was not off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceStats {
    /// Kind of the resource: `runtime.alloc.resource`.
    pub resource: &'static str,
    /// Its device, once an allocation has named it: `runtime.device`.
    pub device: String,
    /// Bytes that are out.
    pub live: u64,
    /// Blocks that are out.
    pub live_count: u64,
    /// The most bytes that were ever out at once.
    pub peak: u64,
    /// Bytes that were ever allocated.
    pub bytes: u64,
    /// Allocations that succeeded.
    pub count: u64,
    /// Allocations that failed.
    pub failures: u64,
    /// Frees that cannot be right, in the order of [`FaultKind::ALL`].
    pub faults: [u64; FaultKind::ALL.len()],
    /// Frees of blocks that may have been allocated while the level was off.
    pub unseen_frees: u64,
    /// Allocations of all resources outside of the 4,094 span paths that are told apart.
    pub other_paths: u64,
}

/// What one span path allocated from one resource, its inner spans' not included.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathStats {
    /// The spans, from the outermost to the innermost.
    pub path: SpanPath,
    /// Bytes that are out.
    pub live: u64,
    /// Blocks that are out.
    pub live_count: u64,
    /// The most bytes that were ever out at once.
    pub peak: u64,
    /// Bytes that were ever allocated.
    pub bytes: u64,
    /// Allocations that succeeded.
    pub count: u64,
    /// Allocations that failed.
    pub failures: u64,
}

impl ResourceStats {
    pub(super) fn of(book: &Book) -> Self {
        let (live, peak) = book.live();
        let sum = book.sum();
        Self {
            resource: book.resource,
            device: book.device.get().cloned().unwrap_or_default(),
            live,
            live_count: book.live_count(sum),
            peak,
            bytes: sum.bytes,
            count: sum.allocations,
            failures: book.failures.value(),
            faults: book.faults.counts(),
            unseen_frees: book.faults.unseen.value(),
            other_paths: paths::OTHERS.value(),
        }
    }

    /// The same under the names of the registry.
    pub fn metrics(&self) -> [(&'static str, u64); 5] {
        [
            ("runtime.alloc.bytes", self.bytes),
            ("runtime.alloc.count", self.count),
            ("runtime.alloc.live", self.live),
            ("runtime.alloc.peak", self.peak),
            ("runtime.alloc.failures", self.failures),
        ]
    }
}

/// Every resource of this process that was used while the level was not off: those of today, and those that went while blocks
/// of theirs were out.
pub fn resources() -> Vec<ResourceStats> {
    let mut all = Vec::new();
    registry::each(|book| all.push(ResourceStats::of(book)));
    all
}

/// The span paths of one ledger, the largest holders first.
pub(super) fn paths_of(book: &Book) -> Vec<PathStats> {
    let stats = |(path, totals): (SpanPath, &super::pages::PathTotals)| PathStats {
        path,
        live: totals.live.value().max(0) as u64,
        live_count: totals.live_count(),
        peak: totals.live.peak().max(0) as u64,
        bytes: totals.bytes.value(),
        count: totals.allocations.value(),
        failures: totals.failures.value(),
    };
    let mut paths: Vec<_> = book.paths().map(stats).collect();
    paths.sort_by_key(|path| core::cmp::Reverse((path.live, path.peak)));
    paths
}

/// The last faulty frees of one ledger.
pub(super) fn faults_of(book: &Book) -> Vec<FreeFault> {
    book.faults.last()
}
