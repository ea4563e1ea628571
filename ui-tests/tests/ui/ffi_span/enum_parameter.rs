//! An enum in the signature of a C function: C can pass any integer before anything checks it.

use kina_observ::{FfiEnum, ffi_span};

#[derive(Clone, Copy, FfiEnum)]
#[repr(i32)]
pub enum DType {
    F16 = 1,
    F32 = 3,
}

#[ffi_span(fields(runtime.alloc.size = n))]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_tensor_alloc(dtype: DType, n: i64) -> i32 {
    n as i32 + dtype as i32
}

fn main() {}
