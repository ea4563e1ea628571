//! The memory of the CPU device: addresses are numbers that are never given out twice, so a stray one is found.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::device::{DeviceError, DevicePtr, MemoryInfo};

/// As CUDA aligns.
const ALIGNMENT: u64 = 256;

type Block = Arc<Mutex<Vec<u8>>>;

pub(super) struct Memory {
    limit: u64,
    state: Mutex<State>,
}

struct State {
    used: u64,
    next: u64,
    blocks: BTreeMap<u64, Block>,
}

impl Memory {
    pub(super) fn new(limit: u64) -> Self {
        Self { limit, state: Mutex::new(State { used: 0, next: ALIGNMENT, blocks: BTreeMap::new() }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn allocate(&self, size: usize) -> Result<DevicePtr, DeviceError> {
        let requested = size as u64;
        let mut state = self.state();
        let out_of_memory = DeviceError::OutOfMemory { requested, free: self.limit - state.used, total: self.limit };
        if requested > self.limit - state.used {
            return Err(out_of_memory);
        }
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(size).is_err() {
            return Err(out_of_memory);
        }
        bytes.resize(size, 0);
        let address = state.next;
        state.next += requested.max(1).next_multiple_of(ALIGNMENT);
        state.used += requested;
        state.blocks.insert(address, Arc::new(Mutex::new(bytes)));
        Ok(DevicePtr::new(address))
    }

    pub(super) fn must_start_at(&self, pointer: DevicePtr) -> Result<(), DeviceError> {
        let known = self.state().blocks.contains_key(&pointer.as_u64());
        if known { Ok(()) } else { Err(invalid("free", pointer)) }
    }

    pub(super) fn free(&self, pointer: DevicePtr) -> Result<(), DeviceError> {
        let mut state = self.state();
        let block = state.blocks.remove(&pointer.as_u64()).ok_or_else(|| invalid("free", pointer))?;
        state.used -= block.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
        Ok(())
    }

    pub(super) fn info(&self) -> Option<MemoryInfo> {
        // Without a limit the total would be a number that means nothing.
        (self.limit < u64::MAX).then(|| MemoryInfo { free: self.limit - self.state().used, total: self.limit })
    }

    /// Hands `length` bytes at `pointer` to `touch`.
    pub(super) fn with<R>(
        &self,
        by: &str,
        pointer: DevicePtr,
        length: usize,
        touch: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R, DeviceError> {
        let address = pointer.as_u64();
        let (start, block) = {
            let state = self.state();
            let found = state.blocks.range(..=address).next_back();
            found.map(|(start, block)| (*start, block.clone())).ok_or_else(|| invalid(by, pointer))?
        };
        let mut bytes = block.lock().unwrap_or_else(PoisonError::into_inner);
        let from = usize::try_from(address - start).unwrap_or(usize::MAX);
        let range = from..from.saturating_add(length);
        bytes.get_mut(range).map(touch).ok_or_else(|| invalid(by, pointer))
    }
}

fn invalid(by: &str, pointer: DevicePtr) -> DeviceError {
    DeviceError::InvalidAddress { by: by.to_owned(), address: pointer.as_u64() }
}
