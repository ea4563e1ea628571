//! Reads OpenTelemetry's names from the source of the published crate, since it offers no table of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process;

const PUBLISHED: &str = "opentelemetry-semantic-conventions";

const HEADER: &str = "// Generated from the source of opentelemetry-semantic-conventions by `cargo xtask codegen`. Do not edit.\n\
                      //! OpenTelemetry's own names, sorted.\n\n";

/// What the published source says about a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// In use; the smallest, so that it wins where two constants have one name.
    Stable,
    Development,
    Moved,
    Renamed(String),
    Gone(String),
}

/// The text of the table, not yet formatted.
pub(crate) fn table() -> Result<String, String> {
    let source = published()?.join("src");
    let read = |file: &str| {
        fs::read_to_string(source.join(file))
            .map_err(|error| format!("`{PUBLISHED}` has no readable `src/{file}`: {error}"))
    };
    let attributes = names(&read("attribute.rs")?)?;
    let metrics = names(&read("metric.rs")?)?;
    let all = attributes.keys().chain(metrics.keys());
    let roots: BTreeSet<&str> = all.filter_map(|name| Some(name.split_once('.')?.0)).collect();
    let roots: Vec<&str> = roots.into_iter().collect();
    Ok(format!(
        "{HEADER}use crate::upstream::UpstreamName;\n\
         use crate::upstream::UpstreamStatus::{{Development, Gone, Moved, Renamed, Stable}};\n\n\
         /// Every attribute, sorted by key.\n\
         pub static UPSTREAM_ATTRIBUTES: &[UpstreamName] = &[\n{}];\n\n\
         /// Every metric, sorted by name.\n\
         pub static UPSTREAM_METRICS: &[UpstreamName] = &[\n{}];\n\n\
         /// Every root namespace, sorted; a registry of ours or a user's defines nothing below them.\n\
         pub static UPSTREAM_NAMESPACES: &[&str] = &{roots:?};\n",
        rows(&attributes),
        rows(&metrics),
    ))
}

fn rows(names: &BTreeMap<String, Status>) -> String {
    // The statuses hold texts only, so their debug form is Rust.
    names.iter().map(|(name, status)| format!("UpstreamName::new({name:?}, {status:?}),\n")).collect()
}

/// Where cargo keeps the published crate.
fn published() -> Result<PathBuf, String> {
    let host = process::capture(process::command("rustc", &["-vV"]))?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("`rustc -vV` names no host")?;
    // Of this platform only: other platforms' packages need not be on this machine.
    let words = ["metadata", "--format-version=1", "--filter-platform", host];
    let metadata = process::capture(process::cargo(&words))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| format!("`cargo metadata`: {error}"))?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest =
        packages.find(|package| package["name"] == PUBLISHED).and_then(|found| found["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    folder.map(Path::to_owned).ok_or_else(|| format!("`{PUBLISHED}` is no dependency of the workspace"))
}

/// Each name of a source file, its rename chain followed to the end.
fn names(source: &str) -> Result<BTreeMap<String, Status>, String> {
    let mut parts = source.split("\npub const ");
    let mut before = parts.next().unwrap_or_default();
    let mut found: BTreeMap<String, Status> = BTreeMap::new();
    for part in parts {
        let name = part.split('"').nth(1).ok_or_else(|| format!("a constant without a text: `{part}`"))?;
        let attributes = before.rsplit_once("\";\n").map_or(before, |(_, attributes)| attributes);
        let status = status(attributes);
        // Two constants can have one name, one of them under its old spelling.
        let held = found.entry(name.to_owned()).or_insert_with(|| status.clone());
        *held = status.min(held.clone());
        before = part;
    }
    let ends: BTreeMap<String, Status> =
        found.iter().map(|(name, status)| (name.clone(), end(status, &found))).collect();
    Ok(ends)
}

fn status(attributes: &str) -> Status {
    let Some((_, note)) = attributes.split_once("#[deprecated(") else {
        return if attributes.contains("semconv_experimental") { Status::Development } else { Status::Stable };
    };
    let note = note.split_once("note = \"").and_then(|(_, note)| note.rsplit_once('"')).map_or("", |(note, _)| note);
    let note = note.replace("\\n", " ").replace("\\\"", "\"");
    let note = note.trim_start_matches('{').trim_end_matches('}');
    let (words, reason) = note.rsplit_once("reason: ").unwrap_or((note, ""));
    let words = words.trim_start_matches("note: ").trim_end().trim_end_matches(',').trim_end();
    if let Some((_, to)) = reason.split_once("renamed_to: ") {
        return Status::Renamed(to.trim().to_owned());
    }
    // Renamed while it moved to the repository of the GenAI conventions: only the words say so.
    if let Some((to, rest)) = words.strip_prefix("Replaced by `").and_then(|rest| rest.split_once('`'))
        && rest.starts_with(", which has moved")
    {
        return Status::Renamed(to.to_owned());
    }
    if words.starts_with("Moved to ") { Status::Moved } else { Status::Gone(words.to_owned()) }
}

/// Follows renames; a chain that leads out of the table, or in a circle, ends where it was last known.
fn end(status: &Status, all: &BTreeMap<String, Status>) -> Status {
    let mut status = status;
    for _ in 0..all.len() {
        match status {
            Status::Renamed(to) => match all.get(to) {
                Some(next @ (Status::Renamed(_) | Status::Gone(_))) => status = next,
                _ => break,
            },
            _ => break,
        }
    }
    status.clone()
}

#[cfg(test)]
mod tests {
    use super::{Status, names};

    fn check(source: &str, expected: &[(&str, Status)]) {
        let found = names(source).expect("well-formed");
        let expected = expected.iter().map(|(name, status)| ((*name).to_owned(), status.clone())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn statuses() {
        let renamed = |from: &str, to: &str| {
            format!(
                "\n#[deprecated(\n    note = \"{{note: Replaced by `{to}`., reason: renamed, renamed_to: {to}}}\"\n)]\npub const X: &str = \"{from}\";\n"
            )
        };
        check("\npub const A: &str = \"a.b\";\n", &[("a.b", Status::Stable)]);
        check(
            "\n#[cfg(feature = \"semconv_experimental\")]\npub const A: &str =\n    \"a.b\";\n",
            &[("a.b", Status::Development)],
        );
        check(
            &format!("{}{}\npub const C: &str = \"c.c\";\n", renamed("a.a", "b.b"), renamed("b.b", "c.c")),
            &[("a.a", Status::Renamed("c.c".into())), ("b.b", Status::Renamed("c.c".into())), ("c.c", Status::Stable)],
        );
        let circle = renamed("a.a", "b.b") + &renamed("b.b", "a.a");
        assert!(names(&circle).is_ok(), "a circle ends");
        check(
            "\n#[deprecated(note = \"{note: Split to `x`., reason: obsoleted}\")]\npub const A: &str = \"a.b\";\n",
            &[("a.b", Status::Gone("Split to `x`.".into()))],
        );
        check(
            "\n#[deprecated(note = \"{note: Moved to [x](y).\\n, reason: uncategorized}\")]\npub const A: &str = \"a.b\";\n",
            &[("a.b", Status::Moved)],
        );
    }
}
