//! A function as a parameter of a C function, where C can pass null.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64, done: unsafe extern "C-unwind" fn(i32)) -> i32 {
    // SAFETY: never called.
    unsafe { done(0) };
    n as i32
}

fn main() {}
