//! A dotted key in `fields` without a value.

use kina_observ::ffi_span;

#[ffi_span(fields(runtime.shape.m, runtime.shape.n = n))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_softmax(m: i64, n: i64) -> i32 {
    (m * n) as i32
}

fn main() {}
