//! The tensors' memory: a limit that counts every byte, and blocks that know which streams use them.
//! Invariant: what a tensor took it gives back, once (`what_is_taken_is_given_back_once_and_the_limit_holds`), after the last
//! kernel that uses it (`a_tensor_is_freed_after_its_last_kernel`).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use kina_observ::device::{DeviceError, DevicePtr, Event, MemoryInfo, Stream};
use kina_observ::memory::{AllocError, FreeError, MemoryResource, PoolInfo, Reason};

use crate::backend::{Opened, opened};
use crate::error::DriverError;
use crate::stream::Worker;

/// Without `KINA_RUNTIME_MEMORY_LIMIT`: less than a small machine has, so that a wrong shape is an error and not a swap storm.
const DEFAULT_LIMIT: u64 = 4 << 30;

/// A new tensor is filled with copies of it.
static ZEROS: [u8; 1 << 16] = [0; 1 << 16];

/// Where the bytes come from.
pub type Memory = Box<dyn MemoryResource>;

/// Memory of which only so much may be out.
pub struct Limited<Inner> {
    inner: Inner,
    used: AtomicU64,
}

/// The memory of a tensor.
pub struct Block {
    opened: &'static Opened,
    pointer: DevicePtr,
    bytes: usize,
    /// It is there, and zero.
    ready: Option<Event>,
    /// The streams that may still use it. One that is destroyed has ended its work.
    users: Mutex<Vec<Weak<Worker>>>,
}

impl<Inner: MemoryResource> Limited<Inner> {
    /// A limit around `inner`: `KINA_RUNTIME_MEMORY_LIMIT`.
    pub fn new(inner: Inner) -> Self {
        Self { inner, used: AtomicU64::new(0) }
    }

    /// Bytes that are out.
    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    fn allocate_below(&self, limit: u64, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        let fits = |used: u64| used.checked_add(size as u64).filter(|&sum| sum <= limit);
        if self.used.fetch_update(Relaxed, Relaxed, fits).is_err() {
            return Err(AllocError::new(Reason::Limit { limit }, self.kind(), size, stream));
        }
        let allocated = self.inner.allocate(size, stream);
        if allocated.is_err() {
            self.used.fetch_sub(size as u64, Relaxed);
        }
        allocated
    }
}

impl<Inner: MemoryResource> MemoryResource for Limited<Inner> {
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        self.allocate_below(limit().unwrap_or(DEFAULT_LIMIT), size, stream)
    }

    unsafe fn deallocate(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
        // SAFETY: the caller's promise, about the resource inside.
        unsafe { self.inner.deallocate(pointer, size, stream) }?;
        self.used.fetch_sub(size as u64, Relaxed);
        Ok(())
    }

    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        self.inner.memory_info()
    }

    fn pool_info(&self) -> Option<PoolInfo> {
        self.inner.pool_info()
    }
}

impl Block {
    /// So many bytes, all zero.
    pub fn zeros(bytes: usize) -> Result<Self, DriverError> {
        limit()?;
        let opened = opened()?;
        let stream = stream_of_memory(opened)?;
        let pointer = opened.memory.allocate(bytes, stream).map_err(|error| refused(opened, &error))?;
        // From here on dropping it frees it.
        let mut block = Self { opened, pointer, bytes, ready: None, users: Mutex::default() };
        block.fill(stream).map_err(|error| DriverError::of_stream(stream.id(), error))?;
        Ok(block)
    }

    fn fill(&mut self, stream: &Stream) -> Result<(), DeviceError> {
        for start in (0..self.bytes).step_by(ZEROS.len()) {
            let zeros = &ZEROS[..ZEROS.len().min(self.bytes - start)];
            // SAFETY: the block has `bytes` bytes, and these end where it does.
            unsafe { stream.copy_to_device(self.pointer.offset(start as u64), zeros) }?;
        }
        self.ready = Some(stream.record()?);
        Ok(())
    }

