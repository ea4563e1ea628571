//! Every mistake in the ui-tests has its error text, and every error text its mistake.

use super::Finding;
use super::tree::Tree;

/// Each file here is a mistake; what compiles stands beside the folder.
const MISTAKES: &str = "ui-tests/tests/ui/";

pub(crate) fn errors_and_mistakes_come_in_pairs(tree: &Tree) -> Vec<Finding> {
    let paths = tree.files().map(|file| file.path.as_str());
    paths
        .filter_map(|path| {
            let (what, help) = alone(tree, path)?;
            Some(Finding { path: path.to_owned(), line: 1, what: what.to_owned(), help })
        })
        .collect()
}

/// What is missing beside this file, and what to do.
fn alone(tree: &Tree, path: &str) -> Option<(&'static str, &'static str)> {
    if let Some(stem) = path.strip_suffix(".stderr") {
        let fixture = format!("{stem}/Cargo.toml");
        let has_mistake = tree.find(&format!("{stem}.rs")).or(tree.find(&fixture)).is_some();
        return (!has_mistake).then_some(("a `.stderr` without its mistake", "delete it, or bring the `.rs` back"));
    }
    let stem = path.strip_prefix(MISTAKES)?.strip_suffix(".rs")?;
    tree.find(&format!("{MISTAKES}{stem}.stderr")).is_none().then_some((
        "a mistake without its `.stderr`",
        "`cargo xtask bless` writes it; what compiles belongs into `ui-tests/tests/pass/`",
    ))
}

#[cfg(test)]
mod tests {
    use super::errors_and_mistakes_come_in_pairs;
    use crate::tidy::check;

    #[test]
    fn an_orphan() {
        check(
            errors_and_mistakes_come_in_pairs,
            &[
                ("ui-tests/fixtures/broken.stderr", ""),
                ("ui-tests/fixtures/broken/Cargo.toml", ""),
                ("ui-tests/fixtures/gone.stderr", ""),
                ("ui-tests/tests/pass/fine.rs", ""),
                ("ui-tests/tests/ui.rs", ""),
                ("ui-tests/tests/ui/ffi_span/lost.stderr", ""),
                ("ui-tests/tests/ui/ffi_span/mute.rs", ""),
                ("ui-tests/tests/ui/ffi_span/pair.rs", ""),
                ("ui-tests/tests/ui/ffi_span/pair.stderr", ""),
            ],
            &[
                "ui-tests/fixtures/gone.stderr:1: a `.stderr` without its mistake",
                "ui-tests/tests/ui/ffi_span/lost.stderr:1: a `.stderr` without its mistake",
                "ui-tests/tests/ui/ffi_span/mute.rs:1: a mistake without its `.stderr`",
            ],
        );
    }
}
