//! What each span path allocated from one resource.

use std::sync::OnceLock;

use super::paths::{self, SpanPath};
use crate::instruments::{Counter, Peak};

/// Paths of a page: most programs use one or two.
const PATHS: usize = 64;
const PAGES: usize = paths::MOST / PATHS;

/// One path's numbers, on a cache line of their own: other paths are other threads' as often as not.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct PathTotals {
    pub(super) live: Peak,
    pub(super) bytes: Counter,
    pub(super) allocations: Counter,
    /// Allocations that are not out any more.
    pub(super) released: Counter,
    pub(super) failures: Counter,
}

impl PathTotals {
    const fn new() -> Self {
        Self {
            live: Peak::new(),
            bytes: Counter::new(),
            allocations: Counter::new(),
            released: Counter::new(),
            failures: Counter::new(),
        }
    }

    #[inline]
    pub(super) fn release(&self, size: u64) {
        self.live.sub(size as i64);
        self.released.add(1);
    }

    /// Undoes `release`.
    pub(super) fn take_back(&self, size: u64) {
        self.live.add(size as i64);
        self.released.add(1_u64.wrapping_neg());
    }

    /// Nothing is out any more. The caller is the only thread.
    pub(super) fn start_afresh(&self) {
        self.live.set(0);
        self.released.add(self.live_count());
    }

    /// Blocks that are out.
    pub(super) fn live_count(&self) -> u64 {
        let released = self.released.value();
        self.allocations.value().saturating_sub(released)
    }

    fn is_used(&self) -> bool {
        self.allocations.value() > 0 || self.failures.value() > 0
    }
}

/// Numbers of all paths, a page when its first path comes.
#[derive(Debug)]
pub(super) struct Pages([OnceLock<Box<[PathTotals; PATHS]>>; PAGES]);

impl Pages {
    pub(super) const fn new() -> Self {
        Self([const { OnceLock::new() }; PAGES])
    }

    #[inline]
    pub(super) fn path(&self, path: u32) -> &PathTotals {
        let (page, place) = (path as usize / PATHS, path as usize % PATHS);
        let page = match self.0[page].get() {
            Some(page) => page,
            None => self.make(page),
        };
        &page[place]
    }

    #[cold]
    fn make(&self, page: usize) -> &[PathTotals; PATHS] {
        self.0[page].get_or_init(|| Box::new([const { PathTotals::new() }; PATHS]))
    }

    /// The paths with numbers.
    pub(super) fn used(&self) -> impl Iterator<Item = (SpanPath, &PathTotals)> {
        let made = self.0.iter().enumerate().filter_map(|(number, page)| Some((number, &**page.get()?)));
        made.flat_map(|(number, page)| {
            page.iter().enumerate().map(move |(place, totals)| (SpanPath((number * PATHS + place) as u32), totals))
        })
        .filter(|(_, totals)| totals.is_used())
    }
}
