//! A dotted name such as `runtime.shape.m`, with all its tokens, so that an error underlines the whole of it.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Token};

/// A name as the user wrote it, with dots or in quotes.
#[derive(Clone)]
pub(crate) struct Name {
    /// `runtime.shape.m`.
    pub(crate) text: String,
    pub(crate) tokens: TokenStream,
    /// Set when it is a single identifier.
    pub(crate) single: Option<Ident>,
    pub(crate) quoted: bool,
}

impl Name {
    pub(crate) fn of(ident: &Ident) -> Self {
        Self {
            text: ident.unraw().to_string(),
            tokens: ident.to_token_stream(),
            single: Some(ident.clone()),
            quoted: false,
        }
    }
}

impl From<&LitStr> for Name {
    fn from(literal: &LitStr) -> Self {
        Self { text: literal.value(), tokens: literal.to_token_stream(), single: None, quoted: true }
    }
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return Ok(Self::from(&input.parse::<LitStr>()?));
        }
        // Keywords are allowed: `error.type`.
        let first = input.call(Ident::parse_any)?;
        let mut name = Self::of(&first);
        while input.peek(Token![.]) {
            let dot: Token![.] = input.parse()?;
            let next = input.call(Ident::parse_any)?;
            name.text.push('.');
            name.text.push_str(&next.unraw().to_string());
            dot.to_tokens(&mut name.tokens);
            next.to_tokens(&mut name.tokens);
            name.single = None;
        }
        Ok(name)
    }
}

impl ToTokens for Name {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
}

/// Last segment of a dotted name.
pub(crate) fn last_segment(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// First segment of a dotted name.
pub(crate) fn first_segment(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

/// Lower-case segments of letters, digits and underscores, at least two.
pub(crate) fn well_formed(key: &str) -> bool {
    let segment = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    key.contains('.') && key.split('.').all(segment)
}
