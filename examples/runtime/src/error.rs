//! What can go wrong: answers of an operation (inner errors) and failures of the device (outer errors).
//!
//! | code | error.type | who | meaning |
//! |---|---|---|---|
//! | 0 | | | done |
//! | -1 .. -7 | `panic`, .. | framework | panic, null, misaligned, size, UTF-8, enum, handle |
//! | 101 | `shape_mismatch` | [`LaunchError`] | a tensor does not hold as many elements as the dimensions say |
//! | 102 | `unsupported_dtype` | [`LaunchError`] | the kernels compute with `f32` only |
//! | 103 | `aliased_output` | [`LaunchError`] | the output is also an input |
//! | 104 | `too_many_elements` | [`LaunchError`] | a tensor has more elements than a kernel can count |
//! | 111 | `size_mismatch` | [`CopyError`] | the buffer and the tensor differ in size |
//! | 112 | `size_overflow` | [`ShapeError`] | the shape has more bytes than can be counted |
//! | 201 | `out_of_memory` | [`DriverError`] | the device's memory, or its limit, is used up |
//! | 202 | `stream_start_failed` | [`DriverError`] | the operating system gave no thread |
//! | 203 | `stream_failed` | [`DriverError`] | earlier work on the stream failed |
//! | 204 | `stream_closed` | [`DriverError`] | the stream was destroyed meanwhile |
//! | 205 | `invalid_memory_limit` | [`DriverError`] | `KINA_RUNTIME_MEMORY_LIMIT` is no number |
//! | 206 | `invalid_backend` | [`DriverError`] | `KINA_RUNTIME_BACKEND` names no backend |
//! | 207 | `backend_unavailable` | [`DriverError`] | the backend's device cannot be used here |
//! | 208 | `device_failed` | [`DriverError`] | the device refused for another reason |
//! | 209 | `no_kernel` | [`DriverError`] | a kernel was asked for that the library does not have |
//!
//! A code is never reused for something else.

use kina_observ::FfiError;
use kina_observ::device::DeviceError;
use kina_observ::ffi::Fault;

/// Why a kernel was not enqueued.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, FfiError)]
pub enum LaunchError {
    /// A tensor does not hold as many elements as the dimensions say.
    #[error("shape mismatch: `{name}` holds {held} elements, the dimensions need {needed}")]
    #[ffi_error(code = 101, help = "pass the dimensions that the tensor was allocated with")]
    ShapeMismatch {
        /// The parameter.
        name: &'static str,
        /// Elements of the tensor.
        held: usize,
        /// Elements that the dimensions need.
        needed: usize,
    },
    /// The kernels compute with `f32` only.
    #[error("`{name}` is {dtype}, but `{kernel}` computes with f32")]
    #[ffi_error(code = 102, help = "allocate the tensors of a computation as f32 (code 3) and pass that code")]
    UnsupportedDtype {
        /// The parameter.
        name: &'static str,
        /// Its element type.
        dtype: &'static str,
        /// The kernel.
        kernel: &'static str,
    },
    /// A tensor has more elements than a kernel can count.
    #[error("`{name}` has {held} elements, but a kernel takes at most 4294967295")]
    #[ffi_error(code = 104, help = "split the tensor and launch the kernel for each part")]
    TooManyElements {
        /// The parameter.
        name: &'static str,
        /// Elements of the tensor.
        held: usize,
    },
    /// The output is also an input.
    #[error("`out` and `{name}` are one tensor, and `{kernel}` does not work in place")]
    #[ffi_error(code = 103, help = "allocate another tensor for the result")]
    AliasedOutput {
        /// The parameter.
        name: &'static str,
        /// The kernel.
        kernel: &'static str,
    },
}

/// Why bytes were not copied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, FfiError)]
pub enum CopyError {
    /// The buffer and the tensor differ in size.
    #[error("`bytes` has {given} bytes, but `{name}` has {held}")]
    #[ffi_error(code = 111, help = "copy whole tensors: elements times the size of the element type")]
    SizeMismatch {
        /// The tensor's parameter.
        name: &'static str,
        /// Bytes of the buffer.
        given: usize,
        /// Bytes of the tensor.
        held: usize,
    },
}

