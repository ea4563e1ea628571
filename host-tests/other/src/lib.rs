//! A second library for one process: one function that works, fails or panics, as it is told.

use kina_observ::ffi::{Fault, dim};
use kina_observ::ffi_span;

kina_observ::conventions!();
kina_observ::export_c_api!("other");

/// Gives the size back; refuses a negative one, and panics at 13.
#[ffi_span(export = "other_size")]
pub fn size(size: i64) -> Result<u64, Fault> {
    let size = dim(size, "size")?;
    if size == 13 {
        panic!("an unlucky size");
    }
    Ok(size as u64)
}
