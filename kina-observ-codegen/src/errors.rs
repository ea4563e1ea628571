//! Collects the mistakes of one item and turns each into a compile error at its own tokens.
//! Invariant: every mistake of an item is reported in one compile (`tests/mistakes.rs`).

use std::fmt::{self, Display};

use proc_macro2::TokenStream;
use quote::ToTokens;

/// One mistake: what is wrong, where, and what to do.
#[derive(Debug, Clone)]
pub struct Mistake {
    tokens: TokenStream,
    message: String,
    help: Vec<String>,
}

impl Mistake {
    /// A mistake at these tokens; a dotted name is underlined from its first to its last token.
    pub fn new(tokens: impl ToTokens, message: impl Display) -> Self {
        Self { tokens: tokens.into_token_stream(), message: message.to_string(), help: Vec::new() }
    }

    /// Adds what to do; an empty text adds nothing.
    pub fn help(&mut self, text: impl Display) -> &mut Self {
        let text = text.to_string();
        if !text.is_empty() {
            self.help.push(text);
        }
        self
    }

    /// The same, for a mistake that is being made.
    #[must_use]
    pub fn with_help(mut self, text: impl Display) -> Self {
        self.help(text);
        self
    }
}

impl Mistake {
    /// Where it begins.
    #[must_use]
    pub fn span(&self) -> proc_macro2::Span {
        self.tokens.clone().into_iter().next().map_or_else(proc_macro2::Span::call_site, |token| token.span())
    }
}

impl Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for help in &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        Ok(())
    }
}

/// The mistakes of one item, in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<Mistake>);

impl Errors {
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) -> &mut Mistake {
        self.push(Mistake::new(tokens, message))
    }

    pub(crate) fn push(&mut self, mistake: Mistake) -> &mut Mistake {
        let index = self.0.len();
        self.0.push(mistake);
        &mut self.0[index]
    }

    /// What `syn` found; its spans are kept.
    pub(crate) fn syntax(&mut self, error: syn::Error) -> &mut Mistake {
        let marker = proc_macro2::Ident::new("error", error.span());
        self.at(marker, error)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in order.
    pub(crate) fn into_mistakes(self) -> Vec<Mistake> {
        self.0
    }

    /// The compile errors, then the item as the user wrote it, so that nothing else fails because of them.
    pub(crate) fn before(self, item: TokenStream) -> TokenStream {
        let mut tokens = TokenStream::new();
        for mistake in self.0 {
            let text = mistake.to_string();
            tokens.extend(syn::Error::new_spanned(mistake.tokens, text).into_compile_error());
        }
        tokens.extend(item);
        tokens
    }
}
