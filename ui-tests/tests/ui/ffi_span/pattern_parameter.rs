//! A parameter that is taken apart in the signature, so that it has no name in C.

use kina_observ::ffi_span;

#[repr(C)]
pub struct Pair(i64, i64);

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64, Pair(a, b): Pair) -> i32 {
    (n + a + b) as i32
}

fn main() {}
