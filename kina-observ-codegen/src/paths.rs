//! The names that generated code uses: where the runtime is, and identifiers that no user code can clash with.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use syn::{Path, parse_quote_spanned};

/// `::kina_observ`, or what `crate = ..` says.
pub(crate) fn runtime(given: Option<&Path>) -> Path {
    given.cloned().unwrap_or_else(|| parse_quote_spanned!(here()=> ::kina_observ))
}

/// Invisible to user code, at the attribute.
pub(crate) fn here() -> Span {
    Span::mixed_site()
}

/// Invisible to user code, at the user's tokens, so that the compiler's own errors point there.
pub(crate) fn at(tokens: &impl ToTokens) -> Span {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or_else(here, |token| here().located_at(token.span()))
}

/// `__kina_<name>`.
pub(crate) fn internal(name: &str) -> Ident {
    format_ident!("__kina_{}", name, span = here())
}

/// The function that `conventions!()` leaves in the crate root; where it does not, one of the runtime's says so.
pub(crate) const MARKER: &str = "__add_kina_observ_conventions_to_the_crate_root";
