//! An attribute with a typing mistake in its name.

use kina_observ::ffi_span;

#[ffi_span(fields(runtime.shap.m = rows, runtime.shape.n = n))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_softmax(rows: i64, n: i64) -> i32 {
    (rows * n) as i32
}

fn main() {}
