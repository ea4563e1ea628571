//! An enum of the user's own with a value that the attribute has not.

use kina_observ::{FfiEnum, ffi_span};

#[derive(Clone, Copy, FfiEnum)]
#[repr(i32)]
enum Precision {
    F32 = 3,
    F8 = 9,
}

#[ffi_span(runtime.tensor.alloc, export = "acme_alloc")]
fn alloc(dtype: Precision) -> Result<u64, kina_observ::ffi::Fault> {
    Ok(dtype as u64)
}

fn main() {
    assert!(alloc(Precision::F8).is_ok());
    assert!(alloc(Precision::F32).is_ok());
}
