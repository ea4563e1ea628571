//! A parameter with the name that `error = out` needs, and words that `error` does not take.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add", error = out)]
pub fn add(n: i64, error: i64) -> i64 {
    n + error
}

#[ffi_span(export = "runtime_gpu_gelu", error = return)]
pub fn gelu(n: i64) -> i64 {
    n
}

fn main() {}
