//! Values that cannot be written through an out pointer: of known types, and of one that only the compiler knows.

use core::mem::MaybeUninit;
use kina_observ::{FfiError, ffi_span};

#[derive(Debug, FfiError)]
#[ffi_error(code = 101, help = "pass matrices whose inner dimensions agree")]
pub struct ShapeError;

impl core::fmt::Display for ShapeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("shapes differ")
    }
}

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64) -> Result<String, ShapeError> {
    Ok(n.to_string())
}

#[ffi_span(runtime.gpu.add, export = "runtime_gpu_add_2")]
pub fn add_2(n: i64) -> (i64, i64) {
    (n, n)
}

pub struct Shape;

#[ffi_span(returns = Result<Shape, ShapeError>, out = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64, out: Option<&mut MaybeUninit<Shape>>) -> i32 {
    if n == 0 { Err(ShapeError) } else { Ok(Shape) }
}

fn main() {}
