//! A generic function as a C entry point.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add<T: Into<i64>, const LANES: usize>(n: i64, other: &T) -> i64 {
    let _ = other;
    n + LANES as i64
}

fn main() {}
