//! The resource that keeps a ledger of what passes through it.

use std::sync::Arc;

use super::book::Book;
use super::error::{AllocError, FreeError};
use super::fault::FreeFault;
use super::leaks::Leaks;
use super::ledger::{self, recording};
use super::resource::{MemoryResource, PoolInfo};
use super::state::State;
use super::stats::{self, PathStats, ResourceStats};
use super::{failure, leaks, registry, sites};
use crate::device::{DevicePtr, MemoryInfo, Stream};
use crate::gate;

/// Passes everything on to another resource and keeps a ledger of it: live, peak, total, count and failures, by span path.
///
/// It changes nothing about what the program does: at every level the resource inside gets the same calls and its answers are
/// given back. Only the text of an [`AllocError`] says more while the level is not off.
///
/// ```
/// use kina_observ::Level;
/// use kina_observ::device::Device;
/// use kina_observ::memory::{HostMemoryResource, MemoryResource, PoolMemoryResource, TracingMemoryResource};
///
/// let _guard = kina_observ::builder().level(Level::Basic).init()?;
/// let stream = Device::cpu().stream("main")?;
/// let memory = TracingMemoryResource::new(PoolMemoryResource::new(HostMemoryResource::new()));
///
/// let block = memory.allocate(1_000, &stream)?;
/// assert_eq!(memory.stats().live, 1_000);
/// // SAFETY: the block is this resource's, with this size, and nothing uses it.
/// unsafe { memory.deallocate(block, 1_000, &stream)? };
/// assert!(memory.leaks().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TracingMemoryResource<Inner> {
    inner: Inner,
    book: Arc<Book>,
}

impl<Inner: MemoryResource> TracingMemoryResource<Inner> {
    /// A ledger around `inner`.
    pub fn new(inner: Inner) -> Self {
        // As the first call of a process does: a ledger that begins after that sees everything.
        let _ = recording();
        let book = Arc::new(Book::new(inner.kind(), State::now().birth().unwrap_or(0)));
        book.use_slot();
        registry::add(&book);
        Self { inner, book }
    }

    /// The resource inside.
    pub fn inner(&self) -> &Inner {
        &self.inner
    }

    /// What passed through it so far.
    pub fn stats(&self) -> ResourceStats {
        ResourceStats::of(&self.book)
    }

    /// The same by span path, the largest holders first; empty with [`Detail::Totals`](super::Detail::Totals).
    pub fn paths(&self) -> Vec<PathStats> {
        stats::paths_of(&self.book)
    }

    /// The last 64 frees that cannot be right, the newest last.
    pub fn faults(&self) -> Vec<FreeFault> {
        stats::faults_of(&self.book)
    }

    /// What is out now.
    pub fn leaks(&self) -> Leaks {
        leaks::of(&self.book)
    }

    // Functions of their own, so that at Off no register is saved for them.
    #[inline(never)]
    fn allocate_on(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        let Some(state) = recording() else { return self.inner.allocate(size, stream) };
        let result = sites::allocation(self.book.resource, size, stream, || self.inner.allocate(size, stream));
        match result {
            Ok(pointer) => {
                self.book.allocated(state, pointer.as_u64(), size as u64, Some(stream));
                Ok(pointer)
            }
            Err(error) => Err(self.explain(state, error, stream)),
        }
    }

    /// # Safety
    /// That of `deallocate`.
    #[inline(never)]
    unsafe fn free_on(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
        let inner = || {
            // SAFETY: the caller's promise.
            unsafe { self.inner.deallocate(pointer, size, stream) }
        };
        let Some(state) = recording() else { return inner() };
        // In a box it is one word: otherwise the words of an error that is not there are copied from hand to hand, and that costs
        // more than all the rest.
        let thin = || inner().map_err(Box::new);
        let inside = || sites::free(self.book.resource, size, stream, thin);
        match ledger::free(&self.book, state, pointer.as_u64(), size as u64, Some(stream), inside) {
            Ok(()) => Ok(()),
            Err(error) => Err(*error),
        }
    }

    #[cold]
    fn explain(&self, state: State, error: AllocError, stream: &Stream) -> AllocError {
        failure::explain(&self.book, state, error, stream, self.inner.memory_info(), self.inner.pool_info())
    }
}

impl<Inner: MemoryResource> MemoryResource for TracingMemoryResource<Inner> {
    #[inline]
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        if gate::is_on() { self.allocate_on(size, stream) } else { self.inner.allocate(size, stream) }
    }

    #[inline]
    unsafe fn deallocate(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
        if gate::is_on() {
            // SAFETY: the caller's promise.
            unsafe { self.free_on(pointer, size, stream) }
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.inner.deallocate(pointer, size, stream) }
        }
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

impl<Inner> Drop for TracingMemoryResource<Inner> {
    fn drop(&mut self) {
        self.book.give_slot_back();
        registry::retire(&self.book);
    }
}