/// Why a shape is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, FfiError)]
pub enum ShapeError {
    /// The shape has more bytes than can be counted.
    #[error("`shape` has more bytes than an address can count")]
    #[ffi_error(code = 112, help = "check the dimensions; one of them is probably not initialised")]
    SizeOverflow,
}

/// What the device itself cannot do.
#[derive(Debug, Clone, thiserror::Error, FfiError)]
pub enum DriverError {
    /// The memory, or its limit, is used up.
    #[error("out of memory: {requested} bytes asked for, {used} of {limit} in use")]
    #[ffi_error(code = 201, help = "free tensors, or raise `KINA_RUNTIME_MEMORY_LIMIT` (bytes)")]
    OutOfMemory {
        /// Bytes asked for.
        requested: usize,
        /// Bytes in use.
        used: u64,
        /// Bytes that may be in use.
        limit: u64,
    },
    /// The operating system gave no thread.
    #[error("no thread for a stream: {0}")]
    #[ffi_error(code = 202, help = "destroy streams that are not needed, or raise the limit of threads")]
    StreamStartFailed(String),
    /// Earlier work on the stream failed.
    #[error("stream {stream} failed in `{kernel}`: {message}")]
    #[ffi_error(code = 203, help = "results since the last synchronisation are not valid; compute them again")]
    StreamFailed {
        /// The stream's number.
        stream: i64,
        /// The kernel, or the copy.
        kernel: String,
        /// What it said.
        message: String,
    },
    /// The stream was destroyed meanwhile.
    #[error("stream {stream} was destroyed while the call was under way")]
    #[ffi_error(code = 204, help = "destroy a stream after the last call that uses it has returned")]
    StreamClosed {
        /// The stream's number.
        stream: i64,
    },
    /// `KINA_RUNTIME_MEMORY_LIMIT` is no number.
    #[error("`KINA_RUNTIME_MEMORY_LIMIT` is not a number of bytes")]
    #[ffi_error(code = 205, help = "set it to a number such as 1073741824, or unset it for 4 GiB")]
    InvalidMemoryLimit,
    /// `KINA_RUNTIME_BACKEND` names no backend.
    #[error("`KINA_RUNTIME_BACKEND` is neither `cpu` nor `cuda`")]
    #[ffi_error(code = 206, help = "set it to one of the two, or unset it for `cpu`")]
    InvalidBackend,
    /// The backend's device cannot be used here.
    #[error("{0}")]
    #[ffi_error(
        code = 207,
        help = "install the driver of the GPU and a library built with `--features cuda`, or run on the CPU"
    )]
    BackendUnavailable(String),
    /// The device refused for another reason.
    #[error("stream {stream}: {message}")]
    #[ffi_error(
        code = 208,
        help = "see what the device says; after an error of its own a GPU serves this process no more"
    )]
    DeviceFailed {
        /// The stream's number.
        stream: i64,
        /// What it said.
        message: String,
    },
    /// A kernel was asked for that the library does not have.
    #[error("there is no kernel `{kernel}`")]
    #[ffi_error(code = 209, help = "report it: every entry point has its kernel")]
    NoKernel {
        /// The kernel.
        kernel: &'static str,
    },
    /// What the boundary found: a bad size, code or handle.
    #[error(transparent)]
    #[ffi_error(transparent)]
    Fault(#[from] Fault),
}

impl DriverError {
    /// Why the device cannot be used.
    pub(crate) fn unavailable(error: DeviceError) -> Self {
        match error {
            DeviceError::Unavailable { what, .. } => Self::BackendUnavailable(what),
            error => Self::BackendUnavailable(first_line(&error)),
        }
    }

    /// What failed on a stream.
    pub(crate) fn of_stream(stream: i64, error: DeviceError) -> Self {
        match error {
            DeviceError::KernelPanicked { kernel, message } => Self::StreamFailed { stream, kernel, message },
            DeviceError::InvalidAddress { ref by, .. } | DeviceError::BadArgument { kernel: ref by, .. } => {
                Self::StreamFailed { stream, kernel: by.clone(), message: first_line(&error) }
            }
            DeviceError::NoThread { what } => Self::StreamStartFailed(what),
            error => Self::DeviceFailed { stream, message: first_line(&error) },
        }
    }
}

/// The rest of a device's text is its help.
fn first_line(error: &DeviceError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
