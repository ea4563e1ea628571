//! One shard of a ledger: which blocks are out, and which were freed last.
//! Invariant: it holds what a `HashMap` would (`it_holds_what_a_hash_map_holds`).
//!
//! Open addressing with linear probing, and removal that closes the gap: a probe ends at the first empty slot, however many
//! blocks came and went. `std`'s map was twice as slow here, for its hash and for its entries.

/// A block that is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// Never zero.
    pub(super) address: u64,
    pub(super) size: u64,
    /// Counts the allocations of the ledger, so that the older of two blocks can be told.
    pub(super) sequence: u64,
    /// The span path that allocated it.
    pub(super) path: u32,
    /// The stream that it was allocated on.
    pub(super) stream: u32,
}

impl Block {
    const EMPTY: Self = Self { address: 0, size: 0, sequence: 0, path: 0, stream: 0 };
}

/// Freed blocks that a shard remembers: enough to explain a double free soon after the first.
const REMEMBERED: usize = 32;

/// A block that was freed, and who did it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Freed {
    pub(super) block: Block,
    /// The span path that freed it.
    pub(super) path: u32,
}

#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<Block>,
    count: usize,
    freed: Vec<Freed>,
    oldest: usize,
    /// What it holds was recorded while this was the state's epoch.
    pub(super) epoch: u32,
}

/// The first slots; a shard that grows doubles them.
const LEAST_SLOTS: usize = 64;

impl Table {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new(), count: 0, freed: Vec::new(), oldest: 0, epoch: 0 }
    }

    /// Adds a block; gives back the one that had this address. `Err`: there is no memory for a larger table.
    pub(super) fn insert(&mut self, block: Block) -> Result<Option<Block>, ()> {
        // At three quarters a probe that finds nothing looks at eight slots.
        if self.count * 4 >= self.slots.len() * 3 {
            self.grow()?;
        }
        let mut at = self.home(block.address);
        loop {
            let slot = &mut self.slots[at];
            if slot.address == 0 {
                *slot = block;
                self.count += 1;
                return Ok(None);
            }
            if slot.address == block.address {
                return Ok(Some(core::mem::replace(slot, block)));
            }
            at = self.after(at);
        }
    }

    /// Takes a block out.
    pub(super) fn remove(&mut self, address: u64) -> Option<Block> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.home(address);
        while self.slots[at].address != address {
            if self.slots[at].address == 0 {
                return None;
            }
            at = self.after(at);
        }
        let block = self.slots[at];
        self.close_gap(at);
        self.count -= 1;
        Some(block)
    }

    /// Moves up whoever stands behind the gap only because the gap was taken.
    fn close_gap(&mut self, mut gap: usize) {
        let mut at = self.after(gap);
        while self.slots[at].address != 0 {
            let home = self.home(self.slots[at].address);
            let mask = self.slots.len() - 1;
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.slots[gap] = self.slots[at];
                gap = at;
            }
            at = self.after(at);
        }
        self.slots[gap] = Block::EMPTY;
    }

    /// Remembers a block that was just freed.
    pub(super) fn remember(&mut self, freed: Freed) {
        if self.freed.len() < REMEMBERED {
            if self.freed.try_reserve(1).is_ok() {
                self.freed.push(freed);
            }
            return;
        }
        self.freed[self.oldest] = freed;
        self.oldest = (self.oldest + 1) % REMEMBERED;
    }

    /// The last free of this address that is remembered.
    pub(super) fn freed(&self, address: u64) -> Option<Freed> {
        let (newer, older) = (&self.freed[..self.oldest], &self.freed[self.oldest..]);
        newer.iter().rev().chain(older.iter().rev()).find(|freed| freed.block.address == address).copied()
    }

    /// The block is out again: its last free did not count.
    pub(super) fn forget_freed(&mut self, address: u64) {
        let newest = self.freed.iter_mut().filter(|freed| freed.block.address == address);
        if let Some(freed) = newest.max_by_key(|freed| freed.block.sequence) {
            freed.block.address = 0;
        }
    }

    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.slots.iter().filter(|slot| slot.address != 0)
    }

    /// Forgets everything, and keeps the room.
    pub(super) fn clear(&mut self) {
        self.slots.fill(Block::EMPTY);
        self.count = 0;
        self.freed.clear();
        self.oldest = 0;
    }

    fn grow(&mut self) -> Result<(), ()> {
        let length = (self.slots.len() * 2).max(LEAST_SLOTS);
        let mut slots = Vec::new();
        slots.try_reserve_exact(length).map_err(drop)?;
        slots.resize(length, Block::EMPTY);
        let old = core::mem::replace(&mut self.slots, slots);
        for block in old.into_iter().filter(|block| block.address != 0) {
            let mut at = self.home(block.address);
            while self.slots[at].address != 0 {
                at = self.after(at);
            }
            self.slots[at] = block;
        }
        Ok(())
    }

    fn home(&self, address: u64) -> usize {
        slot_hash(address) as usize & (self.slots.len() - 1)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }
}

/// Fibonacci hashing: addresses are multiples of 256 and come in runs.
fn hash(address: u64) -> u64 {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The highest bits choose the shard ..
pub(super) fn shard_of(address: u64, shards: usize) -> usize {
    (hash(address) >> 56) as usize & (shards - 1)
}

/// .. and others the slot in it.
fn slot_hash(address: u64) -> u64 {
    hash(address) >> 24
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn block(address: u64, size: u64) -> Block {
        Block { address, size, ..Block::EMPTY }
    }

    #[test]
    fn it_holds_what_a_hash_map_holds() {
        let mut table = Table::new();
        let mut model = HashMap::new();
        let mut random = 1_u64;
        for step in 0..200_000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Few addresses, so that they collide, return and are freed twice.
            let address = 256 * (1 + (random >> 40) % 700);
            if random >> 63 == 0 {
                let block = block(address, step);
                assert_eq!(table.insert(block), Ok(model.insert(address, block)));
            } else {
                assert_eq!(table.remove(address), model.remove(&address));
            }
        }
        let mut held: Vec<_> = table.blocks().copied().collect();
        let mut expected: Vec<_> = model.into_values().collect();
        held.sort_by_key(|block| block.address);
        expected.sort_by_key(|block| block.address);
        assert_eq!(held, expected);
        table.clear();
        assert_eq!(table.blocks().count(), 0);
    }

    #[test]
    fn the_last_frees_are_remembered_the_newest_first() {
        let mut table = Table::new();
        let frees = REMEMBERED as u64 + 3;
        for free in 1..=frees {
            table.remember(Freed { block: block(free % 40 + 1, free), path: free as u32 });
        }
        assert_eq!(table.freed(frees % 40 + 1).map(|freed| freed.path), Some(frees as u32));
        assert!(table.freed(2).is_none(), "the oldest made room");
        table.remember(Freed { block: block(5, 0), path: 99 });
        assert_eq!(table.freed(5).map(|freed| freed.path), Some(99));
    }
}
