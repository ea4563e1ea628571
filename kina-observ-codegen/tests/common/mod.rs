//! Helpers of the tests: expands text, reads the mistakes back, counts tokens.

#![allow(dead_code)] // each test binary uses its part

use std::path::Path;

use kina_observ_codegen::{expand, kinds, registry::Registry};
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A crate with a component, a registry of its own and the marker.
pub(crate) fn acme() -> &'static Registry {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/acme");
    Registry::for_crate(&dir).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]))
}

pub(crate) fn tokens(text: &str) -> TokenStream {
    text.parse().expect("valid tokens")
}

/// Expands source whose first attribute is ours: `#[ffi_span(..)] fn ..`, a derive, or a macro call.
pub(crate) fn expanded(source: &str, registry: &Registry) -> TokenStream {
    let all = tokens(source);
    let mut rest = all.clone().into_iter();
    let (Some(TokenTree::Punct(hash)), Some(TokenTree::Group(attribute))) = (rest.next(), rest.next()) else {
        panic!("the source starts with an attribute");
    };
    assert_eq!(hash.as_char(), '#');
    let mut inside = attribute.stream().into_iter();
    let name = inside.next().expect("a name").to_string();
    let arguments = match inside.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let item: TokenStream = rest.collect();
    match name.as_str() {
        "ffi_span" => expand::attribute_with(&kinds::FFI_SPAN, arguments, item, registry),
        "span" => expand::attribute_with(&kinds::SPAN, arguments, item, registry),
        "kernel" => expand::attribute_with(&kinds::KERNEL, arguments, item, registry),
        "stream_sync" => expand::attribute_with(&kinds::STREAM_SYNC, arguments, item, registry),
        "alloc_traced" => expand::attribute_with(&kinds::ALLOC_TRACED, arguments, item, registry),
        "derive" if arguments.to_string() == "FfiError" => expand::ffi_error(item),
        "derive" if arguments.to_string() == "FfiStruct" => expand::ffi_struct(item),
        "derive" if arguments.to_string() == "FfiEnum" => expand::ffi_enum_with(item, registry),
        "export_c_api" => expand::export_c_api(arguments),
        other => panic!("no macro `{other}`"),
    }
}

/// The texts of the compile errors in an expansion.
pub(crate) fn mistakes(expansion: TokenStream) -> Vec<String> {
    let all: Vec<TokenTree> = expansion.into_iter().collect();
    let mut found = Vec::new();
    for (index, token) in all.iter().enumerate() {
        if let TokenTree::Ident(word) = token
            && word == "compile_error"
            && let Some(TokenTree::Group(group)) = all.get(index + 2)
        {
            let literal = syn::parse2::<syn::LitStr>(group.stream()).expect("a text");
            found.push(literal.value());
        }
    }
    found
}

/// Tokens as the compiler counts them: `::` is one, a pair of brackets two.
pub(crate) fn count(stream: TokenStream) -> usize {
    let mut count = 0;
    let mut joint = false;
    for token in stream {
        let continues = joint;
        joint = false;
        match token {
            TokenTree::Group(group) => {
                count += count_of(group.delimiter()) + self::count(group.stream());
            }
            TokenTree::Punct(punct) => {
                joint = punct.spacing() == Spacing::Joint;
                count += usize::from(!continues);
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => count += 1,
        }
    }
    count
}

fn count_of(delimiter: Delimiter) -> usize {
    if delimiter == Delimiter::None { 0 } else { 2 }
}
