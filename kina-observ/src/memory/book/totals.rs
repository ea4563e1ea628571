//! A ledger of totals: it knows no block, only what threads add and take away.
//! Invariant: live is what the pieces of all threads add up to (`totals_know_no_block`).

use core::sync::atomic::Ordering::Relaxed;

use super::Book;
use crate::device::Stream;
use crate::memory::slots::{self, Sums};
use crate::memory::state::State;

/// A thread tells the ledger of as many bytes at once: two atomic additions a pair would be most of the cost.
const UNTOLD: u64 = 64 << 10;

impl Book {
    /// Counts an allocation with totals; `false`, and nothing is counted: `allocated` must look closer.
    #[inline(always)]
    pub(in crate::memory) fn add_total(&self, state: State, address: u64, size: u64) -> bool {
        let Some(sums) = self.sums_already(state, address) else { return false };
        sums.bytes.add_alone(size);
        sums.allocations.add_alone(1);
        self.change_live(sums, size as i64);
        true
    }

    /// Counts a free with totals; `false`, and nothing is counted: `freeing_total` must look closer.
    #[inline(always)]
    pub(in crate::memory) fn take_total(&self, state: State, address: u64, size: u64) -> bool {
        let Some(sums) = self.sums_already(state, address) else { return false };
        sums.frees.add_alone(1);
        self.change_live(sums, (size as i64).wrapping_neg());
        true
    }

    /// This thread's sums, if there is nothing to prepare.
    #[inline(always)]
    fn sums_already(&self, state: State, address: u64) -> Option<&'static Sums> {
        if address == 0 || !self.is_up_to_date(state) {
            return None;
        }
        slots::mine_already(self.slot.load(Relaxed))
    }

    /// The same with totals, where nothing must be remembered until the inner free has succeeded.
    #[inline]
    pub(in crate::memory) fn freeing_total(
        &self,
        state: State,
        address: u64,
        size: u64,
        stream: Option<&Stream>,
    ) -> bool {
        if address == 0 || !self.is_current(state, stream) {
            return false;
        }
        match slots::mine(self.slot.load(Relaxed)) {
            Some(sums) => {
                sums.frees.add_alone(1);
                self.change_live(sums, (size as i64).wrapping_neg());
            }
            None => self.free_shared(size),
        }
        true
    }

    /// With totals: on this thread alone, until there is enough to tell.
    #[inline]
    pub(super) fn change_live(&self, sums: &Sums, change: i64) {
        let pending = sums.pending.value().wrapping_add(change);
        if pending.unsigned_abs() < UNTOLD {
            return sums.pending.set(pending);
        }
        sums.pending.set(0);
        self.tell_live(pending);
    }

    #[cold]
    #[inline(never)]
    fn free_shared(&self, size: u64) {
        self.shared.frees.add(1);
        self.tell_live((size as i64).wrapping_neg());
    }

    #[cold]
    #[inline(never)]
    pub(super) fn tell_live(&self, change: i64) {
        if self.live.add(change) < 0 {
            // Blocks were freed that were allocated while nobody looked.
            let below = self.live_now().min(0);
            self.live.sub(below);
        }
    }

    /// Undoes `freeing_total`.
    #[cold]
    pub(in crate::memory) fn put_total_back(&self, size: u64) {
        self.tell_live(size as i64);
        self.uncount_free();
    }
}
