//! `conventions!()`: reports what is wrong in the crate's registry files, rebuilds when they change, leaves the marker.

use std::path::Path;

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

use crate::errors::Errors;
use crate::paths::{MARKER, here};
use crate::registry::{Registry, RegistryError};

pub(crate) fn expand(
    arguments: TokenStream,
    registry: Result<&Registry, Vec<RegistryError>>,
    dir: Option<&Path>,
) -> TokenStream {
    let mut errors = Errors::default();
    if !arguments.is_empty() {
        errors
            .at(arguments, "`conventions!()` takes no arguments")
            .help("what it needs to know stands in `kina-observ.toml`");
    }
    let files = match registry {
        Ok(registry) => registry.files().to_vec(),
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
    })
}
