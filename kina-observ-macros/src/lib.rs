//! The attribute macros of kina-observ: one table, a row a macro. Their documentation stands where users find them, in `kina-observ`.

#![forbid(unsafe_code)]

use kina_observ_codegen::{expand, kinds};
use proc_macro::TokenStream;

/// A C boundary with a span.
#[proc_macro_attribute]
pub fn ffi_span(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(&kinds::FFI_SPAN, arguments.into(), item.into()).into()
}

/// A span around a Rust function.
#[proc_macro_attribute]
pub fn span(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(&kinds::SPAN, arguments.into(), item.into()).into()
}

/// A span around a function that launches a kernel, and the kernel's time on the device.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(&kinds::KERNEL, arguments.into(), item.into()).into()
}

/// A span around a function that waits for a stream, or lets a stream wait.
#[proc_macro_attribute]
pub fn stream_sync(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(&kinds::STREAM_SYNC, arguments.into(), item.into()).into()
}

/// A span around a function that allocates or frees, and the entry in a ledger.
#[proc_macro_attribute]
pub fn alloc_traced(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(&kinds::ALLOC_TRACED, arguments.into(), item.into()).into()
}

/// Checks the crate's own registry files and leaves the marker that every attribute needs then.
#[proc_macro]
pub fn conventions(arguments: TokenStream) -> TokenStream {
    expand::conventions(arguments.into()).into()
}

/// The C functions of the framework, instantiated in the final library.
#[proc_macro]
pub fn export_c_api(arguments: TokenStream) -> TokenStream {
    expand::export_c_api(arguments.into()).into()
}

/// Code, `error.type` and help of an error.
#[proc_macro_derive(FfiError, attributes(ffi_error))]
pub fn ffi_error(item: TokenStream) -> TokenStream {
    expand::ffi_error(item.into()).into()
}

/// Codes and names of an enum that crosses the C boundary.
#[proc_macro_derive(FfiEnum, attributes(ffi_enum))]
pub fn ffi_enum(item: TokenStream) -> TokenStream {
    expand::ffi_enum(item.into()).into()
}

/// A struct that C gets by value.
#[proc_macro_derive(FfiStruct, attributes(ffi_struct))]
pub fn ffi_struct(item: TokenStream) -> TokenStream {
    expand::ffi_struct(item.into()).into()
}
