//! The macros, documented where users find them.

#[doc = include_str!("../docs/attributes/ffi_enum.md")]
pub use kina_observ_macros::FfiEnum;
#[doc = include_str!("../docs/attributes/ffi_error.md")]
pub use kina_observ_macros::FfiError;
#[doc = include_str!("../docs/attributes/ffi_struct.md")]
pub use kina_observ_macros::FfiStruct;
#[doc = include_str!("../docs/attributes/alloc_traced.md")]
pub use kina_observ_macros::alloc_traced;
#[doc = include_str!("../docs/attributes/conventions.md")]
pub use kina_observ_macros::conventions;
#[doc = include_str!("../docs/attributes/export_c_api.md")]
pub use kina_observ_macros::export_c_api;
#[doc = include_str!("../docs/attributes/ffi_span.md")]
pub use kina_observ_macros::ffi_span;
#[doc = include_str!("../docs/attributes/kernel.md")]
pub use kina_observ_macros::kernel;
#[doc = include_str!("../docs/attributes/span.md")]
pub use kina_observ_macros::span;
#[doc = include_str!("../docs/attributes/stream_sync.md")]
pub use kina_observ_macros::stream_sync;
