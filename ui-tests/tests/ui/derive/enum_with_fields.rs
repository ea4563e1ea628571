//! A value with fields, for which an integer has no room.

use kina_observ::FfiEnum;

#[derive(Clone, Copy, FfiEnum)]
#[repr(i32)]
pub enum DType {
    F16 = 1,
    Packed(i32) = 2,
}

fn main() {
    // One mistake stays one error: the trait is there.
    let _: fn(DType) -> i32 = FfiEnum::code;
}
