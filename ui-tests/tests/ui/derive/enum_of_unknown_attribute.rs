//! An attribute that is not in the registry.

use kina_observ::FfiEnum;

#[derive(Clone, Copy, FfiEnum)]
#[ffi_enum(attribute = runtime.dtyp)]
#[repr(i32)]
pub enum DType {
    F16 = 1,
}

fn main() {
    // One mistake stays one error: the trait is there.
    let _: fn(DType) -> i32 = FfiEnum::code;
}
