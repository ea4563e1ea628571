//! `#[derive(FfiStruct)]`: a struct that C gets by value, through an out pointer.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Attribute, Data, DeriveInput, Field, Ident, Path, Token};

use super::parse;
use crate::errors::Errors;
use crate::paths::{at, here, runtime};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input = match parse(item) {
        Ok(input) => input,
        Err(error) => return error,
    };
    let mut errors = Errors::default();
    let path = path(&input.attrs, &mut errors);
    let fields = fields(&input, &mut errors);
    let fields = if errors.is_empty() { fields } else { Vec::new() };
    errors.before(emit(&input, path.as_ref(), &fields))
}

/// `#[ffi_struct(crate = path)]`.
fn path(attrs: &[Attribute], errors: &mut Errors) -> Option<Path> {
    let mut path = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("ffi_struct")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("a struct takes `crate = path`"));
            }
            path = Some(meta.value()?.call(Path::parse_mod_style)?);
            Ok(())
        });
        if let Err(error) = parsed {
            errors.syntax(error);
        }
    }
    path
}

fn fields(input: &DeriveInput, errors: &mut Errors) -> Vec<Field> {
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        errors.at(name, "`FfiStruct` is derived on a struct").help("an enum that C gets as its code has `FfiEnum`");
        return Vec::new();
    };
    if !is_laid_out(&input.attrs) {
        errors.at(name, format!("the layout of `{name}` is Rust's own")).help("add `#[repr(C)]`");
    }
    if !input.generics.params.is_empty() {
        errors
            .at(&input.generics.params, "a generic struct has no single layout in C")
            .help("remove the parameters, and name the types");
    }
    if data.fields.is_empty() {
        errors.at(name, format!("`{name}` has no fields, and C has no empty structs")).help("return `()`");
    }
    data.fields.iter().cloned().collect()
}

fn is_laid_out(attrs: &[Attribute]) -> bool {
    attrs.iter().filter(|attr| attr.path().is_ident("repr")).any(|attr| {
        attr.parse_args_with(syn::punctuated::Punctuated::<Ident, Token![,]>::parse_terminated)
            .is_ok_and(|words| words.iter().any(|word| word == "C"))
    })
}

fn emit(input: &DeriveInput, path: Option<&Path>, fields: &[Field]) -> TokenStream {
    let runtime = runtime(path);
    let name = &input.ident;
    let (generics, types, clause) = input.generics.split_for_impl();
    let checks = fields.iter().map(|Field { ty, attrs, .. }| {
        let cfg = attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
        quote_spanned!(at(ty)=> #(#cfg)* const _: () = __kina_p::field::<#ty>();)
    });
    quote_spanned! {here()=>
        const _: () = {
            use #runtime::__private as __kina_p;
            #(#checks)*
            #[automatically_derived]
            impl #generics __kina_p::KnownInC for #name #types #clause {
                type C = Self;
                fn into_c(self) -> Self { self }
            }
        };
    }
}
