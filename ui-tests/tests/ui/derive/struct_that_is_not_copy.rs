//! A struct that C could not copy.

use kina_observ::FfiStruct;

#[derive(FfiStruct)]
#[repr(C)]
pub struct Extent {
    pub rows: i64,
}

fn main() {}
