//! `unsafe` stands only in the files that ARCHITECTURE.md lists, and the list has no stale line.

use super::Finding;
use super::code::{code_only, line_at, words};
use super::tree::Tree;

const LIST: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Files with `unsafe`";

pub(crate) fn unsafe_is_listed(tree: &Tree) -> Vec<Finding> {
    let listed = listed(tree);
    let mut findings: Vec<Finding> = tree
        .sources()
        // The mistakes that the ui-tests show are never run, and a golden repeats what `emit/` is listed for.
        .filter(|file| !file.path.starts_with("ui-tests/") && !file.is_golden())
        .filter(|file| listed.iter().all(|(path, _)| *path != file.path))
        .filter_map(|file| Some((file, first_unsafe(&file.text)?)))
        .map(|(file, line)| Finding {
            path: file.path.clone(),
            line,
            what: format!("`unsafe` in a file that {LIST} does not list"),
            help: "use what a listed file offers, or add this one to the list with its reason",
        })
        .collect();
    findings.extend(
        listed
            .iter()
            .filter(|(path, _)| {
                let file = tree.find(path);
                file.is_none_or(|file| first_unsafe(&file.text).is_none())
            })
            .map(|(path, line)| Finding {
                path: LIST.to_owned(),
                line: *line,
                what: format!("`{path}` has no `unsafe`"),
                help: "take it off the list",
            }),
    );
    findings
}

/// The lines "- `path`: reason" below the heading.
fn listed(tree: &Tree) -> Vec<(&str, usize)> {
    let text = tree.find(LIST).map_or("", |file| &file.text);
    text.lines()
        .enumerate()
        .skip_while(|(_, line)| *line != HEADING)
        .skip(1)
        .take_while(|(_, line)| !line.starts_with("## "))
        .filter_map(|(index, line)| {
            let (path, _) = line.strip_prefix("- `")?.split_once('`')?;
            Some((path, index + 1))
        })
        .collect()
}

/// `#[unsafe(no_mangle)]` promises something about a name and touches no memory.
fn first_unsafe(text: &str) -> Option<usize> {
    let code = code_only(text);
    let mut found = words(&code, "unsafe");
    let at = found.find(|at| !code[at + "unsafe".len()..].starts_with('('))?;
    Some(line_at(&code, at))
}

#[cfg(test)]
mod tests {
    use super::unsafe_is_listed;
    use crate::tidy::check;

    #[test]
    fn an_unlisted_file_and_a_stale_line() {
        check(
            unsafe_is_listed,
            &[
                (
                    "ARCHITECTURE.md",
                    "- `a/src/bad.rs`\n## Files with `unsafe`\n\n- `a/src/ring.rs`: slots\n- `a/src/old.rs`: gone\n## Next\n",
                ),
                ("a/src/bad.rs", "//! x\nfn f() {\n    unsafe { g() }\n}\n"),
                ("a/src/old.rs", "//! no `unsafe` here\n"),
                ("a/src/ring.rs", "unsafe impl Send for Ring {}\n"),
                ("a/src/symbol.rs", "#[unsafe(no_mangle)]\nfn f() {}\n"),
                ("ui-tests/tests/ui/x.rs", "unsafe fn f() {}\n"),
            ],
            &[
                "a/src/bad.rs:3: `unsafe` in a file that ARCHITECTURE.md does not list",
                "ARCHITECTURE.md:5: `a/src/old.rs` has no `unsafe`",
            ],
        );
    }
}
