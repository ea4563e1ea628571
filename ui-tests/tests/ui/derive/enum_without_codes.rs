//! Values whose codes would change with their order.

use kina_observ::FfiEnum;

#[derive(Clone, Copy, FfiEnum)]
#[repr(i32)]
pub enum DType {
    F16,
    F32 = 3,
}

fn main() {
    // One mistake stays one error: the trait is there.
    let _: fn(DType) -> i32 = FfiEnum::code;
}
