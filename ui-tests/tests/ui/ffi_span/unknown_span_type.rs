//! A span type that is not in the registry, in a namespace that the registry owns.

use kina_observ::ffi_span;

#[ffi_span(runtime.gpu.matmull)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_matmul(batch: i64, m: i64, k: i64, n: i64, dtype_code: i32) -> i32 {
    (batch + m + k + n) as i32 + dtype_code
}

fn main() {}
