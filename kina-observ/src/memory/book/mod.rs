//! The ledger of one resource: every block that is out, and what each span path holds.
//! Invariant: live is what the blocks in it add up to, whatever is freed (`kina-observ/tests/memory_ledger.rs`).
//!
//! A block goes in after the inner allocation and comes out *before* the inner free: the other way round another thread is
//! given the same address meanwhile, and its block would be taken for the old one.

mod epochs;
mod faulty;
mod totals;

use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::OnceLock;

use super::fault::Faults;
use super::lock::Lock;
use super::pages::{Pages, PathTotals};
use super::paths::{self, SpanPath};
use super::slots::{self, Sum, Sums};
use super::state::{Detail, State};
use super::table::{Block, Freed, Table, shard_of};
use crate::device::Stream;
use crate::instruments::{Counter, Peak};

/// So that threads seldom meet: four times as many as a busy program has threads that allocate.
const SHARDS: usize = 32;
/// No slot.
const NONE: usize = usize::MAX;

/// One shard, on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Shard(Lock<Table>);

#[derive(Debug)]
pub(crate) struct Book {
    pub(super) resource: &'static str,
    /// Of the first stream that something was allocated on.
    pub(super) device: OnceLock<String>,
    /// The epoch since which it sees everything; 0: something went by unseen.
    birth: u32,
    /// What `State` was when it was last brought up to date.
    state: AtomicU32,
    turning: Lock<()>,
    slot: AtomicUsize,
    live: Peak,
    /// The sums of threads without a slot.
    shared: Sums,
    /// Blocks that left without a free that was seen.
    forgotten: Counter,
    pub(super) failures: Counter,
    sequence: AtomicU64,
    shards: [Shard; SHARDS],
    pages: Pages,
    pub(super) faults: Faults,
    /// Blocks for which the ledger had no memory.
    unrecorded: Counter,
    /// Reports written into the trace.
    pub(super) told: Counter,
}

/// A block that was taken out, until the inner free has succeeded.
#[derive(Debug)]
pub(super) struct Removed(Block);

/// Where memory is that has no stream.
pub(super) const HOST: &str = "host";

/// The number of a stream; 0 is never given out, and is none.
#[inline]
fn number(stream: Option<&Stream>) -> i64 {
    stream.map_or(0, Stream::id)
}

impl Book {
    pub(super) const fn new(resource: &'static str, birth: u32) -> Self {
        Self {
            resource,
            device: OnceLock::new(),
            birth,
            state: AtomicU32::new(0),
            turning: Lock::new(()),
            slot: AtomicUsize::new(NONE),
            live: Peak::new(),
            shared: Sums::new(),
            forgotten: Counter::new(),
            failures: Counter::new(),
            sequence: AtomicU64::new(0),
            shards: [const { Shard(Lock::new(Table::new())) }; SHARDS],
            pages: Pages::new(),
            faults: Faults::new(),
            unrecorded: Counter::new(),
            told: Counter::new(),
        }
    }

    /// From now on it may use a slot of its own on each thread.
    pub(super) fn use_slot(&self) {
        if let Some(slot) = slots::take() {
            self.slot.store(slot, Relaxed);
        }
    }

    /// Nobody allocates through it any more.
    pub(super) fn give_slot_back(&self) {
        let slot = self.slot.swap(NONE, Relaxed);
        if slot != NONE {
            self.live.add(slots::pending(slot));
            let sum = slots::give_back(slot);
            self.shared.bytes.add(sum.bytes);
            self.shared.allocations.add(sum.allocations);
            self.shared.frees.add(sum.frees);
        }
    }

    /// The inner resource has given out a block.
    #[inline]
    pub(super) fn allocated(&self, state: State, address: u64, size: u64, stream: Option<&Stream>) {
        if address == 0 || !self.is_current(state, stream) {
            return;
        }
        let totals = state.detail() == Some(Detail::Totals);
        match slots::mine(self.slot.load(Relaxed)) {
            Some(sums) => {
                sums.bytes.add_alone(size);
                sums.allocations.add_alone(1);
                if totals {
                    return self.change_live(sums, size as i64);
                }
            }
            None => self.add_shared(size),
        }
        self.live.add(size as i64);
        if !totals {
            self.insert(state, address, size, number(stream));
        }
    }

    #[cold]
    fn add_shared(&self, size: u64) {
        self.shared.bytes.add(size);
        self.shared.allocations.add(1);
    }

