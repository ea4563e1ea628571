//! The item after a mistake: as the user wrote it, except that a body written for `returns` or `late` still has what it needs.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::late::HANDLE;
use crate::parse::args::Args;
use crate::parse::item::Item;
use crate::paths::here;

/// What the attribute promised to the body.
pub(crate) struct Promises {
    returns: Option<TokenStream>,
    handle: Option<TokenStream>,
}

impl Promises {
    pub(crate) fn of(args: &Args) -> Self {
        let handle = args.late_word.as_ref().map(|word| {
            let names = args.late.iter().filter(|name| !name.quoted);
            let names = names.map(|name| format_ident!("{}", name.text.replace('.', "_"), span = here()));
            let handle = format_ident!("{HANDLE}", span = word.span());
            quote_spanned! {here()=>
                struct __KinaDeclaredInLate;
                #[allow(dead_code)]
                impl __KinaDeclaredInLate { #(fn #names<T>(&self, _: T) {})* }
                let #handle = __KinaDeclaredInLate;
            }
        });
        Self { returns: args.returns.as_ref().map(ToTokens::to_token_stream), handle }
    }

    /// The item in a form that brings no errors of its own.
    pub(crate) fn kept(self, item: Item, whole: TokenStream) -> TokenStream {
        let Self { returns, handle } = self;
        let Item { attrs, vis, sig, words, inner, body } = item;
        let exported = sig.abi.is_none() && returns.is_some();
        if returns.is_none() && handle.is_none() || exported || returns.is_some() && sig.asyncness.is_some() {
            // `#[ffi(..)]` on a parameter would be one more mistake.
            let marked = words.iter().any(|words| words.given);
            return if marked { quote!(#(#attrs)* #vis #sig { #(#inner)* #body }) } else { whole };
        }
        if returns.is_none() {
            return quote!(#(#attrs)* #[allow(unused_variables)] #vis #sig { #(#inner)* #handle #body });
        }
        // Checked, never called.
        quote! {
            #(#attrs)* #[allow(unused_variables)] #vis #sig {
                #(#inner)*
                #handle
                fn __kina_checked<R>(_: impl ::core::ops::FnOnce() -> R) {}
                __kina_checked(move || -> #returns #body);
                loop {}
            }
        }
    }
}
