//! A C entry point that takes any number of arguments.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn runtime_gpu_add(n: i64, _: ...) -> i32 {
    n as i32
}

fn main() {}
