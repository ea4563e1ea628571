//! A bare name in `fields` that no parameter bears.

use kina_observ::ffi_span;

#[ffi_span(fields(m, columns))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_softmax(m: i64, n: i64) -> i32 {
    let columns = n;
    (m * columns) as i32
}

fn main() {}
