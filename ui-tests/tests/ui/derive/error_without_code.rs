//! An error that C could not tell from another.

use core::fmt;
use kina_observ::FfiError;

#[derive(Debug, FfiError)]
pub enum ShapeError {
    #[ffi_error(help = "pass matrices whose inner dimensions agree")]
    Mismatch,
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
