//! The attributes of an item with `cfg_attr` and `unsafe` taken apart.

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// One attribute, and the predicates of the `cfg_attr`s around it.
pub(super) struct Plain {
    pub(super) meta: Meta,
    pub(super) conditions: Vec<String>,
}

/// All attributes, those in `cfg_attr(.., ..)` and `unsafe(..)` too.
pub(super) fn plain(attributes: &[Attribute]) -> Vec<Plain> {
    let mut found = Vec::new();
    for attribute in attributes {
        take_apart(&attribute.meta, &[], &mut found);
    }
    found
}

fn take_apart(meta: &Meta, conditions: &[String], found: &mut Vec<Plain>) {
    let inside = |list: &syn::MetaList| list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    match meta {
        Meta::List(list) if list.path.is_ident("unsafe") => {
            inside(list).into_iter().flatten().for_each(|meta| take_apart(&meta, conditions, found));
        }
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let Some((predicate, rest)) = first_argument(list.tokens.clone()) else { return };
            let conditions = [conditions, &[predicate]].concat();
            let parse = |input: syn::parse::ParseStream<'_>| Punctuated::<Meta, Token![,]>::parse_terminated(input);
            let metas = syn::parse::Parser::parse2(parse, rest);
            metas.into_iter().flatten().for_each(|meta| take_apart(&meta, &conditions, found));
        }
        meta => found.push(Plain { meta: meta.clone(), conditions: conditions.to_vec() }),
    }
}

/// `unix` and `a, b` of `unix, a, b`; a predicate is no attribute and may be `true`.
fn first_argument(tokens: TokenStream) -> Option<(String, TokenStream)> {
    let mut tokens = tokens.into_iter();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let predicate: TokenStream = tokens.by_ref().take_while(|token| !is_comma(token)).collect();
    (!predicate.is_empty()).then(|| (predicate.to_string().replace(" (", "("), tokens.collect()))
}

impl Plain {
    /// `Some` for `no_mangle` and `export_name`, with the name if the attribute gives one.
    pub(super) fn exports(&self) -> Option<Option<String>> {
        match &self.meta {
            Meta::Path(path) if path.is_ident("no_mangle") => Some(None),
            Meta::NameValue(pair) if pair.path.is_ident("export_name") => Some(text(&pair.value)),
            _ => None,
        }
    }

    /// The last word of its path: a path in front of a name is fine.
    pub(super) fn word(&self) -> String {
        self.meta.path().segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
    }

    /// The name in `#[ffi_span(export = "name")]`.
    pub(super) fn exported_as(&self) -> Option<String> {
        let Meta::List(list) = &self.meta else { return None };
        let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
        tokens.windows(3).find_map(|three| match three {
            [TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Literal(name)] if word == "export" => {
                syn::parse_str::<syn::LitStr>(&name.to_string()).ok().map(|name| name.value())
            }
            _ => None,
        })
    }

    /// The value of `#[path = "file.rs"]`.
    pub(super) fn path(&self) -> Option<String> {
        match &self.meta {
            Meta::NameValue(pair) if pair.path.is_ident("path") => text(&pair.value),
            _ => None,
        }
    }

    /// `#[cfg(test)]`, also among others in `all(..)`: no host ever sees what it is on.
    fn is_test(&self) -> bool {
        match &self.meta {
            Meta::List(list) if list.path.is_ident("cfg") => only_in_tests(list.tokens.clone()),
            _ => false,
        }
    }
}

/// Whether an item with these attributes is there in tests only.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    plain(attributes).iter().any(|attribute| attribute.conditions.is_empty() && attribute.is_test())
}

fn only_in_tests(predicate: TokenStream) -> bool {
    match syn::parse2::<Meta>(predicate) {
        Ok(Meta::Path(path)) => path.is_ident("test"),
        Ok(Meta::List(list)) if list.path.is_ident("all") => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(|part| matches!(part, Meta::Path(path) if path.is_ident("test"))))
        }
        _ => false,
    }
}

fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}
