//! A value that is to be returned, and nothing that says where it is written.

use kina_observ::ffi_span;

#[ffi_span(returns = Result<i64, core::fmt::Error>)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    Ok(n)
}

#[ffi_span(out = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64, out: *mut i64) -> i32 {
    out.is_null() as i32 + n as i32
}

fn main() {}
