//! Names and codes that are not the ones of the registry.

use kina_observ::FfiEnum;

#[derive(Clone, Copy, FfiEnum)]
#[ffi_enum(attribute = runtime.dtype)]
#[repr(i32)]
pub enum DType {
    #[ffi_enum(name = "half")]
    Half = 1,
    F32 = 4,
    F64 = 4_000,
}

fn main() {
    // One mistake stays one error: the trait is there.
    let _: fn(DType) -> i32 = FfiEnum::code;
}