    #[inline(never)]
    fn insert(&self, state: State, address: u64, size: u64, stream: i64) {
        let path = paths::current();
        if path == paths::OTHER {
            paths::OTHERS.add(1);
        }
        let totals = self.pages.path(path);
        totals.live.add(size as i64);
        totals.bytes.add(size);
        totals.allocations.add(1);
        let sequence = self.sequence.fetch_add(1, Relaxed);
        let block = Block { address, size, sequence, path, stream: stream as u32 };
        let inserted = self.shard(address).with(|table| {
            // The level changed meanwhile: the shard belongs to another time.
            if table.epoch != state.epoch() { Ok(Some(block)) } else { table.insert(block) }
        });
        match inserted {
            Ok(None) => {}
            Ok(Some(gone)) => self.forget(&gone),
            Err(()) => {
                self.unrecorded.add(1);
                self.forget(&block);
            }
        }
    }

    /// The inner resource refused.
    #[cold]
    pub(super) fn failed(&self, state: State) -> SpanPath {
        self.failures.add(1);
        let path = paths::current();
        if state.detail() == Some(Detail::Spans) {
            self.pages.path(path).failures.add(1);
        }
        SpanPath(path)
    }

    /// The inner resource is about to be given a block back; its span path is recorded.
    #[inline]
    pub(super) fn freeing(&self, state: State, address: u64, size: u64, stream: Option<&Stream>) -> Option<Removed> {
        if address == 0 || !self.is_current(state, stream) {
            return None;
        }
        self.remove(state, address, size, number(stream))
    }

    #[inline(never)]
    fn remove(&self, state: State, address: u64, size: u64, stream: i64) -> Option<Removed> {
        let path = paths::current();
        let removed = self.shard(address).with(|table| {
            // Otherwise the level changed meanwhile, and the shard belongs to another time.
            (table.epoch == state.epoch()).then(|| match table.remove(address) {
                Some(block) => {
                    table.remember(Freed { block, path });
                    Ok(block)
                }
                None => Err(table.freed(address)),
            })
        });
        let block = match removed? {
            Ok(block) => block,
            Err(before) => {
                self.stray(state, address, size, stream, path, before);
                return None;
            }
        };
        self.count_free();
        self.live.sub(block.size as i64);
        self.pages.path(block.path).release(block.size);
        if block.size != size || block.stream != stream as u32 {
            self.differs(block, size, stream, path);
        }
        Some(Removed(block))
    }

    /// The inner resource did not take the block: it is still out.
    #[cold]
    pub(super) fn put_back(&self, state: State, removed: Removed) {
        let block = removed.0;
        self.live.add(block.size as i64);
        self.uncount_free();
        self.pages.path(block.path).take_back(block.size);
        let inserted = self.shard(block.address).with(|table| {
            if table.epoch != state.epoch() {
                return Ok(Some(block));
            }
            table.forget_freed(block.address);
            table.insert(block)
        });
        match inserted {
            Ok(None) => {}
            Ok(Some(gone)) => self.forget(&gone),
            Err(()) => self.forget(&block),
        }
    }

    #[inline]
    fn count_free(&self) {
        match slots::mine(self.slot.load(Relaxed)) {
            Some(sums) => sums.frees.add_alone(1),
            None => self.shared.frees.add(1),
        }
    }

    fn uncount_free(&self) {
        match slots::mine(self.slot.load(Relaxed)) {
            Some(sums) => sums.frees.add_alone(1_u64.wrapping_neg()),
            None => self.shared.frees.add(1_u64.wrapping_neg()),
        }
    }

    /// A block is not out any more, and nobody saw it freed.
    #[cold]
    fn forget(&self, block: &Block) {
        self.forgotten.add(1);
        self.live.sub(block.size as i64);
        self.pages.path(block.path).release(block.size);
    }

    fn shard(&self, address: u64) -> &Lock<Table> {
        &self.shards[shard_of(address, SHARDS)].0
    }

    fn live_now(&self) -> i64 {
        let slot = self.slot.load(Relaxed);
        self.live.value() + if slot == NONE { 0 } else { slots::pending(slot) }
    }

    /// Bytes that are out, and the most that ever were.
    pub(super) fn live(&self) -> (u64, u64) {
        let live = self.live_now().max(0);
        (live as u64, self.live.peak().max(live) as u64)
    }

    /// What all threads allocated and freed. `frees` includes what was forgotten.
    pub(super) fn sum(&self) -> Sum {
        let slot = self.slot.load(Relaxed);
        let own = if slot == NONE { Sum::default() } else { slots::sum(slot) };
        Sum {
            frees: own.frees.wrapping_add(self.shared.frees.value()),
            allocations: own.allocations + self.shared.allocations.value(),
            bytes: own.bytes + self.shared.bytes.value(),
        }
    }

    /// Blocks that are out.
    pub(super) fn live_count(&self, sum: Sum) -> u64 {
        sum.allocations.saturating_sub(sum.frees).saturating_sub(self.forgotten.value())
    }

    /// The span paths that allocated, or tried to.
    pub(super) fn paths(&self) -> impl Iterator<Item = (SpanPath, &PathTotals)> {
        self.pages.used()
    }
}
