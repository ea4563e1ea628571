//! The free memory of one stream in a pool: found by size, joined by address.
//! Invariant: no two regions touch, and each is in both orders (`regions_join_and_split`).

use std::collections::{BTreeMap, BTreeSet};

/// Regions of one stream. Those of different chunks never touch: a chunk's bounds are kept apart by the pool.
#[derive(Debug, Default)]
pub(super) struct Regions {
    by_address: BTreeMap<u64, u64>,
    by_size: BTreeSet<(u64, u64)>,
}

impl Regions {
    pub(super) fn is_empty(&self) -> bool {
        self.by_address.is_empty()
    }

    /// The smallest region that has `size` bytes; what it has more stays.
    pub(super) fn take(&mut self, size: u64) -> Option<u64> {
        let &(found, address) = self.by_size.range((size, 0)..).next()?;
        self.remove(address, found);
        if found > size {
            self.insert(address + size, found - size);
        }
        Some(address)
    }

    /// Takes a region back and joins it with its neighbours, except across `borders`.
    pub(super) fn give(&mut self, mut address: u64, mut size: u64, is_border: impl Fn(u64) -> bool) {
        if let Some((&after, &length)) = self.by_address.range(address + size..).next()
            && after == address + size
            && !is_border(after)
        {
            self.remove(after, length);
            size += length;
        }
        if let Some((&before, &length)) = self.by_address.range(..address).next_back()
            && before + length == address
            && !is_border(address)
        {
            self.remove(before, length);
            address = before;
            size += length;
        }
        self.insert(address, size);
    }

    pub(super) fn largest(&self) -> u64 {
        self.by_size.last().map_or(0, |&(size, _)| size)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.by_address.iter().map(|(&address, &size)| (address, size))
    }

    fn insert(&mut self, address: u64, size: u64) {
        self.by_address.insert(address, size);
        self.by_size.insert((size, address));
    }

    fn remove(&mut self, address: u64, size: u64) {
        self.by_address.remove(&address);
        self.by_size.remove(&(size, address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_join_and_split() {
        let mut regions = Regions::default();
        regions.give(1_024, 1_024, |_| false);
        regions.give(4_096, 256, |_| false);
        // The smallest that fits, and its front.
        assert_eq!(regions.take(256), Some(4_096));
        assert_eq!(regions.take(512), Some(1_024));
        assert_eq!(regions.all().collect::<Vec<_>>(), [(1_536, 512)]);
        assert_eq!(regions.take(513), None);
        // Before, behind, and into a gap.
        regions.give(2_304, 256, |_| false);
        regions.give(1_024, 512, |_| false);
        regions.give(2_048, 256, |_| false);
        assert_eq!(regions.all().collect::<Vec<_>>(), [(1_024, 1_536)]);
        assert_eq!((regions.largest(), regions.by_size.len()), (1_536, 1));
    }

    #[test]
    fn regions_do_not_join_across_a_border() {
        let mut regions = Regions::default();
        regions.give(0, 512, |at| at == 512);
        regions.give(512, 512, |at| at == 512);
        assert_eq!(regions.all().count(), 2);
    }
}
