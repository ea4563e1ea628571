//! Mistakes and what is said about them: `tests/mistakes/*.txt` holds an input, then the errors after `>`.
//! `KINA_BLESS=1 cargo test -p kina-observ-codegen --test mistakes` rewrites what follows the inputs.

mod common;

use std::fs;
use std::path::Path;

use common::{acme, expanded, mistakes, tokens};

fn answer(input: &str) -> String {
    let expansion = expanded(input, acme());
    let item: Vec<_> = tokens(input).into_iter().skip(2).collect();
    let found = mistakes(expansion.clone());
    assert!(!found.is_empty(), "no mistake in:\n{input}");
    // A derive adds to the item, and in a block the other functions are expanded; else an attribute gives it back. A body that was promised something is wrapped, and `#[ffi(..)]` is taken off.
    let promised = input.contains("late(") || input.contains("returns =") || input.contains("#[ffi");
    let kept = if promised { &item[item.len() - 1..] } else { &item[..] };
    let kept = kept.iter().cloned().collect::<proc_macro2::TokenStream>().to_string();
    assert!(
        input.starts_with("#[derive") || input.contains("\nimpl ") || expansion.to_string().contains(&kept),
        "the item is not given back:\n{input}"
    );
    found.iter().map(|text| format!("> {}\n", text.replace('\n', "\n> | "))).collect()
}

fn check(subject: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes").join(subject).with_extension("txt");
    let file = fs::read_to_string(&path).expect("the table");
    let mut text = String::new();
    for case in file.split("\n\n") {
        let input: String =
            case.lines().filter(|line| !line.starts_with('>')).map(|line| format!("{line}\n")).collect();
        if input.trim().is_empty() {
            continue;
        }
        text.push_str(&format!("{input}{}\n", answer(&input)));
    }
    if std::env::var_os("KINA_BLESS").is_some() {
        fs::write(&path, &text).expect("the table is written");
    } else {
        assert!(file == text, "{subject} has changed; bless it and read the difference:\n{text}");
    }
}

#[test]
fn arguments() {
    check("arguments");
}

#[test]
fn names() {
    check("names");
}

#[test]
fn signatures() {
    check("signatures");
}

#[test]
fn outcomes() {
    check("outcomes");
}

#[test]
fn spans() {
    check("spans");
}

#[test]
fn device() {
    check("device");
}

#[test]
fn derives() {
    check("derives");
}
