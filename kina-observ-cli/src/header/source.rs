//! Reads a crate's module tree: every item with the file it stands in and the `cfg` of the modules around it.

use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta};

use super::Refusal;

/// One item that is no module.
pub(super) struct Found {
    pub(super) item: Item,
    /// The `#[cfg(..)]` of the modules around it.
    pub(super) cfg: Vec<Attribute>,
    /// Relative to the crate.
    pub(super) file: PathBuf,
}

impl Found {
    /// Where something of the item stands: `src/lib.rs:12`.
    pub(super) fn place(&self, what: &impl Spanned) -> String {
        place(&self.file, what.span())
    }
}

pub(super) fn place(file: &Path, span: proc_macro2::Span) -> String {
    format!("{}:{}", file.display(), span.start().line)
}

/// Every item of the library of the crate in `root`. What is for tests only is left out.
pub(super) fn read(root: &Path) -> Result<Vec<Found>, Refusal> {
    let mut found = Vec::new();
    let file = PathBuf::from("src/lib.rs");
    read_file(root, &file, Path::new("src"), &[], &mut found)?;
    Ok(found)
}

fn read_file(
    root: &Path,
    file: &Path,
    folder: &Path,
    cfg: &[Attribute],
    found: &mut Vec<Found>,
) -> Result<(), Refusal> {
    let text = std::fs::read_to_string(root.join(file)).map_err(|error| {
        Refusal::new(file.display(), format!("cannot be read: {error}"), "give the folder of a library with `--crate`")
    })?;
    let parsed = syn::parse_file(&text).map_err(|error| {
        Refusal::new(place(file, error.span()), error.to_string(), "mend it; the compiler says the same")
    })?;
    let inner: Vec<Attribute> = parsed.attrs.into_iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    items(root, file, folder, &[cfg, &inner].concat(), parsed.items, found)
}

fn items(
    root: &Path,
    file: &Path,
    folder: &Path,
    cfg: &[Attribute],
    list: Vec<Item>,
    found: &mut Vec<Found>,
) -> Result<(), Refusal> {
    for item in list {
        match item {
            Item::Mod(module) => self::module(root, file, folder, cfg, module, found)?,
            item => found.push(Found { item, cfg: cfg.to_vec(), file: file.to_owned() }),
        }
    }
    Ok(())
}

fn module(
    root: &Path,
    file: &Path,
    folder: &Path,
    cfg: &[Attribute],
    module: ItemMod,
    found: &mut Vec<Found>,
) -> Result<(), Refusal> {
    let own: Vec<Attribute> = module.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect();
    if own.iter().any(is_test) {
        return Ok(());
    }
    let cfg = [cfg, &own].concat();
    let name = module.ident.to_string();
    let name = name.trim_start_matches("r#");
    if let Some((_, list)) = module.content {
        return items(root, file, &folder.join(name), &cfg, list, found);
    }
    if let Some(path) = module.attrs.iter().find_map(written_path) {
        let file = file.parent().unwrap_or(Path::new("")).join(path);
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        return read_file(root, &file, &folder, &cfg, found);
    }
    let flat = folder.join(format!("{name}.rs"));
    let folder = folder.join(name);
    let file = if root.join(&flat).is_file() { flat } else { folder.join("mod.rs") };
    read_file(root, &file, &folder, &cfg, found)
}

/// `#[cfg(test)]`.
pub(super) fn is_test(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
        && matches!(&attr.meta, Meta::List(list) if list.tokens.to_string().replace(' ', "") == "test")
}

/// The text of `#[path = ".."]`.
fn written_path(attr: &Attribute) -> Option<String> {
    match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
