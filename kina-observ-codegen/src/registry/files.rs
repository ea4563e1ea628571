//! Reads definition files and the manifest of a registry.

use std::path::{Path, PathBuf};

use super::error::{Errors, RegistryError};
use super::fields::Fields;
use super::raw::Raw;
use super::resolve::{Document, resolve};
use super::yaml::{Mark, Node};
use super::{Origin, read, yaml};

/// Reads, resolves and checks `files`; each is relative to `root`, and errors name it as it is given.
///
/// # Errors
///
/// Every mistake that can be seen: all files are read before references are resolved.
pub fn parse_files(root: &Path, files: &[PathBuf], origin: Origin) -> Result<Document, Vec<RegistryError>> {
    let mut errors = Errors::default();
    let mut raw = Raw::default();
    for file in files {
        if let Some(node) = open(root, file, &mut errors) {
            read::read(&node, &mut raw, &mut errors);
        }
    }
    errors.barrier()?;
    resolve(&raw, origin, &mut errors)
}

/// What the manifest of a registry says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manifest {
    /// The registry's own schema URL.
    pub schema_url: &'static str,
    /// Version of the OpenTelemetry conventions that it builds on.
    pub semconv_version: &'static str,
}

/// Reads `file`, a Weaver `manifest.yaml`, relative to `root`.
///
/// # Errors
///
/// Every mistake in it.
pub fn parse_manifest(root: &Path, file: &Path) -> Result<Manifest, Vec<RegistryError>> {
    let mut errors = Errors::default();
    let manifest = open(root, file, &mut errors).and_then(|node| manifest(&node, &mut errors));
    errors.barrier()?;
    Ok(manifest.unwrap_or(Manifest { schema_url: "", semconv_version: "" }))
}

fn manifest(node: &Node, errors: &mut Errors) -> Option<Manifest> {
    let fields = Fields::open(node, "a manifest", &["schema_url", "description", "stability", "dependencies"], errors)?;
    let schema_url = fields.text("schema_url", errors)?.text;
    fields.required("dependencies", errors)?;
    let mut upstream = None;
    for node in fields.list("dependencies", errors) {
        let dependency = Fields::open(node, "a dependency", &["schema_url", "registry_path"], errors)?;
        let url = dependency.text("schema_url", errors)?;
        upstream = upstream.or(url.text.rsplit_once("opentelemetry.io/schemas/").map(|(_, version)| version));
    }
    if upstream.is_none() {
        let help = "add `- schema_url: https://opentelemetry.io/schemas/<version>`";
        errors.at(node.at, "no dependency on OpenTelemetry's conventions", help);
    }
    Some(Manifest { schema_url, semconv_version: upstream? })
}

fn open(root: &Path, file: &Path, errors: &mut Errors) -> Option<Node> {
    let number = errors.file(file.to_owned());
    match std::fs::read_to_string(root.join(file)) {
        Ok(text) => yaml::parse(&text, number, errors),
        Err(error) => {
            errors.at(
                Mark { file: number, line: 1, column: 1 },
                format!("cannot be read: {error}"),
                "check its path, relative to `Cargo.toml`",
            );
            None
        }
    }
}
