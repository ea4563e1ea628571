//! Generated code names nothing that user code could have shadowed.

mod common;

use std::fs;
use std::path::Path;

use common::{acme, expanded};
use proc_macro2::{Spacing, TokenStream, TokenTree};

/// Identifiers in an expansion that start a path, are called, or are bound, and that the user did not write.
fn check(source: &str) {
    let written = idents(common::tokens(source));
    let mut strays = Vec::new();
    visit(expanded(source, acme()), &mut |before, ident, after| {
        let word = ident.to_string();
        // The name of a method or of a trait's type is looked up in its trait.
        let qualified = ["::", ".", "fn", "type"].contains(&before);
        let known = KEYWORDS.contains(&word.as_str())
            || PRIMITIVES.contains(&word.as_str())
            || word.starts_with("__kina_")
            || word.starts_with("__KINA_")
            || word.starts_with("__Kina")
            // What the body is meant to see.
            || word == "observ"
            || word == "__add_kina_observ_conventions_to_the_crate_root";
        // Names of fields and attributes are looked up in our own types and in the language.
        let label = after == ":" || before == "#";
        if !qualified && !known && !label && !written.contains(&word) {
            strays.push(word);
        }
    });
    assert!(strays.is_empty(), "{strays:?} in the expansion of\n{source}");
}

const KEYWORDS: [&str; 29] = [
    "fn", "let", "if", "else", "match", "return", "move", "mut", "unsafe", "extern", "static", "const", "use", "as",
    "struct", "impl", "for", "crate", "self", "Self", "loop", "true", "false", "type", "mod", "pub", "in", "ref", "_",
];
// Also the attributes that we write.
const PRIMITIVES: [&str; 21] = [
    "i32",
    "u8",
    "u32",
    "u64",
    "usize",
    "f64",
    "bool",
    "str",
    "inline",
    "never",
    "cold",
    "allow",
    "derive",
    "export_name",
    "unused_variables",
    "dead_code",
    "improper_ctypes_definitions",
    "automatically_derived",
    "doc",
    "a",
    "static",
];

fn idents(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    visit(tokens, &mut |_, ident, _| found.push(ident.to_string()));
    found
}

fn visit(tokens: TokenStream, found: &mut impl FnMut(&str, &proc_macro2::Ident, &str)) {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut before = String::new();
    let mut joint = false;
    for (index, token) in all.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) => {
                let after = match all.get(index + 1) {
                    Some(TokenTree::Punct(next)) if next.as_char() == ':' && next.spacing() == Spacing::Alone => ":",
                    _ => "",
                };
                found(&before, ident, after);
                before.clear();
                if ident == "fn" || ident == "type" {
                    before.push_str(&ident.to_string());
                }
            }
            TokenTree::Punct(punct) => {
                // Of `a: ::b` the last two colons belong together.
                if !joint {
                    before.clear();
                }
                before.push(punct.as_char());
                joint = punct.spacing() == Spacing::Joint;
                continue;
            }
            TokenTree::Group(group) => {
                let inside = group.stream();
                if before == "#" {
                    // The first word of an attribute.
                    let mut words = inside.into_iter();
                    if let Some(TokenTree::Ident(ident)) = words.next() {
                        found("#", &ident, "");
                    }
                    visit(words.collect(), found);
                } else {
                    visit(inside, found);
                }
                before.clear();
            }
            TokenTree::Literal(_) => before.clear(),
        }
        joint = false;
    }
}

#[test]
fn expansions_name_only_absolute_paths() {
    for source in [
        r#"#[ffi_span("acme.all", export = "acme_all")]
           fn all(m: i64, ratio: f64, fast: bool, label: &str, e: &mut [u8], d: DType) -> Result<u64, E> { body() }"#,
        r#"#[ffi_span("acme.all", export = "acme_all", error = out)]
           fn all(m: i64, ratio: f64, fast: bool, #[ffi(secret)] #[ffi(nullable)] text: &str, label: Option<&str>, #[ffi(len = "m")] e: &mut [u8],
                  g: extern "C-unwind" fn(u64)) -> Result<u64, E> { body() }"#,
        r#"#[derive(FfiStruct)] #[repr(C)] struct Extent { rows: i64 }"#,
        r#"#[ffi_span("acme.four", returns = Result<u64, E>, out = out, late(acme.k, acme.n))]
           #[unsafe(no_mangle)] unsafe extern "C" fn four(out: *mut u64, batch: i64, m: i64) -> i32 { body() }"#,
        r#"#[ffi_span("acme.four")]
           #[unsafe(no_mangle)] extern "C" fn four(batch: i64, m: i64, n: i64, k: i64) -> i32 { body() }"#,
        r#"#[span("runtime.kernel.execute", parent = c)] fn f<T>(kernel: &str, stream_id: u64, c: &C) -> R<T> { body() }"#,
        r#"#[span("acme.all", late(acme.ratio, acme.fast, acme.label))] fn f(&self, m: i64) -> impl Sized { body() }"#,
        r#"#[kernel(kernel = names.pick(k))] fn f<T>(&self, stream: &Stream, shape: LaunchConfig) -> R<T> { body() }"#,
        r#"#[kernel] fn f(stream: &Stream, shape: LaunchConfig, loaded: &Function) -> R { body() }"#,
        r#"#[stream_sync("free.join")] fn f(stream: Stream, done: &Event, other: Event) -> R { body() }"#,
        r#"#[alloc_traced] fn f(bytes: usize, stream: Option<&Stream>) -> R { body() }"#,
        r#"#[alloc_traced(free, ledger = LEDGER)] unsafe fn f(&self, p: *mut u8, size: usize) { body() }"#,
        r#"#[derive(FfiEnum)] #[repr(i32)] enum E { A = 1 }"#,
        r#"#[derive(FfiError)] enum E { #[ffi_error(code = 1, help = "x")] A, #[ffi_error(transparent)] B(C) }"#,
        r#"#[export_c_api("kina")]"#,
    ] {
        check(source);
    }
}

/// `quote!` gives tokens the hygiene of the call, where user code can clash with them; there, only what is spliced in may stand.
#[test]
fn internal_names_are_not_visible_to_user_code() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in ["emit", "derive"] {
        for entry in fs::read_dir(src.join(folder)).expect("the folder") {
            let path = entry.expect("a file").path();
            let text = fs::read_to_string(&path).expect("its text");
            for (number, line) in text.lines().enumerate() {
                let Some((_, rest)) = line.split_once("quote!(") else { continue };
                let spliced: String =
                    rest.split(&['#', ' ', '(', ')', ';', ',']).filter(|word| word.starts_with("__")).collect();
                assert!(
                    spliced.is_empty() && !line.contains("::core"),
                    "{}:{}: names stand in `quote!`: {line}",
                    path.display(),
                    number + 1
                );
            }
        }
    }
}
