//! A `const` function, which cannot read a clock.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub const extern "C" fn runtime_gpu_add(n: i64) -> i32 {
    n as i32
}

fn main() {}
