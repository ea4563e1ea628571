//! The licence of every package in `Cargo.lock`, for every platform, must be one that we may ship.

use crate::process::{capture, cargo};

/// SPDX ids that we accept, each with the reason.
const ALLOWED: &[(&str, &str)] = &[
    ("MIT", "our own licence"),
    ("Apache-2.0", "our own licence"),
    ("ISC", "MIT in fewer words"),
    (
        "BSD-3-Clause",
        "MIT and a clause against using names; for `bindgen`, which only builds with the feature `nvtx` run",
    ),
    ("LLVM-exception", "gives more than Apache-2.0 alone; for `nvtx-sys`"),
    ("MIT-0", "MIT without its condition"),
    ("Zlib", "permissive; asks only that changes be marked"),
    (
        "MPL-2.0",
        "copyleft for its own files only, which we use unchanged; for `cbindgen`, which only the program `kina-observ` has",
    ),
    ("Unicode-3.0", "permissive; for the tables of `unicode-ident`"),
];

/// Fails on the packages whose licence is not acceptable, all in one message.
pub(crate) fn run() -> Result<(), String> {
    let mut tree = cargo(&["tree", "--workspace", "--locked", "--all-features"]);
    tree.args(["--target", "all", "--edges", "normal,build,dev", "--prefix", "none"]);
    tree.args(["--format", "{l}|{p}"]);
    let refused = refused(&capture(tree)?);
    if refused.is_empty() {
        return Ok(());
    }
    Err(format!(
        "a dependency has a licence that we do not accept\n  {}\n\
         help: use another crate, or add the SPDX id to `xtask/src/licences.rs` with the reason",
        refused.join("\n  ")
    ))
}

/// One sentence for each refused line of `licence|package`.
fn refused(tree: &str) -> Vec<String> {
    let mut found: Vec<String> = tree
        .lines()
        .filter_map(|line| line.split_once('|'))
        .filter(|(licence, _)| !is_acceptable(licence))
        .map(|(licence, package)| {
            let package = package.split(" (").next().unwrap_or(package);
            let why = if licence.is_empty() {
                "names no licence"
            } else if ["GPL", "CDDL"].iter().any(|id| licence.contains(id)) {
                "would bind those who link us"
            } else {
                "is not in the list"
            };
            format!("`{package}`: `{licence}` {why}")
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// `AND` needs every part, `OR` (or the old `/`) one of them, `WITH` both sides.
fn is_acceptable(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ").replace(" WITH ", " AND ");
    let mut words = spaced.split_whitespace().peekable();
    let accepted = any_of(&mut words);
    accepted && words.peek().is_none()
}

type Words<'a, 'b> = &'a mut std::iter::Peekable<std::str::SplitWhitespace<'b>>;

fn any_of(words: Words<'_, '_>) -> bool {
    let mut accepted = all_of(words);
    while words.next_if_eq(&"OR").is_some() {
        accepted |= all_of(words);
    }
    accepted
}

fn all_of(words: Words<'_, '_>) -> bool {
    let mut accepted = single(words);
    while words.next_if_eq(&"AND").is_some() {
        accepted &= single(words);
    }
    accepted
}

fn single(words: Words<'_, '_>) -> bool {
    match words.next() {
        Some("(") => any_of(words) && words.next() == Some(")"),
        Some(id) => ALLOWED.iter().any(|(allowed, _)| *allowed == id),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_acceptable, refused};

    #[test]
    fn expressions() {
        for (expression, expected) in [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("MIT OR Apache-2.0 OR LGPL-2.1-or-later", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception OR MIT", true),
            ("Apache-2.0 WITH Swift-exception", false),
            ("MIT AND GPL-3.0-only", false),
            ("(GPL-2.0-only OR MIT", false),
            ("AGPL-3.0-only", false),
            ("CDDL-1.0", false),
            ("Fancy-1.0", false),
            ("", false),
        ] {
            assert_eq!(is_acceptable(expression), expected, "{expression}");
        }
    }

    #[test]
    fn every_refused_package_is_named_once() {
        let tree = "MIT|fine v1.0.0\n\
                    AGPL-3.0-only|viral v2.0.0\n\
                    AGPL-3.0-only|viral v2.0.0 (*)\n\
                    |silent v3.0.0 (proc-macro)\n\
                    Fancy-1.0|odd v4.0.0\n";
        assert_eq!(
            refused(tree),
            [
                "`odd v4.0.0`: `Fancy-1.0` is not in the list",
                "`silent v3.0.0`: `` names no licence",
                "`viral v2.0.0`: `AGPL-3.0-only` would bind those who link us",
            ]
        );
    }
}
