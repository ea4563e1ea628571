//! Words that ask for checks, on a C function that is called without any.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(
    n: i64,
    #[ffi(nullable)] pool: Option<&u64>,
    #[ffi(len = "n")] a: *const f32,
) -> i32 {
    i32::from(pool.is_none()) + i32::from(a.is_null()) + n as i32
}

fn main() {}