    /// How many bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Where it is, for what is enqueued on the worker's stream from now on.
    pub fn on(&self, worker: &Arc<Worker>) -> Result<DevicePtr, DeviceError> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        if !users.iter().any(|user| std::ptr::eq(user.as_ptr(), Arc::as_ptr(worker))) {
            if let Some(ready) = &self.ready
                && !ready.is_complete()?
            {
                worker.stream().wait(ready)?;
            }
            users.retain(|user| user.strong_count() > 0);
            users.push(Arc::downgrade(worker));
        }
        Ok(self.pointer)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let opened = self.opened;
        // It was allocated, so that the stream is there. What a parent allocated before a fork stays its own.
        let (true, Ok(stream)) = (opened.is_here(), stream_of_memory(opened)) else {
            std::mem::forget(self.ready.take());
            return;
        };
        let users = std::mem::take(self.users.get_mut().unwrap_or_else(PoisonError::into_inner));
        for user in users.iter().filter_map(Weak::upgrade) {
            if follow(stream, user.stream()).is_err() {
                user.drain();
            }
        }
        // SAFETY: it came from there with this size, this is its only owner, and the stream waits for all that uses it.
        let freed = unsafe { opened.memory.deallocate(self.pointer, self.bytes, stream) };
        if let Err(error) = freed {
            tracing::error!(%error, "a tensor's memory was not given back");
        }
    }
}

impl std::fmt::Debug for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Block({:#x}, {} bytes)", self.pointer.as_u64(), self.bytes)
    }
}

/// What comes later on `stream` waits for what is on `other` now. No span shall refer to this: it is our own housekeeping.
fn follow(stream: &Stream, other: &Stream) -> Result<(), DeviceError> {
    let backend = stream.device().backend();
    let event = backend.create_event()?;
    let waits = backend.record(other.raw(), event).and_then(|()| backend.wait(stream.raw(), event));
    backend.destroy_event(event);
    waits
}

/// Allocations and frees have a stream of their own, so that no kernel waits for another tensor's.
fn stream_of_memory(opened: &Opened) -> Result<&Stream, DriverError> {
    opened.stream_of_memory.get_or_init(|| opened.stream("memory")).as_ref().map_err(Clone::clone)
}

/// Waits for what is enqueued of allocations and frees, if there were any.
pub fn settle() {
    if let Ok(Some(Ok(stream))) = opened().map(|opened| opened.stream_of_memory.get()) {
        // Its copies are of our own making; there is nobody who could do something about one that failed.
        let _ = stream.synchronize();
    }
}

fn refused(opened: &Opened, error: &AllocError) -> DriverError {
    match error.reason() {
        Reason::Device(device) => DriverError::of_stream(error.stream_id(), device.clone()),
        _ => DriverError::OutOfMemory {
            requested: error.requested() as usize,
            used: opened.memory.inner().used(),
            limit: limit().unwrap_or(DEFAULT_LIMIT),
        },
    }
}

fn limit() -> Result<u64, DriverError> {
    static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
    LIMIT
        .get_or_init(|| match std::env::var_os("KINA_RUNTIME_MEMORY_LIMIT") {
            None => Some(DEFAULT_LIMIT),
            Some(text) => text.to_str()?.trim().parse().ok(),
        })
        .ok_or(DriverError::InvalidMemoryLimit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kina_observ::device::Device;
    use kina_observ::memory::AsyncMemoryResource;

    #[test]
    fn what_is_taken_is_given_back_once_and_the_limit_holds() {
        let device = Device::cpu();
        let stream = device.stream("test").expect("a thread");
        let memory = Limited::new(AsyncMemoryResource::new(&device));
        let first = memory.allocate_below(1_999, 1_000, &stream).expect("fits");
        let second = memory.allocate_below(1_999, 1_000, &stream).expect_err("two do not fit");
        assert_eq!(second.reason(), &Reason::Limit { limit: 1_999 });
        assert!(memory.allocate_below(u64::MAX, usize::MAX, &stream).is_err(), "no overflow");
        assert_eq!(memory.used(), 1_000);
        // SAFETY: it came from there, and nothing uses it.
        unsafe { memory.deallocate(first, 1_000, &stream) }.expect("it is there");
        assert_eq!(memory.used(), 0);
        // SAFETY: the device looks its blocks up, and this one is gone.
        let twice = stream.synchronize().map(|()| unsafe { memory.deallocate(first, 1_000, &stream) });
        assert!(twice.expect("nothing failed").is_err());
        assert_eq!(memory.used(), 0, "what is refused is not counted");
    }
}
