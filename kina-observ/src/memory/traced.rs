//! The resource that keeps a ledger of what passes through it.

use std::sync::Arc;

use super::book::Book;
use super::error::{AllocError, FreeError};
use super::fault::FreeFault;
use super::leaks::Leaks;
use super::ledger::{self, recording};
use super::resource::{MemoryResource, PoolInfo};
use super::state::{Detail, State};
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

    // Functions of their own, so that at Off no register is saved for them, and with totals none for what spans need.
    #[inline(never)]
    fn allocate_on(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        let state = State::now();
        if state.detail() != Some(Detail::Totals) || sites::wants_allocations() {
            return self.allocate_in_span(size, stream);
        }
        let result = self.inner.allocate(size, stream);
        match &result {
            Ok(pointer) if self.book.add_total(state, pointer.as_u64(), size as u64) => result,
            _ => self.allocated(state, result, size, stream),
        }
    }

    #[inline(never)]
    fn allocate_in_span(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        let Some(state) = recording() else { return self.inner.allocate(size, stream) };
        let result = sites::allocation(self.book.resource, size, stream, || self.inner.allocate(size, stream));
        self.allocated(state, result, size, stream)
    }

    fn allocated(
        &self,
        state: State,
        result: Result<DevicePtr, AllocError>,
        size: usize,
        stream: &Stream,
    ) -> Result<DevicePtr, AllocError> {
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
        let state = State::now();
        let totals = state.detail() == Some(Detail::Totals) && !sites::wants_frees();
        if !totals || !self.book.take_total(state, pointer.as_u64(), size as u64) {
            // SAFETY: the caller's promise.
            return unsafe { self.free_in_span(pointer, size, stream) };
        }
        // SAFETY: the caller's promise.
        let result = unsafe { self.inner.deallocate(pointer, size, stream) };
        if result.is_err() {
            self.book.put_total_back(size as u64);
        }
        result
    }

    /// # Safety
    /// That of `deallocate`.
    #[inline(never)]
    unsafe fn free_in_span(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
        let inner = || {
            // SAFETY: the caller's promise.
            unsafe { self.inner.deallocate(pointer, size, stream) }
        };
        let Some(state) = recording() else { return inner() };
        let inside = || sites::free(self.book.resource, size, stream, inner);
        ledger::free(&self.book, state, pointer.as_u64(), size as u64, Some(stream), inside)
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
