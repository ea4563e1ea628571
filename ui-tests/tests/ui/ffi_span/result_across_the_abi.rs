//! A C function that returns a `Result`.

use kina_observ::ffi_span;

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: i64) -> Result<i64, i32> {
    Ok(n)
}

fn main() {}
