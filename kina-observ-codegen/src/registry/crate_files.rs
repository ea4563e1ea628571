//! Reads `kina-observ.toml`, which names a crate's component and its definition files.

use std::path::{Path, PathBuf};

use kina_observ_conventions::nearest;
use toml_span::value::{Value, ValueInner};

use super::error::{Errors, RegistryError, did_you_mean};
use super::names;
use super::yaml::Mark;

/// The file beside `Cargo.toml`.
pub(super) const NAME: &str = "kina-observ.toml";

const KEYS: &[&str] = &["component", "device", "registries"];

/// What the file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CrateFiles {
    pub(super) component: Option<String>,
    /// `runtime.device` of calls whose context names none.
    pub(super) device: Option<String>,
    /// As they are written: relative to the crate.
    pub(super) registries: Vec<PathBuf>,
}

/// Reads the text of `kina-observ.toml` of the crate in `root`.
pub(super) fn parse(text: &str, root: &Path) -> Result<CrateFiles, Vec<RegistryError>> {
    let mut errors = Errors::default();
    errors.file(NAME.into());
    let mut found = CrateFiles::default();
    match toml_span::parse(text) {
        Ok(document) => fill(&document, text, root, &mut found, &mut errors),
        Err(error) => {
            let help = "write `component = \"acme\"` and `registries = [\"conventions/acme.yaml\"]`";
            errors.at(mark(text, error.span.start), format!("not valid TOML: {error}"), help);
        }
    }
    errors.barrier()?;
    Ok(found)
}

fn fill(document: &Value<'_>, text: &str, root: &Path, found: &mut CrateFiles, errors: &mut Errors) {
    let Some(table) = document.as_table() else { return };
    for (key, value) in table {
        let at = mark(text, value.span.start);
        match key.name.as_ref() {
            "component" => match value.as_str() {
                Some(name) if component(name, at, errors) => found.component = Some(name.to_owned()),
                Some(_) => {}
                None => errors.at(at, "`component` must be a text", "write `component = \"acme\"`"),
            },
            "device" => match value.as_str() {
                Some(name) if !name.is_empty() => found.device = Some(name.to_owned()),
                _ => errors.at(at, "`device` must be a text", "write `device = \"cpu\"`"),
            },
            "registries" => match value.as_ref() {
                ValueInner::Array(items) => {
                    for item in items {
                        let Some(path) = registry(item, text, root, errors) else { continue };
                        if found.registries.contains(&path) {
                            let at = mark(text, item.span.start);
                            errors.at(at, format!("`{}` is listed twice", path.display()), "keep one of the two");
                        } else {
                            found.registries.push(path);
                        }
                    }
                }
                _ => errors.at(at, "`registries` must be a list", "write `registries = [\"conventions/acme.yaml\"]`"),
            },
            other => {
                let near = nearest(other, KEYS.iter().copied());
                let help = did_you_mean(near.as_slice(), "its keys: `component`, `device`, `registries`");
                errors.at(mark(text, key.span.start), format!("`{NAME}` has no key `{other}`"), help);
            }
        }
    }
}

fn component(name: &str, at: Mark, errors: &mut Errors) -> bool {
    if !names::is_name(name) {
        errors.at(
            at,
            format!("`{name}` cannot be a component"),
            "write lower-case words with single `.` or `_` between them",
        );
        return false;
    }
    if names::is_upstream(name) {
        errors.at(
            at,
            format!("`{}.*` belongs to OpenTelemetry", names::root(name)),
            "choose a name of your own: it is the namespace of your spans",
        );
        return false;
    }
    true
}

fn registry(item: &Value<'_>, text: &str, root: &Path, errors: &mut Errors) -> Option<PathBuf> {
    let at = mark(text, item.span.start);
    let Some(path) = item.as_str() else {
        errors.at(at, "a registry is a path", "write `\"conventions/acme.yaml\"`");
        return None;
    };
    if !root.join(path).is_file() {
        errors.at(at, format!("there is no file `{path}`"), "write a path relative to `Cargo.toml`");
        return None;
    }
    Some(path.into())
}

fn mark(text: &str, offset: usize) -> Mark {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Mark { file: 0, line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
}
