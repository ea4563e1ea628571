//! A struct whose layout is Rust's own.

use kina_observ::FfiStruct;

#[derive(Clone, Copy, FfiStruct)]
pub struct Extent {
    pub rows: i64,
}

fn main() {}
