//! Parses `#[ffi(..)]` on the parameters of a function, and takes it off: the compiler does not know it.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, LitStr, Signature, Token};

use crate::errors::Errors;
use crate::kinds::Kind;
use crate::suggest::did_you_mean;

/// What `#[ffi(..)]` says about one parameter.
#[derive(Clone, Default)]
pub(crate) struct Words {
    /// Whether there was such an attribute.
    pub(crate) given: bool,
    /// Null is welcome, and is the empty text or slice.
    pub(crate) nullable: Option<Ident>,
    /// The parameter that holds the length of a slice.
    pub(crate) len: Option<LitStr>,
    /// It may never be recorded.
    pub(crate) secret: Option<Ident>,
}

const WORDS: [&str; 3] = ["nullable", "len", "secret"];
const FORMS: &str = "a parameter takes `nullable`, `len = \"n\"` and `secret`";

/// The words of each input, in their order; the attributes themselves are gone.
pub(crate) fn take(kind: &Kind, sig: &mut Signature, errors: &mut Errors) -> Vec<Words> {
    let inputs = sig.inputs.iter_mut();
    inputs
        .map(|input| {
            let attrs = match input {
                FnArg::Receiver(receiver) => &mut receiver.attrs,
                FnArg::Typed(argument) => &mut argument.attrs,
            };
            let (ours, others) = std::mem::take(attrs).into_iter().partition(|attr| attr.path().is_ident("ffi"));
            *attrs = others;
            let ours: Vec<Attribute> = ours;
            let mut words = Words { given: !ours.is_empty(), ..Words::default() };
            for attr in &ours {
                one(kind, attr, &mut words, errors);
            }
            words
        })
        .collect()
}

fn one(kind: &Kind, attr: &Attribute, words: &mut Words, errors: &mut Errors) {
    if !kind.boundary {
        errors
            .at(attr, format!("`#[ffi(..)]` says how C passes a parameter, and `{}` makes no C function", kind.shown()))
            .help("remove it");
        return;
    }
    let syn::Meta::List(list) = &attr.meta else {
        errors.at(attr, "`#[ffi]` says nothing").help(FORMS);
        return;
    };
    if list.tokens.is_empty() {
        errors.at(attr, "`#[ffi()]` says nothing").help(FORMS);
    }
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            word(input, words, errors)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(list.tokens.clone()) {
        errors.syntax(error).help(FORMS);
    }
}

fn word(input: ParseStream<'_>, words: &mut Words, errors: &mut Errors) -> syn::Result<()> {
    let word = input.call(Ident::parse_any)?;
    let text = word.unraw().to_string();
    if !WORDS.contains(&text.as_str()) {
        let near = did_you_mean(&text, WORDS.into_iter());
        let help = if near.is_empty() { FORMS.to_owned() } else { near };
        errors.at(&word, format!("`{text}` says nothing about a parameter")).help(help);
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<TokenTree>()?;
        }
        return Ok(());
    }
    let given = match text.as_str() {
        "nullable" => words.nullable.replace(word.clone()).is_some(),
        "secret" => words.secret.replace(word.clone()).is_some(),
        _ => {
            let value = |input: ParseStream<'_>| {
                input.parse::<Token![=]>()?;
                input.parse::<LitStr>()
            };
            let length = value(input).map_err(|error| {
                let at = if input.is_empty() { word.span() } else { error.span() };
                syn::Error::new(at, "`len` needs the name of the parameter that holds the length: `len = \"n\"`")
            })?;
            words.len.replace(length).is_some()
        }
    };
    if given {
        errors.at(word.to_token_stream(), format!("`{text}` is given twice")).help("keep one of the two");
    }
    Ok(())
}
