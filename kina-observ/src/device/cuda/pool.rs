//! The driver's pool of a device's memory: whose streams use it, and how much it has.

use core::any::Any;
use std::sync::Arc;

use cudarc::driver::{result, sys};

use super::backend::{Cuda, Shared};
use super::error::unavailable;
use crate::device::{Device, DeviceError, Stream};

/// The pool that a device allocates from.
pub(crate) struct Pool(Arc<Shared>);

impl Pool {
    /// The pool of a CUDA device.
    pub(crate) fn of(device: &Device) -> Result<Self, DeviceError> {
        let shared = shared(device).ok_or_else(|| {
            unavailable(format!("{} has no CUDA memory", device.name()), "pass what `Device::cuda` gives")
        })?;
        Ok(Self(Arc::clone(shared)))
    }

    /// Refuses a stream of another device, where the memory would not be.
    pub(crate) fn serves(&self, stream: &Stream) -> Result<(), DeviceError> {
        match shared(stream.device()) {
            Some(shared) if Arc::ptr_eq(shared, &self.0) => Ok(()),
            _ => Err(DeviceError::Unknown { what: "stream" }),
        }
    }

    /// Bytes that the pool has from the device, and those of them that are out; `None`: the driver does not say.
    pub(crate) fn reserved_and_used(&self) -> Option<(u64, u64)> {
        self.0.bind().ok()?;
        // SAFETY: the context has a device.
        let pool = unsafe { result::device::get_default_mem_pool(self.0.context.cu_device()) }.ok()?;
        let reserved = attribute(pool, sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        let used = attribute(pool, sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
        Some((reserved, used))
    }
}

fn attribute(pool: sys::CUmemoryPool, attribute: sys::CUmemPool_attribute) -> Option<u64> {
    let mut value = 0_u64;
    // SAFETY: the pool is a device's own, which lives as long as the driver, and the place takes the 64 bits of this attribute.
    unsafe { result::mem_pool::get_attribute(pool, attribute, (&raw mut value).cast()) }.ok()?;
    Some(value)
}

fn shared(device: &Device) -> Option<&Arc<Shared>> {
    let backend: &dyn Any = device.backend();
    backend.downcast_ref::<Cuda>().map(|cuda| &cuda.0)
}
