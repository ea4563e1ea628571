//! A pool: large chunks from the resource below, cut into blocks, and joined again when they come back.
//! Invariant: what it took from below goes back when it is dropped (`everything_goes_back_below`).

mod chunks;
mod regions;

use std::sync::{Mutex, MutexGuard, PoisonError};

use chunks::Chunks;

use super::error::{AllocError, FreeError, Reason};
use super::resource::{MemoryResource, PoolInfo};
use crate::device::{DevicePtr, MemoryInfo, Stream};

/// Blocks are multiples of this, so that each begins where CUDA's would.
const GRAIN: u64 = 256;

/// How a pool grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolConfig {
    /// Bytes taken from below with the first allocation.
    pub initial: u64,
    /// The least that is taken when the pool is too small. It takes as much as it has, if there is that much: it doubles.
    pub least_growth: u64,
    /// Bytes that it has at most; `None`: as many as there are below.
    pub limit: Option<u64>,
}

impl Default for PoolConfig {
    /// Begins with 1 MiB and doubles, without a limit.
    fn default() -> Self {
        Self { initial: 1 << 20, least_growth: 1 << 20, limit: None }
    }
}

/// Gives out parts of large chunks, which it keeps until it is dropped: the best fit, joined with its neighbours when freed.
///
/// A block that was freed on one stream is free on that stream at once. Another stream may have it too; it is made to wait for
/// what the first has enqueued so far, on the device and not on the host. While a stream is capturing, it gets what was free
/// on it, or new memory.
#[derive(Debug)]
pub struct PoolMemoryResource<Inner: MemoryResource> {
    inner: Inner,
    config: PoolConfig,
    state: Mutex<Chunks>,
}

impl<Inner: MemoryResource> PoolMemoryResource<Inner> {
    /// A pool that grows as [`PoolConfig::default`] says.
    pub fn new(inner: Inner) -> Self {
        Self::with_config(inner, PoolConfig::default())
    }

    /// A pool that grows as `config` says.
    pub fn with_config(inner: Inner, config: PoolConfig) -> Self {
        Self { inner, config, state: Mutex::default() }
    }

    /// The resource below.
    pub fn inner(&self) -> &Inner {
        &self.inner
    }

    fn state(&self) -> MutexGuard<'_, Chunks> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a chunk with room for `size` bytes from below: as much as the pool has, or half of that, and so on.
    fn grow(&self, chunks: &mut Chunks, size: u64, stream: &Stream) -> Result<(), AllocError> {
        let reserved = chunks.reserved();
        let first = if reserved == 0 { self.config.initial } else { reserved };
        let mut wanted = size.max(first).max(self.config.least_growth).next_multiple_of(GRAIN);
        if let Some(limit) = self.config.limit {
            let left = limit.saturating_sub(reserved) / GRAIN * GRAIN;
            if left < size {
                return Err(AllocError::new(Reason::Limit { limit }, self.kind(), size as usize, stream));
            }
            wanted = wanted.min(left);
        }
        loop {
            let chunk = usize::try_from(wanted).unwrap_or(usize::MAX);
            match self.inner.allocate(chunk, stream) {
                Ok(pointer) => {
                    chunks.add(pointer.as_u64(), wanted, stream);
                    return Ok(());
                }
                Err(error) if wanted == size => return Err(error),
                Err(_) => wanted = (wanted / 2).max(size).next_multiple_of(GRAIN),
            }
        }
    }
}

impl<Inner: MemoryResource> MemoryResource for PoolMemoryResource<Inner> {
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        if size == 0 {
            return Ok(DevicePtr::NULL);
        }
        let requested = size as u64;
        let Some(grains) = requested.checked_next_multiple_of(GRAIN).filter(|size| *size <= i64::MAX as u64) else {
            return Err(AllocError::new(Reason::TooLarge, self.kind(), size, stream));
        };
        let mut chunks = self.state();
        if let Some(address) = chunks.take(grains, requested, stream) {
            return Ok(DevicePtr::new(address));
        }
        let grown = self.grow(&mut chunks, grains, stream);
        if grown.is_err() && chunks.free() >= grains {
            // What lies in pieces on several streams may be one piece on this one.
            chunks.gather(stream);
        }
        match (chunks.take(grains, requested, stream), grown) {
            (Some(address), _) => Ok(DevicePtr::new(address)),
            // Said of the block that was asked for, not of the chunk.
            (None, Err(error)) => Err(AllocError::new(error.reason().clone(), self.kind(), size, stream)),
            (None, Ok(())) => Err(AllocError::new(Reason::OutOfMemory, self.kind(), size, stream)),
        }
    }

    unsafe fn deallocate(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
        if pointer.is_null() {
            return Ok(());
        }
        self.state().give(self.kind(), pointer, size as u64, stream)
    }

    fn kind(&self) -> &'static str {
        "pool"
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        self.inner.memory_info()
    }

    fn pool_info(&self) -> Option<PoolInfo> {
        Some(self.state().info())
    }
}

impl<Inner: MemoryResource> Drop for PoolMemoryResource<Inner> {
    fn drop(&mut self) {
        let chunks = core::mem::take(&mut *self.state());
        chunks.wait_for_all();
        for (pointer, size, stream) in chunks.into_chunks() {
            // An error would be the resource's own; there is nobody left to tell.
            // SAFETY: the chunk came from `inner` with this size. Its stream waits for all that the pool knows of, and blocks that
            // are still out may not be used after their resource, which `MemoryResource` says.
            let _ = unsafe { self.inner.deallocate(pointer, size, &stream) };
        }
    }
}
