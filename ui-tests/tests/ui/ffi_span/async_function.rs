//! An `async` function as a C entry point.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub async fn add(n: i64) -> i64 {
    n
}

fn main() {}
