//! Parses an `impl` block or an inline module, as far as its functions: everything else stays raw tokens.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, ItemImpl, Signature, Token, Visibility};

/// What holds functions.
pub(crate) struct Container {
    /// Everything before the braces.
    pub(crate) head: TokenStream,
    /// `impl` or `mod`, as written.
    pub(crate) word: TokenTree,
    /// The braces; `None` for a module in another file.
    pub(crate) body: Option<Group>,
    /// Every function is meant, not only the public ones.
    pub(crate) of_trait: bool,
}

/// A part of a container.
pub(crate) enum Member {
    Function(Box<Function>),
    Other(TokenStream),
}

/// A function with a body.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    /// The word `default` of a specialisation.
    pub(crate) default: Option<Ident>,
    pub(crate) sig: Signature,
    pub(crate) body: TokenTree,
}

/// `None`: the item is something else.
pub(crate) fn parse(item: &TokenStream) -> Option<Container> {
    let word = (|input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        let _: Visibility = input.parse()?;
        let _: Option<Token![unsafe]> = input.parse()?;
        let word = if input.peek(Token![impl]) || input.peek(Token![mod]) { input.parse()? } else { None };
        input.parse::<TokenStream>()?;
        Ok(word)
    })
    .parse2(item.clone());
    let word: TokenTree = word.ok()??;
    let mut head: Vec<_> = item.clone().into_iter().collect();
    let last = head.pop_if(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace));
    let body = match last {
        Some(TokenTree::Group(group)) => Some(group),
        _ => None,
    };
    let head: TokenStream = head.into_iter().collect();
    let braces: TokenStream =
        [TokenTree::Group(Group::new(Delimiter::Brace, TokenStream::new()))].into_iter().collect();
    let alone = head.clone().into_iter().chain(braces).collect();
    let of_trait = syn::parse2::<ItemImpl>(alone).is_ok_and(|block| block.trait_.is_some());
    Some(Container { head, word, body, of_trait })
}

/// The parts of a container's body, in their order.
pub(crate) fn members(body: &Group) -> syn::Result<Vec<Member>> {
    let parser = |input: ParseStream<'_>| {
        let mut members = Vec::new();
        let inner = input.call(Attribute::parse_inner)?;
        members.push(Member::Other(quote::quote!(#(#inner)*)));
        while !input.is_empty() {
            members.push(member(input)?);
        }
        Ok(members)
    };
    parser.parse2(body.stream())
}

fn member(input: ParseStream<'_>) -> syn::Result<Member> {
    let attrs = input.call(Attribute::parse_outer)?;
    if head(&input.fork()).is_ok() {
        let (vis, default, sig) = head(input)?;
        return Ok(Member::Function(Box::new(Function { attrs, vis, default, sig, body: input.parse()? })));
    }
    // A semicolon or braces end an item; what is cut in two by that comes out as it was.
    let until_semicolon =
        [input.peek(Token![const]), input.peek(Token![static]), input.peek(Token![use])].contains(&true);
    let mut tokens = quote::quote!(#(#attrs)*);
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !until_semicolon,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        tokens.extend([token]);
        if ends {
            break;
        }
    }
    Ok(Member::Other(tokens))
}

fn head(input: ParseStream<'_>) -> syn::Result<(Visibility, Option<Ident>, Signature)> {
    let vis = input.parse()?;
    let default = input.fork().call(Ident::parse_any).is_ok_and(|word| word == "default");
    let default = if default { Some(input.call(Ident::parse_any)?) } else { None };
    let sig = input.parse()?;
    if input.peek(syn::token::Brace) { Ok((vis, default, sig)) } else { Err(input.error("no body")) }
}
