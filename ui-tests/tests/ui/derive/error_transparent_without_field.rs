//! A variant that is to speak for the error inside, and has none.

use core::fmt;
use kina_observ::FfiError;

#[derive(Debug, FfiError)]
pub enum ShapeError {
    #[ffi_error(transparent)]
    Mismatch { rows: i64, columns: i64 },
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
