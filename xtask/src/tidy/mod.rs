//! `cargo xtask tidy`: the rules of the house that no compiler checks, each a function over the files.

mod code;
mod invariants;
mod manifests;
mod modules;
mod text;
mod tree;
mod ui_tests;
mod unsafety;

use std::fmt;

use crate::process::root;
use tree::Tree;

/// A rule names every place that breaks it.
type Rule = fn(&Tree) -> Vec<Finding>;

const RULES: &[Rule] = &[
    manifests::crates_depend_one_way,
    manifests::dependencies_have_reasons,
    modules::modules_depend_one_way,
    text::files_are_short,
    text::files_say_what_they_are_for,
    text::no_path_of_a_machine,
    invariants::invariants_name_a_test,
    ui_tests::errors_and_mistakes_come_in_pairs,
    unsafety::unsafe_is_listed,
];

/// One broken rule: where, what, what to do.
pub(crate) struct Finding {
    path: String,
    line: usize,
    what: String,
    help: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, what, help } = self;
        write!(f, "{path}:{line}: {what}\n  help: {help}")
    }
}

/// Applies every rule to the repository and shows all findings together.
pub(crate) fn run() -> Result<(), String> {
    let tree = tree::read(root())?;
    let findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    if findings.is_empty() {
        return Ok(());
    }
    for finding in &findings {
        eprintln!("{finding}");
    }
    let rule = if findings.len() == 1 { "rule is" } else { "rules are" };
    Err(format!("{} {rule} broken; each line above says where and what to do", findings.len()))
}

/// For the tests of the rules: the findings without their help, one a line.
#[cfg(test)]
fn check(rule: Rule, files: &[(&str, &str)], expected: &[&str]) {
    let found: Vec<String> = rule(&Tree::from(files))
        .iter()
        .map(|finding| format!("{}:{}: {}", finding.path, finding.line, finding.what))
        .collect();
    assert_eq!(found, expected);
}

#[cfg(test)]
mod tests {
    use super::{RULES, tree};
    use crate::process::root;

    #[test]
    fn this_repository_keeps_every_rule() {
        let tree = tree::read(root()).expect("the repository can be read");
        let findings: Vec<String> =
            RULES.iter().flat_map(|rule| rule(&tree)).map(|finding| finding.to_string()).collect();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }
}
