//! A C function whose symbol is mangled, so that C cannot find it.

use kina_observ::ffi_span;

#[ffi_span]
pub extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {
    assert_eq!(runtime_gpu_add(2), 2);
}
