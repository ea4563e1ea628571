//! A type of the user's that says by hand what it is in C.

use kina_observ::ffi::FfiValue;
use kina_observ::{FfiError, ffi_span};

#[derive(Debug, FfiError)]
#[ffi_error(code = 101, help = "pass another")]
pub struct Refused;

impl core::fmt::Display for Refused {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("refused")
    }
}

pub struct Shape(i64);

impl FfiValue for Shape {
    type C = i64;

    fn into_c(self) -> i64 {
        self.0
    }
}

#[ffi_span(export = "runtime_gpu_add")]
pub fn add(n: i64) -> Result<Shape, Refused> {
    Ok(Shape(n))
}

fn main() {}
