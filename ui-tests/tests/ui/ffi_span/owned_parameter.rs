//! Types that own memory in the signature of a plain function.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64, label: String, shape: Vec<i64>, scale: Option<f32>) -> i64 {
    let _ = (label, shape, scale);
    n
}

fn main() {}
