//! The driver's codes as our errors. No text comes from the driver, which may be the thing that is broken.

use cudarc::driver::{DriverError, sys};

use crate::device::DeviceError;

pub(super) fn unavailable(what: String, help: &'static str) -> DeviceError {
    DeviceError::Unavailable { what, help: help.into() }
}

/// `call` failed.
pub(super) fn failed(call: &'static str) -> impl FnOnce(DriverError) -> DeviceError {
    move |error| {
        let code = error.0;
        // The derived `Debug` of the code is its name; that of `DriverError` would ask the driver.
        DeviceError::Driver { call, code: code as i32, name: format!("{code:?}").into(), help: help(code).into() }
    }
}

/// What happened, in words, and what to do.
fn help(code: sys::CUresult) -> &'static str {
    use sys::CUresult as C;
    match code {
        C::CUDA_ERROR_INVALID_VALUE => "an argument is not what the driver takes: check sizes, the grid, and the block",
        C::CUDA_ERROR_OUT_OF_MEMORY => "free what is no longer needed, or work on smaller pieces",
        C::CUDA_ERROR_INVALID_DEVICE => "ask for a device that is there",
        C::CUDA_ERROR_INVALID_CONTEXT | C::CUDA_ERROR_CONTEXT_IS_DESTROYED => {
            "keep the `Device` and what it comes from until its last stream is gone"
        }
        C::CUDA_ERROR_INVALID_HANDLE => "use what the same device made, while it lives",
        C::CUDA_ERROR_ILLEGAL_ADDRESS => {
            "a kernel or copy before this call touched memory that is not its own: run with `compute-sanitizer`"
        }
        C::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES => {
            "the block needs more registers or shared memory than there are: use a smaller one"
        }
        C::CUDA_ERROR_LAUNCH_TIMEOUT => "a kernel ran longer than the display's watchdog allows: split the work",
        C::CUDA_ERROR_LAUNCH_FAILED | C::CUDA_ERROR_ASSERT => {
            "a kernel before this call failed: run with `compute-sanitizer`"
        }
        C::CUDA_ERROR_NOT_SUPPORTED => "the device or its driver cannot do this",
        C::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED | C::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT => {
            "not while a stream captures: do it before or after"
        }
        C::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED => {
            "something that a graph cannot hold was called during the capture: begin it again without"
        }
        C::CUDA_ERROR_STREAM_CAPTURE_UNJOINED => {
            "make the stream that began the capture wait for the others before it ends"
        }
        C::CUDA_ERROR_CAPTURED_EVENT => "the event was recorded during a capture: it is a place in a graph and no time",
        C::CUDA_ERROR_ECC_UNCORRECTABLE => "the GPU's memory is damaged: take the device out of use",
        _ => "the CUDA manual says what the driver means by it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There is no driver in this process, and none is needed to say what happened.
    #[test]
    fn an_error_prints_without_a_driver() {
        let error = failed("cuLaunchKernel")(DriverError(sys::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
        assert_eq!(
            error.to_string(),
            "`cuLaunchKernel` failed with CUDA_ERROR_ILLEGAL_ADDRESS (700)\n  = help: a kernel or copy before this call touched \
             memory that is not its own: run with `compute-sanitizer`"
        );
    }
}
