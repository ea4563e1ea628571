//! Required attributes that no parameter bears and nothing else supplies.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_softmax(rows: i64, n: i64) -> i32 {
    (rows * n) as i32
}

#[ffi_span(runtime.gpu.transpose, export = "gpu_transpose", fields(m))]
pub fn transpose(batch: i64, m: i64) -> i64 {
    batch * m
}

fn main() {}
