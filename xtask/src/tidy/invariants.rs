//! An invariant in ARCHITECTURE.md or in the head of a file, and a rule for hosts, names a test that exists.

use super::Finding;
use super::tree::Tree;

/// Pages of promises, and the heading above them.
const PAGES: [(&str, &str); 2] = [("ARCHITECTURE.md", "## Invariants"), ("docs/hosts.md", "## Rules")];

/// A sentence that says "never" or "only", and where it stands.
struct Promise<'a> {
    path: &'a str,
    line: usize,
    text: String,
}

pub(crate) fn invariants_name_a_test(tree: &Tree) -> Vec<Finding> {
    let mut promises: Vec<_> = PAGES.iter().flat_map(|&(page, heading)| on_a_page(tree, page, heading)).collect();
    // In a file's own head the tests may simply stand below, so only a wrong name is a mistake there.
    promises.extend(in_heads(tree).filter(|promise| test_names(&promise.text).next().is_some()));
    promises.iter().filter_map(|promise| broken(tree, promise)).collect()
}

fn broken(tree: &Tree, promise: &Promise<'_>) -> Option<Finding> {
    let mut names = test_names(&promise.text).peekable();
    let what = if names.peek().is_none() {
        "the invariant names no test".to_owned()
    } else {
        format!("there is no test `{}`", names.find(|name| !exists(tree, name))?)
    };
    let help = "end the sentence with (`tests/name.rs`), (`name_of_the_test`) or (`cargo xtask name`)";
    Some(Finding { path: promise.path.to_owned(), line: promise.line, what, help })
}

/// The list below the heading; an item may go on on the next lines.
fn on_a_page<'a>(tree: &'a Tree, path: &'a str, heading: &str) -> Vec<Promise<'a>> {
    let page = tree.find(path).map_or("", |file| &file.text);
    let mut promises: Vec<Promise<'_>> = Vec::new();
    let lines = page.lines().enumerate().skip_while(|(_, line)| *line != heading).skip(1);
    for (index, line) in lines.take_while(|(_, line)| !line.starts_with("## ")) {
        if line.starts_with("- ") {
            promises.push(Promise { path, line: index + 1, text: line.to_owned() });
        } else if let Some(last) = promises.last_mut() {
            last.text.push_str(line);
        }
    }
    promises
}

/// The lines `//! Invariant:` at the top of the sources.
fn in_heads(tree: &Tree) -> impl Iterator<Item = Promise<'_>> {
    tree.sources().flat_map(|file| {
        let head = file.text.lines().enumerate().take_while(|(_, line)| line.starts_with("//!"));
        head.filter_map(|(index, line)| {
            let text = line.strip_prefix("//! Invariant:")?.to_owned();
            Some(Promise { path: &file.path, line: index + 1, text })
        })
    })
}

/// What stands in backticks between parentheses that start so.
fn test_names(text: &str) -> impl Iterator<Item = &str> {
    let groups = text.split("(`").skip(1).map(|rest| rest.split(')').next().unwrap_or_default());
    groups.flat_map(|group| group.split('`').step_by(2))
}

fn exists(tree: &Tree, name: &str) -> bool {
    if name == "tests" || name.starts_with("cargo xtask ") {
        return true;
    }
    if name.ends_with(".rs") {
        return tree.sources().any(|file| file.path.ends_with(name));
    }
    let declared = format!("fn {name}(");
    tree.sources().any(|file| file.text.contains(&declared))
}

#[cfg(test)]
mod tests {
    use super::invariants_name_a_test;
    use crate::tidy::check;

    #[test]
    fn a_promise_that_nothing_holds() {
        let page = "- never (`not_in_the_list`)\n\
                    ## Invariants\n\n\
                    - held (`kept`)\n\
                    - held too\n  (`a/tests/whole.rs`)\n\
                    - counted (`cargo xtask cost`)\n\
                    - gone (`removed`)\n\
                    - never held\n\
                    ## Next\n\
                    - free\n";
        check(
            invariants_name_a_test,
            &[
                ("ARCHITECTURE.md", page),
                (
                    "docs/hosts.md",
                    "## Rules\n### One\n- a (`kept`), b (`cargo xtask cost`, `gone`). `c` (or d)\n- e (f)\n",
                ),
                ("a/src/lib.rs", "//! x\n//! Invariant: y (`tests/gone.rs`).\n"),
                ("a/src/small.rs", "//! x\n//! Invariant: y (`tests` below).\n//! Invariant: obvious.\n"),
                ("a/tests/whole.rs", "//! x\n#[test]\nfn kept() {}\n"),
            ],
            &[
                "ARCHITECTURE.md:8: there is no test `removed`",
                "ARCHITECTURE.md:9: the invariant names no test",
                "docs/hosts.md:3: there is no test `gone`",
                "docs/hosts.md:4: the invariant names no test",
                "a/src/lib.rs:2: there is no test `tests/gone.rs`",
            ],
        );
    }
}
