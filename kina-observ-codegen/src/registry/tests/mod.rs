//! Holds every rule of a registry against a file that breaks it.

mod crates;
mod names;
mod reading;
mod resolving;
mod rules;
mod weaver;

use std::fs;

use super::{Origin, parse_files};

/// Stands in a file before each place where a mistake is expected.
const HERE: char = '¦';

/// `body` comes after the line `file_format: definition/2`; `expected` are the messages at its marks.
fn check(body: &str, expected: &[&str]) {
    check_file(&format!("file_format: definition/2\n{body}"), Origin::Crate, expected);
}

fn check_file(marked: &str, origin: Origin, expected: &[&str]) {
    let mut places = Vec::new();
    for (line, text) in marked.lines().enumerate() {
        let columns = text.chars().enumerate().filter(|&(_, c)| c == HERE).map(|(column, _)| column);
        // A mark before this one on the line is not in the file.
        places.extend(columns.enumerate().map(|(earlier, column)| (line + 1, column + 1 - earlier)));
    }
    assert_eq!(places.len(), expected.len(), "one mark for each message, in\n{marked}");
    let expected: Vec<String> =
        places.iter().zip(expected).map(|((line, column), message)| format!("{line}:{column}: {message}")).collect();
    assert_eq!(mistakes(&marked.replace(HERE, ""), origin), expected, "in\n{marked}");
}

fn mistakes(text: &str, origin: Origin) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder for the file");
    fs::write(folder.path().join("acme.yaml"), text).expect("the file is written");
    let errors = parse_files(folder.path(), &["acme.yaml".into()], origin).err().unwrap_or_default();
    let shown = errors.iter().map(|error| {
        assert!(!error.help.is_empty(), "no help for `{}`", error.message);
        assert_eq!(error.file.to_str(), Some("acme.yaml"));
        format!("{}:{}: {}", error.line, error.column, error.message)
    });
    shown.collect()
}

/// An `attributes` entry `key` of type int, with more fields.
fn attribute(key: &str, more: &str) -> String {
    format!("  - {{key: {key}, type: int, stability: development, brief: B.{more}}}\n")
}

/// A file with attributes `acme.m` and `acme.n` and one span `acme.s`; `uses` is the content of its `attributes`.
fn span(uses: &str, more: &str) -> String {
    format!(
        "attributes:\n{}{}spans:\n  - type: acme.s\n    kind: internal\n    stability: development\n    brief: B.\n    \
         name: {{note: acme.s}}\n    attributes: [{uses}]\n{more}",
        attribute("acme.m", ""),
        attribute("acme.n", "")
    )
}
