//! Rules about single files: their length, their first line, and what they must not mention.

use super::Finding;
use super::code::{is_name, line_at};
use super::tree::{File, Tree};

/// At 250 lines look for the second subject; past this a reader loses the first.
const LONGEST: usize = 400;

/// Paths under these belong to one machine.
const PATHS: [&str; 5] = ["work", "farm", "root", "home", "Users"];

/// Hosts of registries, in two parts so that this file keeps its own rule.
const HOSTS: [(&str, &str); 5] =
    [("crates", ".io"), ("pypi", ".org"), ("npmjs", ".org"), ("npmjs", ".com"), ("deb.debian", ".org")];

pub(crate) fn files_are_short(tree: &Tree) -> Vec<Finding> {
    written_by_hand(tree)
        .map(|file| (file, file.text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(file, lines)| Finding {
            path: file.path.clone(),
            line: LONGEST + 1,
            what: format!("{lines} lines, {LONGEST} are the limit"),
            help: "find the second subject and give it a file of its own",
        })
        .collect()
}

pub(crate) fn files_say_what_they_are_for(tree: &Tree) -> Vec<Finding> {
    tree.sources()
        .filter(|file| !file.is_golden())
        // A generated file says on its first line where it comes from; its purpose follows.
        .filter(|file| {
            let text = match file.text.split_once('\n') {
                Some((first, rest)) if first.starts_with("// Generated from ") => rest,
                _ => &file.text,
            };
            !text.starts_with("//!")
        })
        .map(|file| Finding {
            path: file.path.clone(),
            line: 1,
            what: "the first line is no `//!` line".to_owned(),
            help: "say in one sentence what the file is for",
        })
        .collect()
}

pub(crate) fn no_path_of_a_machine(tree: &Tree) -> Vec<Finding> {
    let hosts = HOSTS.map(|(name, domain)| format!("{name}{domain}"));
    tree.files()
        // Cargo writes the registry's address into its own file.
        .filter(|file| !file.path.ends_with("Cargo.lock"))
        .flat_map(|file| {
            let paths = machine_paths(&file.text).map(|(at, path)| (at, path.to_owned()));
            let hosts = hosts.iter().flat_map(|host| {
                let found = file.text.match_indices(host.as_str());
                found.map(|(at, found)| (at, found.to_owned()))
            });
            paths.chain(hosts).map(|(at, found)| Finding {
                path: file.path.clone(),
                line: line_at(&file.text, at),
                what: format!("mentions `{found}`, which belongs to one machine"),
                help: "write a path relative to the repository, or name the thing without its host",
            })
        })
        .collect()
}

/// Absolute paths that start with one of `PATHS`.
fn machine_paths(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('/').filter_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        if before.is_some_and(is_name) {
            return None;
        }
        let rest = &text[at + 1..];
        let name = PATHS.iter().find(|name| rest.strip_prefix(**name).is_some_and(|tail| tail.starts_with('/')))?;
        Some((at, &text[at..at + name.len() + 2]))
    })
}

fn written_by_hand(tree: &Tree) -> impl Iterator<Item = &File> {
    tree.sources().filter(|file| !file.is_golden() && !file.path.contains("/generated/"))
}

#[cfg(test)]
mod tests {
    use super::{files_are_short, files_say_what_they_are_for, no_path_of_a_machine};
    use crate::tidy::check;

    #[test]
    fn a_long_file() {
        let fits = "//! x\n".repeat(400);
        let long = "//! x\n".repeat(401);
        check(
            files_are_short,
            &[
                ("a/src/fits.rs", &fits),
                ("a/src/generated/table.rs", &long),
                ("a/src/long.rs", &long),
                ("a/tests/golden/long.rs", &long),
                ("docs/long.md", &long),
            ],
            &["a/src/long.rs:401: 401 lines, 400 are the limit"],
        );
    }

    #[test]
    fn a_missing_first_line() {
        check(
            files_say_what_they_are_for,
            &[
                ("a/src/generated/table.rs", "// Generated from x by y.\n//! Why.\n"),
                ("a/src/good.rs", "//! Why.\nfn f() {}\n"),
                ("a/src/late.rs", "\n//! Why.\n"),
                ("a/src/none.rs", "fn f() {}\n"),
            ],
            &["a/src/late.rs:1: the first line is no `//!` line", "a/src/none.rs:1: the first line is no `//!` line"],
        );
    }

    #[test]
    fn a_path_of_a_machine() {
        let home = format!("see {}{}ann/x\n", "/ho", "me/");
        let fine = "a relative work/x, ${HOME}/x, https://example.org/work/x and /rooted/x\n";
        let host = format!("one\ntwo {}{}\n", "crates", ".io");
        check(
            no_path_of_a_machine,
            &[("Cargo.lock", &host), ("README.md", fine), ("docs/a.md", &home), ("docs/b.md", &host)],
            &[
                &format!("docs/a.md:1: mentions `{}{}`, which belongs to one machine", "/ho", "me/"),
                &format!("docs/b.md:2: mentions `{}{}`, which belongs to one machine", "crates", ".io"),
            ],
        );
    }
}
