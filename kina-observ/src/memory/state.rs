//! How much of each allocation is recorded, and whether anything happened unseen.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kina_observ_conventions::Level;

/// How much is recorded of an allocation while the level is not off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Live, peak, total, count and failures of each resource. Costs a few nanoseconds; knows no single block.
    /// A thread tells of 64 KiB at once, so the peak may be too low by that much for each thread.
    Totals,
    /// The same for each span path too, and every block that is out: leaks, faulty frees and the largest holders can be named.
    #[default]
    Spans,
}

/// What a ledger must know about the level, in one load.
///
/// The number of changes so far, the epoch, stands beside it: what was recorded before a time at Off is not true any more
/// after it, since frees went by unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State(u32);

const DETAIL: u32 = 3;
const OFF: u32 = 0;
const TOTALS: u32 = 1;
const SPANS: u32 = 2;

/// Before anybody configured the process: epoch 0, off.
static STATE: AtomicU32 = AtomicU32::new(0);

impl State {
    #[inline]
    pub(super) fn now() -> Self {
        Self(STATE.load(Relaxed))
    }

    #[inline]
    pub(super) fn detail(self) -> Option<Detail> {
        match self.0 & DETAIL {
            OFF => None,
            TOTALS => Some(Detail::Totals),
            _ => Some(Detail::Spans),
        }
    }

    pub(super) fn bits(self) -> u32 {
        self.0
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) fn epoch(self) -> u32 {
        self.0 >> 2
    }

    /// The epoch since which a ledger that is made now sees everything, or will when recording starts; `None`: it may miss
    /// something.
    pub(super) fn birth(self) -> Option<u32> {
        match (self.detail(), self.epoch()) {
            // The first call configures, and an allocation is a call.
            (None, 0) => Some(1),
            (Some(Detail::Spans), epoch) => Some(epoch),
            _ => None,
        }
    }
}

/// What is recorded when the level is not off.
static CHOSEN: AtomicU32 = AtomicU32::new(SPANS);

/// Takes effect with the next level.
pub(crate) fn choose(detail: Detail) {
    CHOSEN.store(bits_of(detail), Relaxed);
}

/// The level changes: called before the gate opens, and after it closes. The caller holds the lock on starting and stopping.
pub(crate) fn follow(level: Level) {
    let now = State::now();
    let bits = if level == Level::Off { OFF } else { CHOSEN.load(Relaxed) };
    if now.0 & DETAIL != bits || now.epoch() == 0 {
        STATE.store(now.epoch().wrapping_add(1) << 2 | bits, Relaxed);
    }
}

const fn bits_of(detail: Detail) -> u32 {
    match detail {
        Detail::Totals => TOTALS,
        Detail::Spans => SPANS,
    }
}
