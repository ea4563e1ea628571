//! `error = out` on a C function without that parameter, and with one of another type.

use kina_observ::ffi::ErrorCopy;
use kina_observ::ffi_span;

#[ffi_span(error = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(error: *mut ErrorCopy, n: i64) -> i32 {
    i32::from(error.is_null()) + n as i32
}

#[ffi_span(error = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64, error: Option<&mut ErrorCopy>) -> i32 {
    i32::from(error.is_none()) + n as i32
}

fn main() {}
