//! The macros, documented where users find them.

#[doc = include_str!("../docs/attributes/ffi_enum.md")]
pub use kina_observ_macros::FfiEnum;
#[doc = include_str!("../docs/attributes/ffi_error.md")]
pub use kina_observ_macros::FfiError;
#[doc = include_str!("../docs/attributes/ffi_struct.md")]
pub use kina_observ_macros::FfiStruct;
#[doc = include_str!("../docs/attributes/conventions.md")]
pub use kina_observ_macros::conventions;
#[doc = include_str!("../docs/attributes/export_c_api.md")]
pub use kina_observ_macros::export_c_api;
#[doc = include_str!("../docs/attributes/ffi_span.md")]
pub use kina_observ_macros::ffi_span;
#[doc = include_str!("../docs/attributes/span.md")]
pub use kina_observ_macros::span;
