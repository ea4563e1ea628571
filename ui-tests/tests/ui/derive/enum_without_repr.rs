//! An enum whose size in C is not fixed.

use kina_observ::FfiEnum;

#[derive(Clone, Copy, FfiEnum)]
pub enum DType {
    F16 = 1,
    F32 = 3,
}

fn main() {
    // One mistake stays one error: the trait is there.
    let _: fn(DType) -> i32 = FfiEnum::code;
}
