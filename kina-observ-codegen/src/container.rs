//! `#[span]` on an `impl` block or a module: puts the attribute on each public function, or on each method of a trait impl.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Visibility};

use crate::errors::Errors;
use crate::kinds::{KINDS, SPAN};
use crate::parse::args::Args;
use crate::parse::container::{Container, Function, Member, members};
use crate::paths::{here, runtime};

/// The container with its functions annotated; after a mistake as it was.
pub(crate) fn expand(container: Container, args: &Args, arguments: TokenStream, mut errors: Errors) -> TokenStream {
    let Container { head, word, body, of_trait } = container;
    if !args.only_crate() {
        errors
            .at(arguments, format!("`#[span]` on `{word}` takes no arguments"))
            .help("put `#[span(..)]` with them on the function that they are for");
    }
    let Some(body) = body else {
        errors
            .at(&word, "`#[span]` goes on a module with its functions in braces, and this one is in another file")
            .help("put `#[span]` on each function there that is to be recorded");
        return errors.before(head);
    };
    let parts = match members(&body) {
        Ok(parts) => parts,
        Err(error) => {
            errors.syntax(error);
            return errors.before(quote!(#head #body));
        }
    };
    let runtime_path = runtime(args.runtime.as_ref());
    let argument = args.runtime.as_ref().map(|path| quote_spanned!(here()=> (crate = #path)));
    let mark = quote_spanned!(here()=> #[#runtime_path::span #argument]);
    let broken = !errors.is_empty();
    let mut inside = TokenStream::new();
    for part in parts {
        match part {
            Member::Other(tokens) => inside.extend(tokens),
            Member::Function(function) => {
                let wanted = wanted(&function, of_trait, &mut errors) && !broken;
                print(*function, wanted.then_some(&mark), &mut inside);
            }
        }
    }
    let mut braces = proc_macro2::Group::new(body.delimiter(), inside);
    braces.set_span(body.span());
    errors.before(quote!(#head #braces))
}

/// Whether the function gets the attribute.
fn wanted(function: &Function, of_trait: bool, errors: &mut Errors) -> bool {
    let has_its_own = function.attrs.iter().any(is_ours);
    if has_its_own || !of_trait && matches!(function.vis, Visibility::Inherited) {
        return false;
    }
    if let Some(word) = &function.sig.constness {
        errors
            .at(word, "`#[span]` cannot be used on a `const fn`")
            .help("leave it out with `#[span(skip)]`, or remove `const`: a span reads the clock");
        return false;
    }
    true
}

pub(crate) fn is_ours(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| KINDS.iter().any(|kind| last.ident == kind.name))
}

/// `#[span(skip)]`.
fn skips(attr: &Attribute) -> bool {
    let ours = attr.path().segments.last().is_some_and(|last| last.ident == SPAN.name);
    let mut words = match &attr.meta {
        syn::Meta::List(list) => list.tokens.clone().into_iter(),
        _ => return false,
    };
    let skip = matches!(words.next(), Some(TokenTree::Ident(word)) if word == "skip");
    ours && skip && words.next().is_none()
}

pub(crate) fn print(function: Function, mark: Option<&TokenStream>, tokens: &mut TokenStream) {
    let Function { attrs, vis, default, sig, body } = function;
    // A function that is compiled out is not looked at.
    let conditions = attrs.iter().rposition(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"));
    let (first, rest) = attrs.split_at(conditions.map_or(0, |last| last + 1));
    let kept = |attrs: &[Attribute]| -> TokenStream {
        attrs.iter().filter(|attr| !skips(attr)).map(ToTokens::to_token_stream).collect()
    };
    tokens.extend(kept(first));
    tokens.extend(mark.cloned());
    tokens.extend(kept(rest));
    tokens.extend(quote!(#vis #default #sig #body));
}
