//! An argument and an attribute, each given twice.

use kina_observ::ffi_span;

#[ffi_span(level = debug, fields(n, runtime.shape.n = n * 2), level = info)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
