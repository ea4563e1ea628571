//! Reads a crate's registry once for each state of its files: rustc expands many attributes in one process.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use super::{Origin, Registry, RegistryError, crate_files, files};

type Loaded = Result<&'static Registry, Vec<RegistryError>>;

/// A file and when it last changed; `None` while it is not there.
type Stamp = (PathBuf, Option<(SystemTime, u64)>);

/// Only a sound registry is kept: what a broken one lacks may come without a change of the files that are there.
struct Entry {
    stamps: Vec<Stamp>,
    registry: &'static Registry,
}

static CRATES: LazyLock<Mutex<HashMap<PathBuf, Entry>>> = LazyLock::new(Mutex::default);

/// The registry of the crate in `root`.
pub(super) fn registry(root: &Path) -> Loaded {
    // A panic while loading leaves the map as it was before.
    let mut crates = CRATES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(entry) = crates.get(root)
        && entry.stamps.iter().all(|(file, seen)| stamp(file) == *seen)
    {
        return Ok(entry.registry);
    }
    let declaration = root.join(crate_files::NAME);
    // Taken before reading: a change in between is seen at the next call.
    let mut stamps = vec![(declaration.clone(), stamp(&declaration))];
    let registry = load(root, &declaration, &mut stamps)?;
    crates.insert(root.to_owned(), Entry { stamps, registry });
    Ok(registry)
}

fn load(root: &Path, declaration: &Path, stamps: &mut Vec<Stamp>) -> Loaded {
    let text = match std::fs::read_to_string(declaration) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Registry::builtin()),
        Err(error) => {
            return Err(vec![RegistryError {
                file: crate_files::NAME.into(),
                line: 1,
                column: 1,
                message: format!("cannot be read: {error}"),
                help: "it is a UTF-8 text file beside `Cargo.toml`".into(),
            }]);
        }
    };
    let declared = crate_files::parse(&text, root)?;
    let mut absolute = vec![declaration.to_owned()];
    for file in &declared.registries {
        let file = root.join(file);
        stamps.push((file.clone(), stamp(&file)));
        absolute.push(file);
    }
    let own = files::parse_files(root, &declared.registries, Origin::Crate)?;
    // Definitions are `&'static`; each state of the files costs its size once.
    Ok(Box::leak(Box::new(Registry {
        component: declared.component,
        device: declared.device,
        declared: true,
        files: absolute,
        own: Box::leak(Box::new(own)),
    })))
}

fn stamp(file: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
