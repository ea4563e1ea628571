//! Rules about `Cargo.toml`: crates depend one way only, and every dependency says why it is there.

use super::Finding;
use super::tree::{File, Tree};

/// Who may use which of our own crates; `conventions <- codegen <- macros <- kina-observ <- the rest`.
const CRATES: &[(&str, &[&str])] = &[
    ("kina-observ-conventions", &[]),
    ("kina-observ-codegen", &["kina-observ-conventions"]),
    ("kina-observ-macros", &["kina-observ-codegen", "kina-observ-conventions"]),
    ("stub-driver", &[]),
    ("nvtx-capture", &[]),
    ("kina-observ", &["kina-observ-macros", "kina-observ-conventions", "stub-driver", "nvtx-capture"]),
    ("kina-observ-cli", &["kina-observ-codegen", "kina-observ-conventions"]),
    ("kina-observ-cost", &["kina-observ"]),
    ("kina-runtime", &["kina-observ"]),
    ("transformer-block", &["kina-observ", "kina-observ-conventions", "kina-runtime", "nvtx-capture", "stub-driver"]),
    ("host-tests", &["kina-observ", "host-tests-other"]),
    ("host-tests-other", &["kina-observ"]),
    ("ui-tests", &["kina-observ"]),
    ("xtask", &["kina-observ-codegen", "kina-observ-conventions"]),
];

/// Crates that every annotated program compiles before its own first line: all that they may use.
const CLOSED: &[(&str, &[&str])] = &[
    ("kina-observ-conventions", &[]),
    ("kina-observ-codegen", &["kina-observ-conventions", "proc-macro2", "quote", "syn", "toml-span", "yaml-rust2"]),
];

/// One dependency of a manifest.
struct Dependency<'a> {
    name: &'a str,
    line: usize,
    /// A dev-dependency never reaches the people who use the crate.
    only_tests: bool,
    has_reason: bool,
    from_table: bool,
}

pub(crate) fn crates_depend_one_way(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, name) in crates(tree) {
        let Some((_, own)) = CRATES.iter().find(|(known, _)| *known == name) else {
            findings.push(finding(
                file,
                1,
                format!("`{name}` has no line in the table of crates"),
                "add it to `CRATES` in `xtask/src/tidy/manifests.rs`",
            ));
            continue;
        };
        let closed = CLOSED.iter().find(|(known, _)| *known == name);
        for dependency in dependencies(&file.text) {
            let used = dependency.name;
            let is_ours = CRATES.iter().any(|(known, _)| *known == used);
            if is_ours && !own.contains(&used) {
                findings.push(finding(
                    file,
                    dependency.line,
                    format!("`{name}` must not depend on `{used}`"),
                    "move what is needed to the left: conventions, codegen, macros, kina-observ, examples",
                ));
            } else if let Some((_, allowed)) = closed
                && !dependency.only_tests
                && !allowed.contains(&used)
            {
                findings.push(finding(
                    file,
                    dependency.line,
                    format!("`{name}` must not depend on `{used}`"),
                    "everybody who annotates a function compiles it; do without, or change `CLOSED`",
                ));
            }
        }
    }
    findings
}

pub(crate) fn dependencies_have_reasons(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, _) in crates(tree) {
        for dependency in dependencies(&file.text) {
            let name = dependency.name;
            if !dependency.has_reason {
                findings.push(finding(
                    file,
                    dependency.line,
                    format!("dependency `{name}` gives no reason"),
                    "say in a comment, on the line or above it, what it is for",
                ));
            }
            if !dependency.from_table {
                findings.push(finding(
                    file,
                    dependency.line,
                    format!("dependency `{name}` brings its own version"),
                    "put the version into the table of the root manifest and write `workspace = true`",
                ));
            }
        }
    }
    findings
}

