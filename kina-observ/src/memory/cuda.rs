//! Memory of a CUDA device, in the order of its streams.

use core::fmt;

use super::error::{AllocError, FreeError, FreeReason};
use super::resource::{MemoryResource, PoolInfo};
use crate::device::cuda::{INVALID_VALUE, Pool};
use crate::device::{Device, DeviceError, DevicePtr, MemoryInfo, Stream};

/// Memory of a CUDA device from the driver's own pool: a block is there, and gone, in the order of the stream that it is asked on.
///
/// ```no_run
/// use kina_observ::device::Device;
/// use kina_observ::memory::{CudaAsyncMemoryResource, MemoryResource, TracingMemoryResource};
///
/// let device = Device::cuda(0)?;
/// let stream = device.stream("main")?;
/// let memory = TracingMemoryResource::new(CudaAsyncMemoryResource::new(&device)?);
/// let block = memory.allocate(1 << 20, &stream)?;
/// // SAFETY: the block is this resource's, with this size, and nothing uses it.
/// unsafe { memory.deallocate(block, 1 << 20, &stream)? };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CudaAsyncMemoryResource {
    device: Device,
    pool: Pool,
}

impl CudaAsyncMemoryResource {
    /// The memory of this device.
    ///
    /// # Errors
    /// It is no CUDA device.
    pub fn new(device: &Device) -> Result<Self, DeviceError> {
        Ok(Self { device: device.clone(), pool: Pool::of(device)? })
    }
}

impl MemoryResource for CudaAsyncMemoryResource {
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        if size == 0 {
            return Ok(DevicePtr::NULL);
        }
        let pointer = self.pool.serves(stream).and_then(|()| stream.allocate(size));
        pointer.map_err(|error| AllocError::of_device(error, self.kind(), size, stream))
    }

    unsafe fn deallocate(&self, pointer: DevicePtr, _: usize, stream: &Stream) -> Result<(), FreeError> {
        if pointer.is_null() {
            return Ok(());
        }
        self.pool.serves(stream).map_err(FreeError::of_device)?;
        // SAFETY: the caller's promise.
        match unsafe { stream.free(pointer) } {
            // What the driver says of a pointer that it has not given out, or has back.
            Err(DeviceError::Driver { code: INVALID_VALUE, .. }) => {
                Err(FreeError::new(FreeReason::Unknown { resource: self.kind(), pointer }))
            }
            freed => freed.map_err(FreeError::of_device),
        }
    }

    fn kind(&self) -> &'static str {
        "cuda_async"
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        self.device.memory_info()
    }

    fn pool_info(&self) -> Option<PoolInfo> {
        let (reserved, used) = self.pool.reserved_and_used()?;
        // The driver does not say more. It may remap its pages, so that all of it can be one piece.
        Some(PoolInfo { reserved, used, largest_free: reserved.saturating_sub(used) })
    }
}

impl fmt::Debug for CudaAsyncMemoryResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CudaAsyncMemoryResource({})", self.device.name())
    }
}
