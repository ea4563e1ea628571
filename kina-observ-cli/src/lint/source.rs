//! Reads the sources of a crate through its module tree: `mod x;`, `#[path]`, modules in modules, `include!("x.rs")`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use syn::visit::{Visit, visit_item_mod};
use syn::{Attribute, ItemMod, ItemUse, LitStr, Macro};

use super::attributes::{is_test, plain};
use super::place::{Place, shown};
use crate::failure::Unread;
use crate::renames::Renames;

/// One file that parses.
pub(super) struct Source {
    /// As people see it.
    pub(super) name: Rc<Path>,
    pub(super) parsed: syn::File,
}

/// The files of one crate.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) read: Vec<Source>,
    /// Each that is missing, or does not parse; the others are there all the same.
    pub(super) unread: Vec<Unread>,
    met: BTreeSet<PathBuf>,
}

impl Sources {
    /// Adds the file where a crate begins, and all modules below it.
    pub(super) fn root(&mut self, file: &Path) {
        self.file(file, parent(file));
    }

    /// `children`: where the files of its modules are.
    fn file(&mut self, file: &Path, children: PathBuf) {
        let name: Rc<Path> = shown(file).into();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                return self.unread.push(Unread::new(&name, error, "put the file there, or remove its `mod`"));
            }
        };
        // A library and a program may share a module, and `#[path]` may make a circle.
        if !self.met.insert(std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())) {
            return;
        }
        match syn::parse_file(&text) {
            Ok(parsed) => {
                let mut modules = Modules { file, children, inside: Vec::new(), next: Vec::new() };
                modules.visit_file(&parsed);
                let next = modules.next;
                self.read.push(Source { name, parsed });
                next.iter().for_each(|(file, children)| self.file(file, children.clone()));
            }
            Err(error) => {
                let place = Place::new(&name, error.span());
                let help = "mend it until `cargo check` can read it";
                self.unread.push(Unread {
                    what: place.to_string(),
                    why: format!("not Rust: {error}"),
                    help: help.into(),
                });
            }
        }
    }
}

/// What the imports of all files say.
pub(super) fn renames(sources: &[Source]) -> Renames {
    struct Imports<'a>(&'a Path, &'a mut Renames);
    impl Visit<'_> for Imports<'_> {
        fn visit_item_use(&mut self, import: &ItemUse) {
            self.1.add(self.0, &import.tree);
        }
    }
    let mut renames = Renames::default();
    for source in sources {
        Imports(&source.name, &mut renames).visit_file(&source.parsed);
    }
    renames
}

/// Finds the files that one file names.
struct Modules<'a> {
    file: &'a Path,
    children: PathBuf,
    /// The modules around, within this file.
    inside: Vec<String>,
    next: Vec<(PathBuf, PathBuf)>,
}

impl Modules<'_> {
    fn outside(&mut self, module: &ItemMod, name: &str) {
        let paths = paths(&module.attrs);
        for path in &paths {
            // Inside of a module the folders are the modules' names, as for a file without `#[path]`.
            let base = if self.inside.is_empty() { parent(self.file) } else { self.folder() };
            let file = base.join(path);
            let children = parent(&file);
            self.next.push((file, children));
        }
        let folder = self.folder();
        let (flat, deep) = (folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs"));
        let file = if deep.is_file() && !flat.is_file() { deep } else { flat };
        // With `cfg_attr(.., path = "..")` the usual file is there for the other case, or it is not.
        if paths.is_empty() || file.is_file() && !has_path(&module.attrs) {
            self.next.push((file, folder.join(name)));
        }
    }

    fn folder(&self) -> PathBuf {
        self.inside.iter().fold(self.children.clone(), |folder, module| folder.join(module))
    }
}

impl Visit<'_> for Modules<'_> {
    fn visit_item_mod(&mut self, module: &ItemMod) {
        if is_test(&module.attrs) {
            return;
        }
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        if module.content.is_none() {
            return self.outside(module, name);
        }
        self.inside.push(paths(&module.attrs).pop().unwrap_or_else(|| name.to_owned()));
        visit_item_mod(self, module);
        self.inside.pop();
    }

    fn visit_macro(&mut self, call: &Macro) {
        // What is made in `OUT_DIR` has no place here, and `concat!` is no text.
        if call.path.is_ident("include")
            && let Ok(file) = call.parse_body::<LitStr>()
        {
            let file = parent(self.file).join(file.value());
            let children = parent(&file);
            self.next.push((file, children));
        }
    }
}

/// Every `#[path = ".."]`, in `cfg_attr` too.
fn paths(attributes: &[Attribute]) -> Vec<String> {
    plain(attributes).iter().filter_map(super::attributes::Plain::path).collect()
}

/// Whether a `#[path]` holds in every configuration.
fn has_path(attributes: &[Attribute]) -> bool {
    plain(attributes).iter().any(|attribute| attribute.conditions.is_empty() && attribute.path().is_some())
}

fn parent(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_owned()
}
