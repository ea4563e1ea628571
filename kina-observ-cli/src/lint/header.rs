//! Generated headers that are no longer what the crate exports.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Found;
use super::crates::Crate;
use super::place::{Place, shown};
use crate::check::Finding;
use crate::failure::Failure;
use crate::header::{self, Refusal};

/// How far below `Cargo.toml` a header is looked for: `include/acme/acme.h`.
const DEEPEST: usize = 3;

/// Each generated header of the crate that `kina-observ header` would write differently.
pub(super) fn drift(one: &Crate, found: &mut Vec<Found>) {
    let name = one.name.replace('-', "_");
    let mut files = Vec::new();
    headers(&one.folder, DEEPEST, &mut files);
    for file in files {
        let Ok(there) = std::fs::read_to_string(&file) else { continue };
        let Some(command) = generated_by(&there, &name) else { continue };
        let folder = shown(&one.folder).display().to_string();
        let (line, message, help) = match header::header(&one.folder, &name, command) {
            Ok(current) => {
                let Some(line) = first_difference(&there, &current) else { continue };
                let help = format!("run `{command}` in `{folder}`, and tell those who call it");
                (line, "the header is not what the crate exports".to_owned(), help)
            }
            Err(Failure::Header(refusals)) => {
                let reasons = refusals.first().map(Refusal::shown).unwrap_or_default();
                let reason = reasons.lines().next().unwrap_or_default();
                let help = format!("run `{command}` in `{folder}`: it says where, and what to do");
                (1, format!("the header cannot be written again: {reason}"), help)
            }
            Err(_) => {
                let help = format!("run `{command}` in `{folder}` to see why");
                (1, "the header cannot be written again".to_owned(), help)
            }
        };
        let place = Place { file: Rc::from(shown(&file)), line, column: 1 };
        found.push((place, Finding::error("header-drift", message, help)));
    }
}

/// The command in the first line of a header of ours.
fn generated_by<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.lines().next()?.split_once(&format!("Generated from src/lib.rs of {name} by `"))?;
    rest.split_once('`').map(|(command, _)| command)
}

/// From 1; the first line that only one of the two has counts.
fn first_difference(there: &str, current: &str) -> Option<usize> {
    let mut pairs = there.lines().zip(current.lines());
    let shorter = there.lines().count().min(current.lines().count());
    let same = pairs.position(|(left, right)| left != right);
    same.map(|index| index + 1).or_else(|| (there.lines().ne(current.lines())).then_some(shorter + 1))
}

/// Files that end with `.h`, not those of a crate in the crate, of a build or of git.
fn headers(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "h") {
            found.push(path);
        } else if depth > 0 && !name.starts_with('.') && name != "target" && !path.join("Cargo.toml").is_file() {
            headers(&path, depth - 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{first_difference, generated_by};

    #[test]
    fn where_two_headers_part() {
        for (there, current, expected) in [
            ("a\nb\n", "a\nb\n", None),
            ("a\nb\n", "a\nc\n", Some(2)),
            ("a\n", "a\nb\n", Some(2)),
            ("a\nb\n", "a\n", Some(2)),
        ] {
            assert_eq!(first_difference(there, current), expected, "{there:?}");
        }
    }

    #[test]
    fn only_a_header_of_ours_is_held_to_it() {
        let first = "/* Generated from src/lib.rs of acme by `kina-observ header --crate .`: do not edit. */\n";
        assert_eq!(generated_by(first, "acme"), Some("kina-observ header --crate ."));
        assert_eq!(generated_by(first, "other"), None);
        assert_eq!(generated_by("#pragma once\n", "acme"), None);
    }
}
