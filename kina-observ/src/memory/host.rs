//! The host's own memory.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::{AllocError, FreeError, FreeReason, Reason};
use super::resource::MemoryResource;
use crate::device::{DevicePtr, MemoryInfo, Stream};

/// As CUDA aligns, so that code for either sees the same.
const ALIGNMENT: usize = 256;

/// Memory of the host, from Rust's allocator, aligned to 256 bytes: an address is a pointer that the host may use.
///
/// It knows its blocks, so that a stray pointer is an error and nothing worse. A limit makes it run out on purpose.
/// Blocks that are out when it is dropped stay allocated.
#[derive(Debug, Default)]
pub struct HostMemoryResource {
    limit: Option<u64>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    used: u64,
    blocks: HashMap<u64, Layout>,
}

impl HostMemoryResource {
    /// As much as the operating system gives.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most `bytes` at once.
    pub fn with_limit(bytes: u64) -> Self {
        Self { limit: Some(bytes), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MemoryResource for HostMemoryResource {
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        let refused = |reason| AllocError::new(reason, self.kind(), size, stream);
        if size == 0 {
            return Ok(DevicePtr::NULL);
        }
        let layout = Layout::from_size_align(size, ALIGNMENT).map_err(|_| refused(Reason::TooLarge))?;
        let mut state = self.state();
        if let Some(limit) = self.limit.filter(|limit| size as u64 > limit - state.used) {
            return Err(refused(Reason::Limit { limit }));
        }
        if state.blocks.try_reserve(1).is_err() {
            return Err(refused(Reason::OutOfMemory));
        }
        // SAFETY: the layout's size is not zero.
        let pointer = unsafe { alloc(layout) };
        if pointer.is_null() {
            return Err(refused(Reason::OutOfMemory));
        }
        // The host will make a pointer of it again.
        let address = pointer.expose_provenance() as u64;
        state.used += size as u64;
        state.blocks.insert(address, layout);
        Ok(DevicePtr::new(address))
    }

    unsafe fn deallocate(&self, pointer: DevicePtr, size: usize, _: &Stream) -> Result<(), FreeError> {
        if pointer.is_null() {
            return Ok(());
        }
        let mut state = self.state();
        let resource = self.kind();
        let Some(&layout) = state.blocks.get(&pointer.as_u64()) else {
            return Err(FreeError::new(FreeReason::Unknown { resource, pointer }));
        };
        if layout.size() != size {
            let (allocated, passed) = (layout.size() as u64, size as u64);
            return Err(FreeError::new(FreeReason::SizeMismatch { resource, pointer, allocated, passed }));
        }
        state.blocks.remove(&pointer.as_u64());
        state.used -= size as u64;
        // SAFETY: `allocate` got it with this layout, and it was taken out of the blocks just now. Nobody uses it: the caller's
        // promise.
        unsafe { dealloc(core::ptr::with_exposed_provenance_mut(pointer.as_u64() as usize), layout) };
        Ok(())
    }

    fn kind(&self) -> &'static str {
        "host"
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        let total = self.limit?;
        Some(MemoryInfo { free: total - self.state().used, total })
    }
}