/// Manifests of the workspace's packages; the fixtures of the ui-tests and the fuzz target stand outside of it.
fn crates(tree: &Tree) -> impl Iterator<Item = (&File, &str)> {
    tree.files()
        .filter(|file| file.path.ends_with("/Cargo.toml"))
        .filter(|file| !file.path.contains("/fixtures/") && !file.path.contains("/fuzz/"))
        .filter_map(|file| Some((file, package_name(&file.text)?)))
}

fn package_name(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
}

/// Our manifests are plain: a dependency starts at the margin of a `[..dependencies]` section.
fn dependencies(manifest: &str) -> Vec<Dependency<'_>> {
    let mut found = Vec::new();
    let mut section = "";
    let mut above = "";
    for (index, line) in manifest.lines().enumerate() {
        let comment_above = above.starts_with('#');
        above = line;
        if let Some(header) = line.strip_prefix('[') {
            section = header.split(']').next().unwrap_or_default();
            continue;
        }
        if !section.ends_with("dependencies") || !line.starts_with(|c: char| c.is_alphanumeric()) {
            continue;
        }
        let (entry, reason) = line.split_once('#').unwrap_or((line, ""));
        found.push(Dependency {
            name: entry.split(['.', '=', ' ']).next().unwrap_or(entry),
            line: index + 1,
            only_tests: section.ends_with("dev-dependencies"),
            has_reason: comment_above || !reason.trim().is_empty(),
            from_table: entry.replace(' ', "").contains("workspace=true"),
        });
    }
    found
}

fn finding(file: &File, line: usize, what: String, help: &'static str) -> Finding {
    Finding { path: file.path.clone(), line, what, help }
}

#[cfg(test)]
mod tests {
    use super::{crates_depend_one_way, dependencies_have_reasons};
    use crate::tidy::check;

    #[test]
    fn a_dependency_that_points_right() {
        let conventions = "[package]\nname = \"kina-observ-conventions\"\n\
                           [dependencies]\nkina-observ.workspace = true # x\n\
                           [dev-dependencies]\nserde_json.workspace = true # x\n\
                           [build-dependencies]\nsyn.workspace = true # x\n";
        let codegen = "[package]\nname = \"kina-observ-codegen\"\n\
                       [dependencies]\nsyn.workspace = true # x\nserde_json = { workspace = true } # x\n\
                       [dev-dependencies]\nkina-observ.workspace = true # x\n";
        check(
            crates_depend_one_way,
            &[
                ("Cargo.toml", "[workspace.dependencies]\nkina-observ = \"1\"\n"),
                ("a/Cargo.toml", conventions),
                ("b/Cargo.toml", codegen),
                ("c/Cargo.toml", "[package]\nname = \"surprise\"\n"),
            ],
            &[
                "a/Cargo.toml:4: `kina-observ-conventions` must not depend on `kina-observ`",
                "a/Cargo.toml:8: `kina-observ-conventions` must not depend on `syn`",
                "b/Cargo.toml:5: `kina-observ-codegen` must not depend on `serde_json`",
                "b/Cargo.toml:7: `kina-observ-codegen` must not depend on `kina-observ`",
                "c/Cargo.toml:1: `surprise` has no line in the table of crates",
            ],
        );
    }

    #[test]
    fn a_dependency_without_a_reason() {
        let manifest = "[package]\nname = \"xtask\"\n\
                        [dependencies]\n\
                        good.workspace = true # parses words\n\
                        # Reads the clock without a system call.\n\
                        above = { workspace = true, features = [\"x\"] }\n\
                        mute.workspace = true\n\
                        [target.'cfg(unix)'.dependencies]\n\
                        own = \"1\" # has a reason\n";
        check(
            dependencies_have_reasons,
            &[("xtask/Cargo.toml", manifest)],
            &[
                "xtask/Cargo.toml:7: dependency `mute` gives no reason",
                "xtask/Cargo.toml:9: dependency `own` brings its own version",
            ],
        );
    }
}
