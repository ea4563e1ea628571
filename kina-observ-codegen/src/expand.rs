//! The four steps: parse, validate, lower to a plan, emit. On a mistake: the compile errors, then the item.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::Promises;
use crate::errors::Errors;
use crate::kinds::{Around, Kind};
use crate::registry::{Registry, RegistryError};
use crate::{c_api, container, conventions_macro, derive, emit, parse, resource_impl, validate};

/// Expands `#[ffi_span]` or `#[span]` for the crate that is being compiled.
#[must_use]
pub fn attribute(kind: &'static Kind, arguments: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item.clone(), || match registry() {
        Ok(registry) => attribute_with(kind, arguments, item, registry),
        // `conventions!()` reports the broken files; here they would be reported once a function.
        Err(_) => {
            let args = parse::args::parse(kind, arguments, &mut Errors::default());
            given_back(kind, Promises::of(&args), item)
        }
    })
}

/// The same with a given registry, for tests and tools.
#[must_use]
pub fn attribute_with(
    kind: &'static Kind,
    arguments: TokenStream,
    item: TokenStream,
    registry: &Registry,
) -> TokenStream {
    let mut errors = Errors::default();
    let args = parse::args::parse(kind, arguments.clone(), &mut errors);
    if let Some(container) = parse::container::parse(&item) {
        match kind.around {
            _ if kind.boundary => {}
            Around::Nothing => return container::expand(container, &args, arguments, errors),
            Around::Memory if container.word.to_string() == "impl" => {
                return resource_impl::expand(container, &args, arguments, errors);
            }
            Around::Launch | Around::Wait | Around::Memory => {}
        }
    }
    let promises = Promises::of(&args);
    let plan = parse::item::parse(kind, &item, &mut errors)
        .and_then(|parsed| validate::check(kind, args, parsed, registry, &mut errors));
    match plan {
        Some(plan) if errors.is_empty() => emit::emit(&plan),
        _ => errors.before(given_back(kind, promises, item)),
    }
}

fn given_back(kind: &Kind, promises: Promises, item: TokenStream) -> TokenStream {
    match parse::item::parse(kind, &item, &mut Errors::default()) {
        Some(parsed) => promises.kept(parsed, item),
        None => item,
    }
}

/// Expands `#[derive(FfiError)]`.
#[must_use]
pub fn ffi_error(item: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), || derive::ffi_error::expand(item))
}

/// Expands `#[derive(FfiEnum)]` for the crate that is being compiled.
#[must_use]
pub fn ffi_enum(item: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), || derive::ffi_enum::expand(item, registry().ok()))
}

/// The same with a given registry, for tests and tools.
#[must_use]
pub fn ffi_enum_with(item: TokenStream, registry: &Registry) -> TokenStream {
    derive::ffi_enum::expand(item, Some(registry))
}

/// Expands `#[derive(FfiStruct)]`.
#[must_use]
pub fn ffi_struct(item: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), || derive::ffi_struct::expand(item))
}

/// Expands `conventions!()` for the crate that is being compiled.
#[must_use]
pub fn conventions(arguments: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), || conventions_macro::expand(arguments, registry(), manifest_dir().as_deref()))
}

/// Expands `export_c_api!("kina")`.
#[must_use]
pub fn export_c_api(arguments: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), || c_api::expand(arguments))
}

fn manifest_dir() -> Option<PathBuf> {
    std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

fn registry() -> Result<&'static Registry, Vec<RegistryError>> {
    manifest_dir().map_or(Ok(Registry::builtin()), |dir| Registry::for_crate(Path::new(&dir)))
}

/// A panic of ours is a compile error, and the item is still there.
fn guarded(item: TokenStream, expand: impl FnOnce() -> TokenStream) -> TokenStream {
    catch_unwind(AssertUnwindSafe(expand)).unwrap_or_else(|panic| {
        let cause = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("unknown");
        let text = format!("bug in kina-observ, please report: {cause}");
        quote!(::core::compile_error! { #text } #item)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_compile_error_and_the_item_is_given_back() {
        let item = quote!(
            fn f() {}
        );
        let tokens = guarded(item, || panic!("oh")).to_string();
        assert!(tokens.contains("bug in kina-observ, please report: oh"), "{tokens}");
        assert!(tokens.ends_with("fn f () { }"), "{tokens}");
    }
}
