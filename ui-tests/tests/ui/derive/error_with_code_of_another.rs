//! Two errors with one code.

use core::fmt;
use kina_observ::FfiError;

#[derive(Debug, FfiError)]
pub enum ShapeError {
    #[ffi_error(code = 101, help = "pass matrices whose inner dimensions agree")]
    Mismatch,
    #[ffi_error(code = 101, help = "pass a matrix with at least one row")]
    Empty,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shapes differ")
    }
}

fn main() {
    // One mistake stays one error: the trait is there.
    let _: fn(&ShapeError) -> i32 = FfiError::code;
}
