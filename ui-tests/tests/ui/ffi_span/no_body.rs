//! Functions without a body: in a trait, and one that C defines.

use kina_observ::ffi_span;

pub trait Backend {
    #[ffi_span(export = "runtime_gpu_add")]
    fn add(n: i64) -> i64;
}

unsafe extern "C" {
    #[ffi_span]
    safe fn runtime_gpu_gelu(n: i64) -> i32;
}

fn main() {}
