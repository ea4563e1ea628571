//! Fields that C does not know: a text, and a handle, which in Rust is more than its number.

use kina_observ::FfiStruct;
use kina_observ::ffi::Handle;

#[derive(Clone, FfiStruct)]
#[repr(C)]
pub struct Extent {
    pub rows: i64,
    pub name: &'static str,
    pub pool: Handle<u64>,
}

fn main() {}
