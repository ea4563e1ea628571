//! The element types that a tensor can have.

use kina_observ::FfiEnum;

/// What one element of a tensor is. The codes are those of the registry's `runtime.dtype`, which the derive checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FfiEnum)]
#[ffi_enum(attribute = runtime.dtype)]
#[repr(i32)]
pub enum DType {
    /// Half.
    F16 = 1,
    /// Brain float.
    Bf16 = 2,
    /// Single: the only one that the kernels compute with.
    F32 = 3,
    /// Double.
    F64 = 4,
    /// 32-bit integer.
    I32 = 5,
    /// 64-bit integer.
    I64 = 6,
}

impl DType {
    /// Bytes of one element.
    pub fn size(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }

    /// As the trace shows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::I64 => "i64",
        }
    }
}
