//! How many launches there were, and of how many the device's time is known.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::names;
use super::timing::Launched;

/// Launches while something listened. In the end timed + untimed + captured = launched; until then some are under way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaunchCounts {
    /// Launches of kernels, captured ones among them, and of graphs.
    pub launched: u64,
    /// Their time on the device is known.
    pub timed: u64,
    /// It is not: the pool of events was empty, the step was not sampled, the level is below `kernel`, or the launch was
    /// still under way when its stream or the recording ended.
    pub untimed: u64,
    /// They went into a graph, which is timed as a whole when it is launched.
    pub captured: u64,
}

/// The process's counters.
pub(super) struct Counts {
    launched: AtomicU64,
    timed: AtomicU64,
    untimed: AtomicU64,
    captured: AtomicU64,
}

pub(super) static COUNTS: Counts = Counts {
    launched: AtomicU64::new(0),
    timed: AtomicU64::new(0),
    untimed: AtomicU64::new(0),
    captured: AtomicU64::new(0),
};

impl Counts {
    pub(super) fn launched(&self, what: Launched<'_>) {
        self.launched.fetch_add(1, Relaxed);
        if let Launched::Kernel(name) = what {
            names::count(name);
        }
    }

    pub(super) fn timed(&self) {
        self.timed.fetch_add(1, Relaxed);
    }

    pub(super) fn untimed(&self) {
        self.untimed.fetch_add(1, Relaxed);
    }

    pub(super) fn captured(&self) {
        self.captured.fetch_add(1, Relaxed);
    }
}

/// The launches of this process so far.
pub fn launches() -> LaunchCounts {
    LaunchCounts {
        launched: COUNTS.launched.load(Relaxed),
        timed: COUNTS.timed.load(Relaxed),
        untimed: COUNTS.untimed.load(Relaxed),
        captured: COUNTS.captured.load(Relaxed),
    }
}

impl LaunchCounts {
    /// No launch.
    pub(crate) const NONE: Self = Self { launched: 0, timed: 0, untimed: 0, captured: 0 };

    /// What came after `earlier`.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            launched: self.launched - earlier.launched,
            timed: self.timed - earlier.timed,
            untimed: self.untimed - earlier.untimed,
            captured: self.captured - earlier.captured,
        }
    }
}

impl fmt::Display for LaunchCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { launched, timed, untimed, captured } = self;
        write!(f, "{launched} launches: {timed} timed, {untimed} untimed, {captured} captured")
    }
}
