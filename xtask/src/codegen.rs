//! Writes the tables of kina-observ-conventions from `registry/*/*.yaml` and the published names of OpenTelemetry.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::{fs, thread};

use kina_observ_codegen::registry::{
    Generated, Origin, RegistryError, parse_files, parse_manifest, render, spans_without_histogram,
};

use crate::{process, upstream};

const REGISTRY: &str = "kina-observ-conventions/registry";
/// The folders of definition files; the first has the manifest that the tables speak of.
const FOLDERS: [&str; 3] = ["kina", "otel", "tl"];
const MANIFEST: &str = "manifest.yaml";
const GENERATED: &str = "kina-observ-conventions/src/generated";

/// Writes the generated files, or with `check` only names those that are stale.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let mut stale = Vec::new();
    for (file, text) in generate(process::root())? {
        let path = process::root().join(&file);
        if fs::read_to_string(&path).is_ok_and(|held| held == text) {
            continue;
        }
        if !check {
            fs::write(&path, text).map_err(|error| format!("`{}` cannot be written: {error}", file.display()))?;
        }
        stale.push(file.display().to_string());
    }
    match (stale.as_slice(), check) {
        ([], _) => Ok(()),
        (_, true) => {
            Err(format!("stale: `{}`\nhelp: run `cargo xtask codegen` and commit the result", stale.join("`, `")))
        }
        (_, false) => {
            println!("wrote {}", stale.join(", "));
            Ok(())
        }
    }
}

/// Each generated file, relative to the root, and its formatted text.
fn generate(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let manifest = Path::new(REGISTRY).join(FOLDERS[0]).join(MANIFEST);
    let manifest = parse_manifest(root, &manifest).map_err(|errors| lines(&errors))?;
    let document = parse_files(root, &definition_files(root)?, Origin::Builtin).map_err(|errors| lines(&errors))?;
    for span in spans_without_histogram(&document) {
        eprintln!("warning: span `{span}` has no duration histogram in seconds in its namespace");
    }
    let files = render(&document, &manifest);
    let upstream = Generated { file: "upstream.rs", text: upstream::table()? };
    let files = files.into_iter().chain([upstream]);
    files.map(|Generated { file, text }| Ok((Path::new(GENERATED).join(file), format(text)?))).collect()
}

/// Every YAML file of the registry but the manifests, sorted, so that the order on disk changes nothing.
fn definition_files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in FOLDERS.map(|folder| Path::new(REGISTRY).join(folder)) {
        let unreadable = |error| format!("`{}` cannot be read: {error}", folder.display());
        for entry in fs::read_dir(root.join(&folder)).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            let path = Path::new(&name);
            if path.extension().is_some_and(|extension| extension == "yaml") && path != Path::new(MANIFEST) {
                files.push(folder.join(path));
            }
        }
    }
    files.sort();
    Ok(files)
}

fn lines(errors: &[RegistryError]) -> String {
    errors.iter().map(RegistryError::to_string).collect::<Vec<_>>().join("\n")
}

fn format(text: String) -> Result<String, String> {
    // Text from stdin is formatted by the `rustfmt.toml` of the folder that rustfmt runs in: our root.
    let mut command = process::command("rustfmt", &["--edition", "2024"]);
    let failed = |error| format!("`rustfmt` did not run: {error}; install it with `rustup component add rustfmt`");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let stdin = child.stdin.take();
    // From a second thread: a pipe is smaller than the tables.
    let writer = thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(failed)?;
    // A failed write shows as a failed rustfmt.
    let _ = writer.join();
    if !output.status.success() {
        return Err("`rustfmt` refused a generated file; its own words are above".into());
    }
    String::from_utf8(output.stdout).map_err(|_| "`rustfmt` did not write UTF-8".into())
}

#[cfg(test)]
mod tests {
    /// `cargo test` alone shows a forgotten `cargo xtask codegen`.
    #[test]
    fn generated_files_are_current() {
        assert_eq!(super::run(true), Ok(()));
    }
}
