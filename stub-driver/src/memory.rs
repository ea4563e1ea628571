//! Device memory under a cap: addresses that no host pointer has, and never the same one twice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::codes::Code;

/// Device addresses start where no process has memory of its own, so that a host that dereferences one dies as it would with a GPU.
const FIRST: u64 = 0x7_0000_0000_0000;
/// What `cuMemAlloc` promises.
const ALIGNMENT: u64 = 256;

pub(crate) struct Memory {
    total: u64,
    blocks: Mutex<Blocks>,
}

struct Blocks {
    next: u64,
    used: u64,
    peak: u64,
    live: BTreeMap<u64, Block>,
}

struct Block {
    bytes: u64,
    /// Atomics, because kernels of two streams may race here as they may on a device.
    words: Arc<[AtomicU32]>,
    /// A free was called; it happens when the stream gets there.
    freed: bool,
}

impl Memory {
    pub(crate) fn new(total: u64) -> Self {
        Self { total, blocks: Mutex::new(Blocks { next: FIRST, used: 0, peak: 0, live: BTreeMap::new() }) }
    }

    /// Free and total bytes.
    pub(crate) fn info(&self) -> (u64, u64) {
        (self.total - self.lock().used, self.total)
    }

    /// Used bytes, now and at most.
    pub(crate) fn used(&self) -> (u64, u64) {
        let blocks = self.lock();
        (blocks.used, blocks.peak)
    }

    pub(crate) fn allocate(&self, bytes: u64) -> Result<u64, Code> {
        if bytes == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let mut blocks = self.lock();
        if bytes > self.total - blocks.used {
            return Err(Code::OUT_OF_MEMORY);
        }
        let address = blocks.next;
        // A gap of one unit behind each block, so that writing past its end is found.
        blocks.next += bytes.next_multiple_of(ALIGNMENT) + ALIGNMENT;
        blocks.used += bytes;
        blocks.peak = blocks.peak.max(blocks.used);
        let words = (0..bytes.div_ceil(4)).map(|_| AtomicU32::new(0)).collect();
        blocks.live.insert(address, Block { bytes, words, freed: false });
        Ok(address)
    }

    /// A free is called: the bytes count as free, the block stays for what the stream still has to do.
    pub(crate) fn promise_free(&self, address: u64) -> Result<(), Code> {
        let mut blocks = self.lock();
        let block = blocks.live.get_mut(&address).filter(|block| !block.freed).ok_or(Code::INVALID_VALUE)?;
        block.freed = true;
        let bytes = block.bytes;
        blocks.used -= bytes;
        Ok(())
    }

    /// The stream got to the free.
    pub(crate) fn free(&self, address: u64) {
        self.lock().live.remove(&address);
    }

    /// `length` bytes from `address` on, which must lie in one block.
    pub(crate) fn view(&self, address: u64, length: u64) -> Result<View, Code> {
        let blocks = self.lock();
        let (start, block) = blocks.live.range(..=address).next_back().ok_or(Code::ILLEGAL_ADDRESS)?;
        let offset = address - start;
        if offset.checked_add(length).is_none_or(|end| end > block.bytes) {
            return Err(Code::ILLEGAL_ADDRESS);
        }
        Ok(View { words: Arc::clone(&block.words), offset: offset as usize, length: length as usize })
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stretch of a block.
pub(crate) struct View {
    words: Arc<[AtomicU32]>,
    offset: usize,
    length: usize,
}

impl View {
    pub(crate) fn float(&self, index: usize) -> f32 {
        f32::from_bits(self.words[self.offset / 4 + index].load(Ordering::Relaxed))
    }

    pub(crate) fn set_float(&self, index: usize, value: f32) {
        self.words[self.offset / 4 + index].store(value.to_bits(), Ordering::Relaxed);
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        (self.offset..self.offset + self.length)
            .map(|at| self.words[at / 4].load(Ordering::Relaxed).to_le_bytes()[at % 4])
            .collect()
    }

    pub(crate) fn set_bytes(&self, bytes: &[u8]) {
        for (at, byte) in (self.offset..self.offset + self.length).zip(bytes) {
            let word = &self.words[at / 4];
            let mut value = word.load(Ordering::Relaxed).to_le_bytes();
            value[at % 4] = *byte;
            word.store(u32::from_le_bytes(value), Ordering::Relaxed);
        }
    }
}
