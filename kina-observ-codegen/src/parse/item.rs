//! Parses the item under an attribute: attributes, visibility and signature; the body stays raw tokens.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Signature, Token, Visibility};

use super::parameter::{self, Words};
use crate::errors::Errors;
use crate::kinds::{Around, Kind};

/// A function with a body.
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// What `#[ffi(..)]` says about each input; the signature does not bear it any more.
    pub(crate) words: Vec<Words>,
    /// `#![allow(..)]` at the start of the body.
    pub(crate) inner: Vec<Attribute>,
    /// The user's own braces, with the inner attributes taken out.
    pub(crate) body: Group,
}

/// Parses a function; anything else is a mistake.
pub(crate) fn parse(kind: &Kind, item: &TokenStream, errors: &mut Errors) -> Option<Item> {
    let parser = |input: ParseStream<'_>| {
        let found = function(kind, input, errors);
        // What is left belongs to a mistake that was reported.
        input.parse::<TokenStream>()?;
        found
    };
    parser.parse2(item.clone()).unwrap_or_else(|error| {
        errors.syntax(error);
        None
    })
}

fn function(kind: &Kind, input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Option<Item>> {
    let attrs = input.call(Attribute::parse_outer)?;
    let vis = input.parse()?;
    if let Some(word) = other_item(input) {
        let places = match kind.around {
            _ if kind.boundary => "functions",
            Around::Nothing => "functions, `impl` blocks and modules",
            Around::Launch | Around::Wait => "functions",
            Around::Memory => "functions and on an `impl MemoryResource for ..`",
        };
        errors
            .at(&word, format!("`{}` goes on {places}, not on `{word}`", kind.shown()))
            .help(format!("put `{}` on each function that is to be recorded", kind.shown()));
        return Ok(None);
    }
    // What C defines may be called safe; a signature of ours never is.
    if input.fork().call(Ident::parse_any).is_ok_and(|word| word == "safe") {
        input.call(Ident::parse_any)?;
    }
    let mut sig: Signature = input.parse()?;
    if input.peek(Token![;]) {
        errors
            .at(sig.fn_token, format!("`{}` needs a function body", kind.shown()))
            .help("put it on each implementation of the function, or on what calls it");
        return Ok(None);
    }
    let words = parameter::take(kind, &mut sig, errors);
    let (inner, body) = split_inner_attributes(braces(input.parse()?)?)?;
    Ok(Some(Item { attrs, vis, sig, words, inner, body }))
}

/// The body; a `$body:block` of `macro_rules!` comes wrapped in an invisible group.
fn braces(token: TokenTree) -> syn::Result<Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Ok(group),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            braces(syn::parse2::<TokenTree>(group.stream())?)
        }
        other => Err(syn::Error::new(other.span(), "expected the body of the function")),
    }
}

/// The keyword of an item that is no function.
fn other_item(input: ParseStream<'_>) -> Option<TokenTree> {
    let ahead = input.fork();
    let mut first = None;
    loop {
        let Ok(token) = ahead.parse::<TokenTree>() else {
            return first.or_else(|| Some(Ident::new("item", Span::call_site()).into()));
        };
        let TokenTree::Ident(word) = &token else {
            // The ABI of `extern "C" fn`.
            if matches!(token, TokenTree::Literal(_)) {
                continue;
            }
            return first.or(Some(token));
        };
        match word.unraw().to_string().as_str() {
            "fn" => return None,
            "const" | "async" | "unsafe" | "safe" | "extern" | "default" => {
                first.get_or_insert(token);
            }
            // `const X`, `static X` and the like: the name decides, the keyword is shown.
            "struct" | "enum" | "union" | "impl" | "trait" | "mod" | "type" | "use" | "static" | "macro_rules" => {
                return Some(token);
            }
            _ => return first.or(Some(token)),
        }
    }
}

/// Inner attributes are not allowed in the block that the body becomes, so they move to the outer one.
pub(crate) fn split_inner_attributes(group: Group) -> syn::Result<(Vec<Attribute>, Group)> {
    let mut tokens = group.stream().into_iter();
    let starts = matches!((tokens.next(), tokens.next()),
        (Some(TokenTree::Punct(hash)), Some(TokenTree::Punct(bang)))
            if hash.as_char() == '#' && bang.as_char() == '!');
    if !starts {
        return Ok((Vec::new(), group));
    }
    let parser = |input: ParseStream<'_>| Ok((input.call(Attribute::parse_inner)?, input.parse::<TokenStream>()?));
    let (inner, rest) = parser.parse2(group.stream())?;
    let mut body = Group::new(Delimiter::Brace, rest);
    body.set_span(group.span());
    Ok((inner, body))
}

/// Whether an identifier occurs anywhere in the tokens.
pub(crate) fn mentions(tokens: &impl ToTokens, word: &str) -> bool {
    fn search(tokens: TokenStream, word: &str) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == word,
            TokenTree::Group(group) => search(group.stream(), word),
            _ => false,
        })
    }
    search(tokens.to_token_stream(), word)
}
