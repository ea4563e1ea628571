//! An error that has no code for C, in both forms.

use core::mem::MaybeUninit;
use kina_observ::ffi_span;

#[derive(Debug)]
pub struct ShapeError;

impl core::fmt::Display for ShapeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("shapes differ")
    }
}

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64) -> Result<i64, ShapeError> {
    Ok(n)
}

#[ffi_span(returns = Result<i64, ShapeError>, out = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_gpu_gelu(n: i64, out: Option<&mut MaybeUninit<i64>>) -> i32 {
    Ok(n)
}

fn main() {}
