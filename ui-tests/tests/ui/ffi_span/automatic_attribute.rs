//! An attribute given by hand although the boundary records it.

use kina_observ::ffi_span;

#[ffi_span(fields(runtime.ffi.code = 0, error.type = "none"))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
