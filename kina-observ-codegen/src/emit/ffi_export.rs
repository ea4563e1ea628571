//! Form (i): the user's function stays; a C function beside it checks what C passes and calls it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Type};

use super::{Boundary, Slot, carried, checked, deliver, late, prelude, site, unsafety};
use crate::lower::{CParameter, CSignature, Length, Passing};
use crate::paths::{at, here, internal};
use crate::plan::{Parameter, Plan};

pub(super) fn emit(plan: &Plan, symbol: &str, c: &CSignature, returns: Option<&Type>) -> TokenStream {
    let function = &plan.function;
    let pairs = || function.parameters.iter().zip(&c.parameters);
    let mut slots: Vec<Slot> = pairs().flat_map(|(written, lowered)| parameters(written, lowered)).collect();
    if let Some(value) = &c.out {
        let ty = quote_spanned!(at(value)=> __kina_p::RawOut<#value>);
        slots.push(Slot::new(&[], &internal("out"), &ty));
    }
    let error = c.error.then(|| internal("error_out"));
    if let Some(error) = &error {
        slots.push(Slot::new(&[], error, &quote_spanned!(here()=> *mut __kina_p::ErrorCopy)));
    }
    let declarations: Vec<_> = slots.iter().map(|slot| slot.plain.clone()).collect();
    let boundary = Boundary {
        unsafety: Some(syn::Token![unsafe](here())),
        attrs: carried(&function.attrs, &["target_feature"]),
        slots,
        used: None,
        inside: inside(plan, c, returns),
        error,
    };
    let (functions, choice) = boundary.emit(plan);
    let (prelude, site) = (prelude(plan), site::site(plan));
    let (attrs, vis, sig, inner, body) =
        (&function.attrs, &function.vis, &function.sig, &function.inner, &function.body);
    let body = match inner.as_slice() {
        [] => body.clone(),
        inner => {
            let rest = body.stream();
            super::block(plan, quote!(#(#inner)* #rest))
        }
    };
    let cfg = function.attrs.iter().filter(|attr: &&Attribute| attr.path().is_ident("cfg"));
    let wrapper = quote_spanned! {here()=>
        #(#cfg)*
        const _: () = {
            #prelude
            #site
            #functions
            #[unsafe(export_name = #symbol)]
            unsafe extern "C" fn __kina_export(#(#declarations),*) -> i32 { #choice }
        };
    };
    quote!(#(#attrs)* #vis #sig #body #wrapper)
}

/// The C parameters of one Rust parameter.
fn parameters(written: &Parameter, lowered: &CParameter) -> Vec<Slot> {
    let names = [written.ident.clone(), length(lowered)];
    let types = c_types(lowered, at(&written.ty));
    names.iter().zip(types).map(|(name, ty)| Slot::new(&written.cfg, name, &ty)).collect()
}

/// The types that a parameter has in C: of a slice pointer and length, if it has its own. The header writer asks for them too.
pub(crate) fn c_types(lowered: &CParameter, place: Span) -> Vec<TokenStream> {
    let inner = &lowered.inner;
    let ty = match lowered.passing {
        Passing::Number | Passing::Pointer | Passing::Callback => quote!(#inner),
        Passing::Function => quote_spanned!(place=> ::core::option::Option<#inner>),
        Passing::Flag => quote_spanned!(place=> u8),
        Passing::Code => quote_spanned!(place=> i32),
        Passing::Handle | Passing::OptionalHandle => quote_spanned!(place=> u64),
        Passing::Shared | Passing::OptionalShared | Passing::Slice | Passing::OptionalSlice => {
            quote_spanned!(place=> *const #inner)
        }
        Passing::Exclusive | Passing::OptionalExclusive | Passing::SliceMut | Passing::OptionalSliceMut => {
            quote_spanned!(place=> *mut #inner)
        }
        Passing::Text | Passing::OptionalText => quote_spanned!(place=> *const ::core::ffi::c_char),
    };
    if lowered.has_own_length() { vec![ty, quote_spanned!(place=> usize)] } else { vec![ty] }
}

fn length(lowered: &CParameter) -> Ident {
    internal(&format!("{}_len", lowered.name))
}

/// Takes the value out of what is said about a secret.
fn hidden(place: Span) -> TokenStream {
    quote_spanned!(place=> .map_err(__kina_p::Fault::without_value))
}

/// What runs inside the boundary: the out pointer first, then the inputs, then the user's function.
fn inside(plan: &Plan, c: &CSignature, returns: Option<&Type>) -> TokenStream {
    let function = &plan.function;
    let pairs = function.parameters.iter().zip(&c.parameters);
    let checks: Vec<_> = pairs.filter_map(|(written, lowered)| check(written, lowered)).collect();
    let late = (!plan.late.is_empty()).then(|| late::statements(plan));
    let name = &function.sig.ident;
    let arguments = function.parameters.iter().map(|Parameter { ident, cfg, .. }| quote!(#(#cfg)* #ident));
    // With our hygiene, so that a parameter of the same name is not meant.
    let mut callee = name.clone();
    callee.set_span(at(name));
    let call = quote_spanned!(at(name)=> #callee(#(#arguments),*));
    let call = match unsafety(&function.sig) {
        Some(_) => quote_spanned!(here()=> unsafe { #call }),
        None => call,
    };
    let (ty, place) = match (returns, &function.sig.output) {
        (Some(ty), _) => (Some(ty), at(ty)),
        (None, syn::ReturnType::Type(_, ty)) => (Some(&**ty), at(ty)),
        (None, syn::ReturnType::Default) => (None, at(name)),
    };
    let annotation = returns.map(|ty| quote!(: #ty));
    // What is deprecated for Rust stays for C.
    let deprecated = function.attrs.iter().any(|attr| attr.path().is_ident("deprecated"));
    let allow = deprecated.then(|| quote_spanned!(place=> #[allow(deprecated)]));
    let result = quote_spanned!(place=> #allow let __kina_result #annotation = #call;);
    if checks.is_empty() && c.out.is_none() {
        let deliver = deliver(ty, place, quote_spanned!(place=> __kina_p::no_out()));
        return quote_spanned!(place=> #late #result #deliver);
    }
    let out = match &c.out {
        None => quote_spanned!(here()=> __kina_p::no_out()),
        Some(_) => {
            let out = internal("out");
            quote_spanned!(here()=> unsafe { __kina_p::check_out(#out, "out") }?)
        }
    };
    checked(
        quote_spanned! {place=>
            let __kina_out = #out;
            #(#checks)*
            #late
            #result
        },
        deliver(ty, place, quote_spanned!(place=> __kina_out)),
    )
}

/// The statement that turns C parameters back into a Rust value, under the same name.
fn check(written: &Parameter, lowered: &CParameter) -> Option<TokenStream> {
    let (ident, cfg, name, inner) = (&written.ident, &written.cfg, &lowered.name, &lowered.inner);
    let place = at(&written.ty);
    let (secret, nullable) = (lowered.secret, lowered.nullable);
    let function = match lowered.passing {
        Passing::Number | Passing::Pointer | Passing::Callback => return None,
        Passing::Flag => return Some(quote_spanned!(place=> #(#cfg)* let #ident = #ident != 0;)),
        Passing::Code => "check_enum",
        Passing::Handle => "check_handle",
        Passing::OptionalHandle => "check_opt_handle",
        Passing::Shared => "check_ref",
        Passing::Exclusive => "check_mut",
        Passing::OptionalShared => "check_opt_ref",
        Passing::OptionalExclusive => "check_opt_mut",
        Passing::Slice if !nullable => "check_slice",
        Passing::SliceMut if !nullable => "check_slice_mut",
        Passing::Slice => "check_opt_slice",
        Passing::SliceMut => "check_opt_slice_mut",
        Passing::Text if !nullable => "check_str",
        Passing::Text | Passing::OptionalText => "check_opt_str",
        Passing::OptionalSlice => "check_opt_slice",
        Passing::OptionalSliceMut => "check_opt_slice_mut",
        Passing::Function => "check_function",
    };
    let function = format_ident!("{}", function, span = place);
    let call = match lowered.passing {
        Passing::Code | Passing::Handle | Passing::OptionalHandle => {
            quote_spanned!(place=> __kina_p::#function::<#inner>(#ident, #name))
        }
        Passing::Function => quote_spanned!(place=> __kina_p::#function(#ident, #name)),
        passing if passing.has_length() => {
            let length = length(lowered);
            quote_spanned!(place=> unsafe { __kina_p::#function(#ident, #length, #name) })
        }
        _ => quote_spanned!(place=> unsafe { __kina_p::#function(#ident, #name) }),
    };
    let hide = secret.then(|| hidden(place));
    let empty = nullable.then(|| quote_spanned!(place=> .unwrap_or_default()));
    let length = lowered.length.as_ref().map(|Length { of, secret }| {
        let (length, name) = (length(lowered), of.unraw().to_string());
        let hide = secret.then(|| hidden(place));
        quote_spanned!(place=> #(#cfg)* let #length = __kina_p::check_len(#of, #name) #hide?;)
    });
    Some(quote_spanned!(place=> #length #(#cfg)* let #ident = #call #hide? #empty;))
}
