//! A plain function without the symbol that C would call.

use kina_observ::ffi_span;

#[ffi_span]
pub fn runtime_gpu_add(n: i64) -> i64 {
    n
}

fn main() {
    assert_eq!(runtime_gpu_add(2), 2);
}
