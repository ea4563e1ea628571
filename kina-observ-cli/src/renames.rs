//! Attributes that make a C boundary, under the names that a crate's imports give them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use kina_observ_codegen::kinds::KINDS;
use syn::UseTree;

/// `use kina_observ::ffi_span as entry;`, by the file that it stands in.
#[derive(Default)]
pub(crate) struct Renames {
    by_file: BTreeMap<PathBuf, BTreeSet<String>>,
    everywhere: BTreeSet<String>,
}

impl Renames {
    /// Adds what an import in `file` says.
    pub(crate) fn add(&mut self, file: &Path, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.add(file, &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(file, tree)),
            UseTree::Rename(rename) if makes_boundary(&rename.ident.to_string()) => {
                let name = rename.rename.to_string();
                // Another file may get the name through `use super::*`, unless one of our attributes has it there.
                if !KINDS.iter().any(|kind| kind.name == name) {
                    self.everywhere.insert(name.clone());
                }
                self.by_file.entry(file.to_owned()).or_default().insert(name);
            }
            _ => {}
        }
    }

    /// Whether an attribute whose path ends with `word` makes a boundary in `file`.
    pub(crate) fn is_boundary(&self, file: &Path, word: &str) -> bool {
        makes_boundary(word)
            || self.everywhere.contains(word)
            || self.by_file.get(file).is_some_and(|names| names.contains(word))
    }
}

fn makes_boundary(word: &str) -> bool {
    KINDS.iter().any(|kind| kind.boundary && word == kind.name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Renames;

    #[test]
    fn a_name_of_ours_holds_in_its_file_alone() {
        let mut renames = Renames::default();
        for (file, import) in [
            ("a.rs", "use kina_observ::{self, ffi_span as entry, span as plain};"),
            ("b.rs", "use kina_observ::ffi_span as span;"),
        ] {
            let import: syn::ItemUse = syn::parse_str(import).expect("an import");
            renames.add(Path::new(file), &import.tree);
        }
        for (file, word, expected) in [
            ("a.rs", "ffi_span", true),
            ("a.rs", "entry", true),
            ("b.rs", "entry", true),
            ("a.rs", "plain", false),
            ("a.rs", "span", false),
            ("b.rs", "span", true),
        ] {
            assert_eq!(renames.is_boundary(Path::new(file), word), expected, "{word} in {file}");
        }
    }
}
