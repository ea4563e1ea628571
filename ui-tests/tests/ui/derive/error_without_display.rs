//! An error without a text.

use kina_observ::FfiError;

#[derive(Debug, FfiError)]
#[ffi_error(code = 101, help = "pass matrices whose inner dimensions agree")]
pub struct ShapeError;

fn main() {}
