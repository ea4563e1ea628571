//! The memory of a device, allocated and freed in the order of its streams.

use super::error::{AllocError, FreeError};
use super::resource::MemoryResource;
use crate::device::{Device, DevicePtr, MemoryInfo, Stream};

/// What any device gives out; of the CPU device the memory that its kernels see. A CUDA device has one of its own,
/// `CudaAsyncMemoryResource`, which also knows the driver's pool.
///
/// ```
/// use kina_observ::device::Device;
/// use kina_observ::memory::{AsyncMemoryResource, MemoryResource};
///
/// let device = Device::cpu();
/// let stream = device.stream("main")?;
/// let memory = AsyncMemoryResource::new(&device);
/// let block = memory.allocate(4_096, &stream)?;
/// // SAFETY: the block is this resource's, with this size, and nothing uses it.
/// unsafe { memory.deallocate(block, 4_096, &stream)? };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct AsyncMemoryResource {
    device: Device,
}

impl AsyncMemoryResource {
    /// The memory of `device`. The streams that it is used with are this device's.
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone() }
    }
}

impl MemoryResource for AsyncMemoryResource {
    fn allocate(&self, size: usize, stream: &Stream) -> Result<DevicePtr, AllocError> {
        if size == 0 {
            return Ok(DevicePtr::NULL);
        }
        stream.allocate(size).map_err(|error| AllocError::of_device(error, self.kind(), size, stream))
    }

    unsafe fn deallocate(&self, pointer: DevicePtr, _: usize, stream: &Stream) -> Result<(), FreeError> {
        if pointer.is_null() {
            return Ok(());
        }
        // SAFETY: the pointer came from `allocate`, thus from the stream's device; the rest is the caller's promise.
        unsafe { stream.free(pointer) }.map_err(FreeError::of_device)
    }

    fn kind(&self) -> &'static str {
        "device_async"
    }

    fn memory_info(&self) -> Option<MemoryInfo> {
        self.device.memory_info()
    }
}
