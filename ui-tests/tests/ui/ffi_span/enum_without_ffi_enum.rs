//! An enum in the signature of a plain function whose codes nobody has said.

use kina_observ::ffi_span;

#[derive(Clone, Copy)]
pub enum DType {
    F16,
    F32,
}

#[ffi_span(export = "runtime_tensor_alloc")]
pub fn alloc(dtype: DType) -> i64 {
    dtype as i64
}

fn main() {}
