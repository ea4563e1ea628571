//! A symbol that no C compiler accepts.

use kina_observ::ffi_span;

#[ffi_span(runtime.gpu.add, export = "runtime.gpu.add")]
pub fn add(n: i64) -> i64 {
    n
}

fn main() {}
