//! Tensors, and bytes to and from them.

use kina_observ::ffi::{Handle, Handled};
use kina_observ::ffi_span;

use crate::dtype::DType;
use crate::error::{CopyError, DriverError, ShapeError};
use crate::fault;
use crate::stream::{Stream, worker};
use crate::tensor::{Tensor, bytes_asked};

/// Makes a tensor of zeros. The caller owns it and frees it. `label` is for its own eyes: it is never recorded.
#[ffi_span(
    export = "runtime_tensor_alloc",
    fields(runtime.tensor.rank = shape.len(), runtime.alloc.size = bytes_asked(dtype, shape)),
)]
pub fn tensor_alloc(
    dtype: DType,
    shape: &[i64],
    label: &str,
) -> Result<Result<Handle<Tensor>, ShapeError>, DriverError> {
    fault::point("runtime_tensor_alloc");
    Ok(Tensor::zeros(dtype, shape, label)?.map(|tensor| {
        tracing::debug!(bytes = tensor.bytes(), dtype = dtype.name(), "allocated a tensor");
        Tensor::table().insert(tensor)
    }))
}

/// Frees a tensor: its handle is dead at once, its memory after the last kernel that uses it.
#[ffi_span(export = "runtime_tensor_free", fields(runtime.alloc.size = tensor.bytes()))]
pub fn tensor_free(tensor: Handle<Tensor>) -> Result<(), DriverError> {
    fault::point("runtime_tensor_free");
    Ok(tensor.destroy("tensor")?)
}

/// Copies a buffer to a tensor. The buffer is the caller's again when this returns; the tensor has it when the stream is there.
#[ffi_span(export = "runtime_copy_h2d", fields(runtime.copy.size = bytes.len()))]
pub fn copy_h2d(
    dst: Handle<Tensor>,
    bytes: &[u8],
    stream: Option<Handle<Stream>>,
) -> Result<Result<(), CopyError>, DriverError> {
    fault::point("runtime_copy_h2d");
    if let Err(answer) = same_size("dst", &dst, bytes) {
        return Ok(Err(answer));
    }
    let worker = worker(stream.as_ref())?;
    if bytes.is_empty() {
        return Ok(Ok(()));
    }
    worker.enqueue(|stream| {
        let to = dst.on(&worker)?;
        // SAFETY: the tensor has as many bytes, and stays where it is until the stream has copied them.
        unsafe { stream.copy_to_device(to, bytes) }
    })?;
    Ok(Ok(()))
}

/// Copies a tensor to a buffer, after the earlier work of the stream; waits for it.
#[ffi_span(export = "runtime_copy_d2h", fields(runtime.copy.size = bytes.len()))]
pub fn copy_d2h(
    src: Handle<Tensor>,
    bytes: &mut [u8],
    stream: Option<Handle<Stream>>,
) -> Result<Result<(), CopyError>, DriverError> {
    fault::point("runtime_copy_d2h");
    if let Err(answer) = same_size("src", &src, bytes) {
        return Ok(Err(answer));
    }
    let worker = worker(stream.as_ref())?;
    if bytes.is_empty() {
        worker.drain();
        return Ok(Ok(()));
    }
    worker.enqueue(|stream| {
        let from = src.on(&worker)?;
        // SAFETY: the tensor has as many bytes, and the caller holds it until they are copied.
        unsafe { stream.copy_from_device(bytes, from) }
    })?;
    Ok(Ok(()))
}

fn same_size(name: &'static str, tensor: &Tensor, bytes: &[u8]) -> Result<(), CopyError> {
    let (given, held) = (bytes.len(), tensor.bytes());
    if given == held { Ok(()) } else { Err(CopyError::SizeMismatch { name, given, held }) }
}
