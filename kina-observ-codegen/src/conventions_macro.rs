//! `conventions!()`: reports what is wrong in the crate's registry files, rebuilds when they change, leaves the marker, and writes an
//! enum for each attribute whose values the crate's own files list.

use std::path::Path;

use kina_observ_conventions::{AttributeDef, ValueType};
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

use syn::Token;
use syn::parse::{ParseStream, Parser};

use crate::errors::Errors;
use crate::paths::{MARKER, here};
use crate::registry::{Registry, RegistryError, render_values};

pub(crate) fn expand(
    arguments: TokenStream,
    registry: Result<&Registry, Vec<RegistryError>>,
    dir: Option<&Path>,
) -> TokenStream {
    let mut errors = Errors::default();
    let runtime = runtime(arguments, &mut errors);
    let mut values = None;
    let files = match registry {
        Ok(registry) => {
            values = own_values(registry, &runtime);
            registry.files().to_vec()
        }
        Err(mistakes) => {
            for mistake in &mistakes {
                // There is no token of the user's in a file that is not Rust.
                errors.at(TokenStream::new(), mistake);
            }
            mistakes.into_iter().map(|mistake| mistake.file).collect()
        }
    };
    let mut files: Vec<String> = files
        .iter()
        .map(|file| dir.map_or_else(|| file.clone(), |dir| dir.join(file)))
        .filter(|file| file.is_file())
        .map(|file| file.to_string_lossy().into_owned())
        .collect();
    files.sort();
    files.dedup();
    let marker = Ident::new(MARKER, here());
    errors.before(quote_spanned! {here()=>
        #[doc(hidden)]
        #[allow(dead_code)]
        const fn #marker<T>(facts: &'static T) -> &'static T {
            #(const _: &[u8] = ::core::include_bytes!(#files);)*
            facts
        }
        #values
    })
}

/// `crate = path`, for a crate that renames us.
fn runtime(arguments: TokenStream, errors: &mut Errors) -> syn::Path {
    let parser = |input: ParseStream<'_>| {
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        input.call(syn::Path::parse_mod_style)
    };
    if arguments.is_empty() {
        return crate::paths::runtime(None);
    }
    match parser.parse2(arguments.clone()) {
        Ok(path) => crate::paths::runtime(Some(&path)),
        Err(_) => {
            errors
                .at(arguments, "`conventions!()` takes nothing but `crate = path`")
                .help("what else it needs to know stands in `kina-observ.toml`");
            crate::paths::runtime(None)
        }
    }
}

/// `mod conventions` with the crate's own enums.
fn own_values(registry: &Registry, runtime: &syn::Path) -> Option<TokenStream> {
    let lists: Vec<_> = registry.own().attributes.iter().filter(|def| def.value_type == ValueType::Enum).collect();
    let enums = lists.iter().map(|def| own_enum(def, runtime));
    (!lists.is_empty()).then(|| {
        quote_spanned! {here()=>
            /// The values that this crate's registry lists, one enum an attribute.
            pub mod conventions { #(#enums)* }
        }
    })
}

fn own_enum(def: &AttributeDef, runtime: &syn::Path) -> TokenStream {
    let name = Ident::new(&render_values::type_name(def.key), here());
    let body: TokenStream = render_values::body(def).parse().unwrap_or_default();
    let define = if render_values::coded(def.members) { "__coded_values" } else { "__listed_values" };
    let define = Ident::new(define, here());
    quote_spanned! {here()=>
        #runtime::conventions::#define! { #body }
        #runtime::__own_values!(#name);
    }
}
