//! The device as a whole.

use kina_observ::ffi_span;

use crate::backend::opened;
use crate::error::DriverError;
use crate::fault;
use crate::memory;
use crate::stream;

/// How many devices there are: one, the CPU or the GPU that was chosen.
#[ffi_span(export = "runtime_device_count")]
pub fn device_count() -> Result<i32, DriverError> {
    fault::point("runtime_device_count");
    opened()?;
    Ok(1)
}

/// Waits for all work of every stream. Reports the first failure; the others stay for the next call.
#[ffi_span(export = "runtime_device_synchronize")]
pub fn device_synchronize() -> Result<(), DriverError> {
    fault::point("runtime_device_synchronize");
    let workers = stream::workers();
    // All of them, although the first may have failed: the caller is promised that nothing runs any more.
    workers.iter().for_each(|worker| worker.drain());
    memory::settle();
    workers.iter().try_for_each(|worker| worker.failed())
}
