//! One mistake in an attribute whose other arguments change the body: the body brings no errors of its own.

use core::mem::MaybeUninit;
use kina_observ::ffi_span;

#[ffi_span(late(runtime.stream.id), returns = Result<u64, core::fmt::Error>, out = out, skip_all)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_stream_create(priority: i32, out: Option<&mut MaybeUninit<u64>>) -> i32 {
    let stream = u64::try_from(priority).map_err(|_| core::fmt::Error)?;
    observ.runtime_stream_id(stream);
    Ok(stream)
}

fn main() {}
