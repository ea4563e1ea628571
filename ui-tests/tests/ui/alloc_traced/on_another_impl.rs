//! Implementations that are none of a memory resource, and arguments that an implementation does not take.

use kina_observ::alloc_traced;
use kina_observ::device::{DevicePtr, Stream};
use kina_observ::memory::{AllocError, FreeError, Ledger, MemoryResource};

static ARENA: Ledger = Ledger::new("arena");

struct Arena;

#[alloc_traced]
impl Clone for Arena {
    fn clone(&self) -> Self {
        Self
    }
}

#[alloc_traced]
impl Arena {
    fn take(&self, size: usize) -> *mut u8 {
        std::ptr::null_mut::<u8>().wrapping_add(size)
    }
}

#[alloc_traced(size = 3, resource = "arena", ledger = ARENA)]
impl MemoryResource for Arena {
    fn allocate(&self, _: usize, _: &Stream) -> Result<DevicePtr, AllocError> {
        Ok(DevicePtr::NULL)
    }

    unsafe fn deallocate(&self, _: DevicePtr, _: usize, _: &Stream) -> Result<(), FreeError> {
        Ok(())
    }
}

fn main() {
    Arena.clone().take(3);
}
