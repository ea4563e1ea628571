//! `export_c_api!("kina")`: the C functions of the framework, instantiated in the final library.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Path, Token};

use crate::errors::Errors;
use crate::paths::{here, runtime};
use crate::validate::is_symbol;

/// Name after the prefix, parameters, result. The runtime's `c_api` has a function of the same name and types.
const FUNCTIONS: [(&str, &[Type], Type); 17] = [
    ("observ_init", &[Type::Int], Type::Int),
    ("observ_set_level", &[Type::Int], Type::Int),
    ("observ_set_filter", &[Type::Text], Type::Int),
    ("observ_set_log_callback", &[Type::LogFunction, Type::User, Type::Destroy], Type::Int),
    ("observ_flush", &[Type::Milliseconds], Type::Int),
    ("observ_shutdown", &[Type::Milliseconds], Type::Int),
    ("observ_panic_strategy", &[], Type::Int),
    ("last_error_code", &[], Type::Int),
    ("last_error_layer", &[], Type::Int),
    ("last_error_message", &[], Type::Text),
    ("last_error_help", &[], Type::Text),
    ("last_error_type", &[], Type::Text),
    ("last_error_span_path", &[], Type::Text),
    ("last_error_copy", &[Type::ErrorCopy], Type::Int),
    ("last_error_clear", &[], Type::Nothing),
    ("module_push", &[Type::Id], Type::Int),
    ("module_pop", &[], Type::Int),
];

#[derive(Clone, Copy)]
enum Type {
    Nothing,
    Int,
    Milliseconds,
    Text,
    Id,
    LogFunction,
    User,
    Destroy,
    ErrorCopy,
}

impl Type {
    fn tokens(self) -> Option<TokenStream> {
        Some(match self {
            Self::Nothing => return None,
            Self::Int => quote_spanned!(here()=> i32),
            Self::Milliseconds => quote_spanned!(here()=> u32),
            Self::Text => quote_spanned!(here()=> *const ::core::ffi::c_char),
            Self::Id => quote_spanned!(here()=> *const u8),
            Self::LogFunction => quote_spanned!(here()=> ::core::option::Option<__kina_p::c_api::LogFunction>),
            Self::User => quote_spanned!(here()=> *mut ::core::ffi::c_void),
            Self::Destroy => quote_spanned!(here()=> ::core::option::Option<__kina_p::c_api::Destroy>),
            Self::ErrorCopy => quote_spanned!(here()=> *mut __kina_p::c_api::ErrorCopy),
        })
    }

    fn is_pointer(self) -> bool {
        !matches!(self, Self::Nothing | Self::Int | Self::Milliseconds)
    }
}

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = (|input: ParseStream<'_>| {
        let prefix: LitStr = input.parse()?;
        let mut path = None;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            path = Some(input.call(Path::parse_mod_style)?);
        }
        Ok((prefix, path))
    })
    .parse2(arguments);
    match parsed {
        Ok((prefix, path)) if is_symbol(&prefix.value()) => functions(&prefix, path.as_ref()),
        Ok((prefix, _)) => {
            errors
                .at(&prefix, format!("`{}` cannot start the name of a C function", prefix.value()))
                .help("use letters, digits and underscores, and no digit first, such as \"kina\"");
            errors.before(TokenStream::new())
        }
        Err(error) => {
            errors.syntax(error).help("write `export_c_api!(\"kina\");`");
            errors.before(TokenStream::new())
        }
    }
}

fn functions(prefix: &LitStr, path: Option<&Path>) -> TokenStream {
    let runtime = runtime(path);
    let functions = FUNCTIONS.iter().map(|&(name, takes, gives)| {
        let symbol = LitStr::new(&format!("{}_{name}", prefix.value()), prefix.span());
        let name = Ident::new(name, here());
        let arguments: Vec<Ident> =
            (0..takes.len()).map(|index| format_ident!("__kina_{index}", span = here())).collect();
        let types = takes.iter().filter_map(|ty| ty.tokens());
        let arrow = gives.tokens().map(|ty| quote_spanned!(here()=> -> #ty));
        // Only the functions that take a pointer can be unsafe to call.
        let pointer = takes.iter().any(|ty| ty.is_pointer());
        let unsafety = pointer.then(|| quote_spanned!(here()=> unsafe));
        let call = quote_spanned!(here()=> __kina_p::c_api::#name(#(#arguments),*));
        let call = if pointer { quote_spanned!(here()=> unsafe { #call }) } else { call };
        quote_spanned! {here()=>
            #[unsafe(export_name = #symbol)]
            #unsafety extern "C" fn #name(#(#arguments: #types),*) #arrow { #call }
        }
    });
    quote_spanned! {here()=>
        const _: () = {
            use #runtime::__private as __kina_p;
            #(#functions)*
        };
    }
}
