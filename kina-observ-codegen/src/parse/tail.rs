//! Finds the future that a function ends in; what stands before it stays as it is.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A body that ends in `async move { .. }` or `Box::pin(async move { .. })`.
pub(crate) struct Tail {
    /// The statements before it.
    pub(crate) before: Vec<TokenTree>,
    /// `Box::pin` and its parentheses, if it is boxed.
    pub(crate) boxed: Option<(TokenStream, Group)>,
    /// `async`, and `move` if it is there.
    pub(crate) words: TokenStream,
    /// The body of the future.
    pub(crate) body: Group,
}

/// Looks at the last tokens of a body only.
pub(crate) fn find(body: &Group) -> Option<Tail> {
    let mut before: Vec<_> = body.stream().into_iter().collect();
    match before.last()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            let parentheses = group.clone();
            before.pop();
            let mut inside: Vec<_> = parentheses.stream().into_iter().collect();
            inside.pop_if(|token| is_punct(token, ','));
            let (words, future) = future(&mut inside)?;
            let path = path_to_pin(&mut before)?;
            let whole = inside.is_empty() && starts_an_expression(&before);
            whole.then_some(Tail { before, boxed: Some((path, parentheses)), words, body: future })
        }
        _ => {
            let (words, future) = future(&mut before)?;
            starts_an_expression(&before).then_some(Tail { before, boxed: None, words, body: future })
        }
    }
}

/// Takes `async move { .. }` from the end.
fn future(tokens: &mut Vec<TokenTree>) -> Option<(TokenStream, Group)> {
    let Some(TokenTree::Group(body)) = tokens.pop() else { return None };
    let moves = tokens.pop_if(|token| is_word(token, "move"));
    let starts = tokens.pop_if(|token| is_word(token, "async"))?;
    (body.delimiter() == Delimiter::Brace).then(|| ([starts].into_iter().chain(moves).collect(), body))
}

/// Takes `Box::pin`, with any path before it, from the end.
fn path_to_pin(tokens: &mut Vec<TokenTree>) -> Option<TokenStream> {
    let mut path = Vec::new();
    loop {
        match tokens.pop_if(|token| matches!(token, TokenTree::Ident(_))) {
            Some(segment) if !path.is_empty() || is_word(&segment, "pin") => path.push(segment),
            _ => return None,
        }
        for _ in 0..2 {
            let Some(colon) = tokens.pop_if(|token| is_punct(token, ':')) else {
                path.reverse();
                return (path.len() > 1).then(|| path.into_iter().collect());
            };
            path.push(colon);
        }
        if !matches!(tokens.last(), Some(TokenTree::Ident(_))) {
            path.reverse();
            return Some(path.into_iter().collect());
        }
    }
}

/// Whether what follows these tokens is an expression of its own.
fn starts_an_expression(before: &[TokenTree]) -> bool {
    match before.last() {
        None => true,
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        Some(token) => is_punct(token, ';'),
    }
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_word(token: &TokenTree, wanted: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(body: &str) -> Option<String> {
        let Some(TokenTree::Group(body)) = body.parse::<TokenStream>().expect("tokens").into_iter().next() else {
            panic!("a block")
        };
        let Tail { before, boxed, words, body } = find(&body)?;
        let before: TokenStream = before.into_iter().collect();
        let path = boxed.map(|(path, _)| path);
        Some(format!("{before} | {} | {words} | {body}", path.unwrap_or_default()).replace(' ', ""))
    }

    #[test]
    fn the_last_expression_is_found() {
        assert_eq!(tail("{ async {} }").as_deref(), Some("||async|{}"));
        assert_eq!(tail("{ a(); async move { 1 } }").as_deref(), Some("a();||asyncmove|{1}"));
        assert_eq!(tail("{ Box::pin(async move { 1 },) }").as_deref(), Some("|Box::pin|asyncmove|{1}"));
        assert_eq!(
            tail("{ if a {} ::std::boxed::Box::pin(async { 1 }) }").as_deref(),
            Some("ifa{}|::std::boxed::Box::pin|async|{1}")
        );
    }

    #[test]
    fn nothing_else_is() {
        for body in [
            "{}",
            "{ async {}; }",
            "{ x(async {}) }",
            "{ pin(async {}) }",
            "{ Box::pin(x) }",
            "{ x.pin(async {}) }",
            "{ Box::pin(async {}) as _ }",
            "{ Box::pin(f(async {})) }",
            "{ return async {} }",
            "{ a + async {} }",
            "{ -Box::pin(async {}) }",
        ] {
            assert_eq!(tail(body), None, "{body}");
        }
    }
}
