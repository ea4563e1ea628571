//! One open span of a thread, as its stack keeps it.

use super::{DEEPEST, Local};
use crate::site::Site;

/// Stands beside every mark, so that one test finds a frame without any.
const SPECIAL: u64 = 1 << 63;
const EXPLICIT: u64 = 1 << 62;
const RANGE: u64 = 1 << 61;
const SILENT: u64 = 1 << 60;

/// The frame has a parent of its own.
pub(super) const EXPLICIT_FRAME: u64 = SPECIAL | EXPLICIT;
/// The frame is there for its range only: nothing is recorded of it, and nothing is missing.
const SILENT_FRAME: u64 = SPECIAL | SILENT;

/// A task's span that this thread polls: the context beside it is the span itself, not its parent.
pub(crate) const ADOPTED: u64 = EXPLICIT_FRAME;

#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) site: &'static Site,
    /// Number of the span on this thread, from 1; 0: dropped. The marks above stand in its highest bits.
    pub(super) sequence: u64,
}

impl Frame {
    /// The number of the span and whether its parent is its own; 0: it was not recorded.
    #[inline(always)]
    pub(super) fn recorded(self) -> u64 {
        let number = self.sequence & !(SPECIAL | RANGE);
        match self.sequence & (EXPLICIT | SILENT) {
            0 => number,
            EXPLICIT => number | SPECIAL,
            _ => 0,
        }
    }

    pub(super) fn is_dropped(self) -> bool {
        self.sequence & !(SPECIAL | RANGE) == 0
    }

    /// Whether it has a range on this thread's NVTX stack, whatever the level is when it closes.
    #[cfg(feature = "nvtx")]
    pub(super) fn has_range(self) -> bool {
        self.sequence & RANGE != 0
    }

    #[cfg(feature = "nvtx")]
    pub(super) fn with_range(self) -> Self {
        Self { sequence: self.sequence | SPECIAL | RANGE, ..self }
    }

    #[cfg(feature = "nvtx")]
    pub(super) fn without_range(self) -> Self {
        Self { sequence: self.sequence & !RANGE, ..self }
    }
}

impl Local {
    /// Number of the span in a frame; 0 when it was not recorded.
    #[inline(always)]
    pub(crate) fn sequence_at(&self, depth: usize) -> u64 {
        self.frames[depth].get().recorded()
    }

    /// Whether there is nothing to a frame but a recorded span, its outer span's child.
    #[inline(always)]
    pub(crate) fn is_plain(&self, depth: usize) -> bool {
        self.frames[depth].get().sequence.cast_signed() > 0
    }

    /// Opens a frame of which nothing is recorded. `false`: it would be too deep.
    pub(crate) fn push_silent(&self, depth: usize, site: &'static Site) -> bool {
        let room = depth < DEEPEST;
        if room {
            self.push(depth, site, SILENT_FRAME);
        }
        room
    }

    /// Whether a frame is there for its range only.
    pub(crate) fn is_silent(&self, depth: usize) -> bool {
        self.frames[depth].get().sequence & SILENT != 0
    }
}

/// Marks a frame's number as one with a parent of its own.
pub(crate) const fn explicit_sequence(sequence: u64) -> u64 {
    sequence | EXPLICIT_FRAME
}

/// Whether the frame has a parent of its own.
#[inline(always)]
pub(crate) const fn is_explicit(sequence: u64) -> bool {
    sequence & EXPLICIT_FRAME != 0
}
