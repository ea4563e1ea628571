//! Which crates are linted, and where their sources begin: cargo knows.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::failure::Unread;

/// One crate.
pub(super) struct Crate {
    pub(super) name: String,
    /// Where its `Cargo.toml` is.
    pub(super) folder: PathBuf,
    /// The first file of its library and of each program.
    pub(super) roots: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
}

/// Tests, examples and build scripts export nothing to a host.
const NOT_BUILT_FOR_HOSTS: [&str; 4] = ["test", "example", "bench", "custom-build"];

/// The crate in `path`: its folder or its `Cargo.toml`.
pub(super) fn one(path: &Path) -> Result<Crate, Unread> {
    let manifest = manifest(path)?;
    let wanted = std::fs::canonicalize(&manifest).map_err(|error| Unread::new(&manifest, error, HELP))?;
    let found = all(&manifest)?.into_iter().find(|(found, _)| *found == wanted);
    let help = "give the folder of a crate, or add `--workspace`";
    found.map(|(_, found)| found).ok_or_else(|| Unread::new(&manifest, "it is a workspace without a crate", help))
}

/// Every crate of the workspace around `path`.
pub(super) fn workspace(path: &Path) -> Result<Vec<Crate>, Unread> {
    Ok(all(&manifest(path)?)?.into_iter().map(|(_, found)| found).collect())
}

const HELP: &str = "give the folder of a crate, or its `Cargo.toml`";

fn manifest(path: &Path) -> Result<PathBuf, Unread> {
    if path.is_dir() {
        return Ok(path.join("Cargo.toml"));
    }
    match path.file_name() {
        Some(name) if name == "Cargo.toml" => Ok(path.to_owned()),
        _ if path.exists() => Err(Unread::new(path, "it is no crate", HELP)),
        _ => Err(Unread::new(path, "there is no such folder", HELP)),
    }
}

fn all(manifest: &Path) -> Result<Vec<(PathBuf, Crate)>, Unread> {
    if !manifest.is_file() {
        return Err(Unread::new(manifest, "there is no such file", HELP));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version", "1", "--offline", "--manifest-path"]).arg(manifest);
    let output = command.output().map_err(|error| {
        Unread::new(manifest, format!("cargo did not start: {error}"), "put cargo on PATH: it says where sources are")
    })?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        let words = words.trim().trim_start_matches("error: ").to_owned();
        return Err(Unread::new(manifest, words, "mend it until `cargo metadata --no-deps` can read it"));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| Unread::new(manifest, format!("`cargo metadata`: {error}"), "use cargo 1.88 or later"))?;
    Ok(metadata.packages.into_iter().map(Package::found).collect())
}

impl Package {
    fn found(self) -> (PathBuf, Crate) {
        let roots = self.targets.into_iter();
        let roots = roots.filter(|target| !target.kind.iter().any(|kind| NOT_BUILT_FOR_HOSTS.contains(&kind.as_str())));
        let folder = self.manifest_path.parent().unwrap_or(Path::new("")).to_owned();
        let roots = roots.map(|target| target.src_path).collect();
        let manifest = std::fs::canonicalize(&self.manifest_path).unwrap_or(self.manifest_path);
        (manifest, Crate { name: self.name, folder, roots })
    }
}
