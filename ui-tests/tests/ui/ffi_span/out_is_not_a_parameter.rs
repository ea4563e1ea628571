//! `out` names something that is no parameter.

use kina_observ::ffi_span;

#[ffi_span(returns = i64, out = result)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64, out: *mut i64) -> i32 {
    n
}

#[ffi_span(returns = Result<i64, core::fmt::Error>, out = result)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64, out: *mut i64) -> i32 {
    Ok(n)
}

fn main() {}
