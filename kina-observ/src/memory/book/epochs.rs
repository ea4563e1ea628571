//! When a ledger begins anew: after a time at Off, and in a forked child.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::{Book, HOST, Shard};
use crate::device::Stream;
use crate::memory::state::{Detail, State};
use crate::memory::table::Table;

impl Book {
    /// Whether no block can be out that it does not know.
    pub(super) fn sees_everything(&self, state: State) -> bool {
        self.birth == state.epoch() && self.unrecorded.value() == 0
    }

    #[inline(always)]
    pub(super) fn is_up_to_date(&self, state: State) -> bool {
        self.state.load(Acquire) == state.bits()
    }

    #[inline]
    pub(super) fn is_current(&self, state: State, stream: Option<&Stream>) -> bool {
        self.is_up_to_date(state) || self.turn(state, stream)
    }

    /// What was recorded before a time at Off is not true any more: frees went by unseen. `false`: `state` is the older one.
    #[cold]
    pub(super) fn turn(&self, state: State, stream: Option<&Stream>) -> bool {
        self.device.get_or_init(|| stream.map_or_else(|| HOST.to_owned(), |stream| stream.device().name()));
        self.turning.with(|()| {
            let before = State::from_bits(self.state.load(Relaxed));
            if before.epoch() >= state.epoch() {
                return before == state;
            }
            if before.detail() == Some(Detail::Totals) {
                self.live.sub(self.live_now());
                let sum = self.sum();
                let out = sum.allocations.saturating_sub(sum.frees).saturating_sub(self.forgotten.value());
                self.forgotten.add(out);
            }
            for Shard(shard) in &self.shards {
                shard.with(|table| {
                    table.blocks().for_each(|block| self.forget(block));
                    table.clear();
                    table.epoch = state.epoch();
                });
            }
            self.state.store(state.bits(), Release);
            true
        })
    }

    /// In a forked child: what other threads were about to add or take out will never be finished.
    pub(in crate::memory) fn start_afresh(&self) {
        let sum = self.sum();
        self.forgotten.add(self.live_count(sum));
        self.live.sub(self.live_now());
        for (_, totals) in self.pages.used() {
            totals.start_afresh();
        }
        self.shards.iter().for_each(|shard| shard.0.with(Table::clear));
    }

    /// While the process forks.
    pub(in crate::memory) fn hold(&self) {
        self.turning.hold();
        self.shards.iter().for_each(|shard| shard.0.hold());
        self.faults.hold();
    }

    pub(in crate::memory) fn release(&self) {
        self.faults.release();
        self.shards.iter().for_each(|shard| shard.0.release());
        self.turning.release();
    }
}
