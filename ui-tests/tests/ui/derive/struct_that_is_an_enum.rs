//! An enum, which C gets as its code.

use kina_observ::FfiStruct;

#[derive(Clone, Copy, FfiStruct)]
#[repr(i32)]
pub enum Color {
    Red = 1,
}

fn main() {}
