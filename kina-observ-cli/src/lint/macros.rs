//! Exported functions in the tokens of a macro, which nobody can parse before it is expanded.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// A function that a macro exports without a boundary.
pub(super) struct Bare {
    /// As it is written: `$name`, perhaps.
    pub(super) name: String,
    pub(super) span: Span,
}

/// What they make belongs to the macro's caller, who is linted himself.
const QUOTES: [&str; 4] = ["quote", "quote_spanned", "parse_quote", "parse_quote_spanned"];

/// Functions in the tokens of the macro `name`, below attributes that export and none that makes a boundary.
pub(super) fn bare_exports(name: &str, tokens: TokenStream, is_boundary: &dyn Fn(&str) -> bool) -> Vec<Bare> {
    let mut found = Vec::new();
    if !QUOTES.contains(&name) {
        scan(tokens, is_boundary, &mut found);
    }
    found
}

fn scan(tokens: TokenStream, is_boundary: &dyn Fn(&str) -> bool, found: &mut Vec<Bare>) {
    let mut exported = false;
    let mut bounded = false;
    let mut tokens = tokens.into_iter().peekable();
    let mut after_hash = false;
    while let Some(token) = tokens.next() {
        let hash = std::mem::replace(&mut after_hash, false);
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => after_hash = true,
            TokenTree::Punct(punct) if punct.as_char() == ';' => (exported, bounded) = (false, false),
            TokenTree::Group(group) if hash && group.delimiter() == Delimiter::Bracket => {
                exported |= any_word(group.stream(), &|word| word == "no_mangle" || word == "export_name");
                bounded |= any_word(group.stream(), is_boundary);
            }
            TokenTree::Group(group) => {
                scan(group.stream(), is_boundary, found);
                if group.delimiter() == Delimiter::Brace {
                    (exported, bounded) = (false, false);
                }
            }
            TokenTree::Ident(word) if word == "fn" && exported => {
                if !bounded && let Some(first) = tokens.next() {
                    let span = first.span();
                    let mut name = first.to_string();
                    if name == "$" {
                        name.extend(tokens.next().map(|word| word.to_string()));
                    }
                    found.push(Bare { name, span });
                }
                (exported, bounded) = (false, false);
            }
            _ => {}
        }
    }
}

fn any_word(tokens: TokenStream, is: &dyn Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => is(&word.to_string()),
        TokenTree::Group(group) => any_word(group.stream(), is),
        _ => false,
    })
}
