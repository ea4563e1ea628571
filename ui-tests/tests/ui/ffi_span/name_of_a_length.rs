//! Parameters with the names that the C function needs for a slice's length and for the result.

use kina_observ::ffi_span;

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64, values: &[f32], values_len: i64, out: i64) -> i64 {
    n + values.len() as i64 + values_len + out
}

fn main() {}
