//! Values whose types cannot be attributes: a parameter and two expressions.

use kina_observ::ffi_span;

#[repr(C)]
pub struct Extent {
    rows: i64,
}

#[ffi_span]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_add(n: Extent) -> i32 {
    n.rows as i32
}

#[ffi_span(fields(runtime.shape.n = format!("{count}")))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(count: i64) -> i32 {
    count as i32
}

#[ffi_span(fields(runtime.dtype = "f32"))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_tensor_alloc() -> i32 {
    0
}

fn main() {}
