//! What gives out memory: the trait, and how resources stack.

use std::sync::Arc;

use super::error::{AllocError, FreeError};
use crate::device::{DevicePtr, MemoryInfo, Stream};

/// Something that gives out memory in the order of a stream. Resources stack: a pool takes its memory from another resource,
/// and [`TracingMemoryResource`](super::TracingMemoryResource) keeps a ledger of what passes through it.
///
/// An allocation of zero bytes may give a null pointer; freeing a null pointer does nothing. A block that is still out when
/// its resource is dropped may be gone with it.
pub trait MemoryResource: Send + Sync {
    /// Gives out `size` bytes, for use by what is enqueued on `stream` from now on.
    ///
    /// # Errors
    /// There is no memory, or the device refuses.
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError>;

    /// Takes a block back, once what is enqueued on `stream` so far has run.
    ///
    /// # Errors
    /// The block is not the resource's, or the device refuses; it is where it was.
    ///
    /// # Safety
    /// `pointer` came from this resource with this `size`, it is freed once, and neither the host nor anything enqueued later, on
    /// any stream, uses it.
    unsafe fn deallocate(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError>;

    /// What it is called in traces: `runtime.alloc.resource`.
    fn kind(&self) -> &'static str {
        "custom"
    }

    /// How much memory there is below; `None`: ask the stream's device.
    fn memory_info(&self) -> Option<MemoryInfo> {
        None
    }

    /// What a pool has; `None`: it is none.
    fn pool_info(&self) -> Option<PoolInfo> {
        None
    }
}

/// What a pool has taken from below, and how much of it is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolInfo {
    /// Bytes taken from below.
    pub reserved: u64,
    /// Bytes of them that are out, rounded up to the pool's blocks.
    pub used: u64,
    /// The largest allocation that needs nothing more from below.
    pub largest_free: u64,
}

macro_rules! pass_on {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> MemoryResource for $type {
            #[inline]
            fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
                (**self).allocate(size, stream)
            }

            #[inline]
            unsafe fn deallocate(&self, pointer: DevicePtr, size: usize, stream: &Stream) -> Result<(), FreeError> {
                // SAFETY: the caller's promise, about the resource inside.
                unsafe { (**self).deallocate(pointer, size, stream) }
            }

            fn kind(&self) -> &'static str {
                (**self).kind()
            }

            fn memory_info(&self) -> Option<MemoryInfo> {
                (**self).memory_info()
            }

            fn pool_info(&self) -> Option<PoolInfo> {
                (**self).pool_info()
            }
        }
    )*};
}

pass_on! {
    ['a, R: MemoryResource + ?Sized] &'a R;
    [R: MemoryResource + ?Sized] Arc<R>;
    [R: MemoryResource + ?Sized] Box<R>;
}
