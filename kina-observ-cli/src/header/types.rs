//! Which types of the crate cross the boundary, and whether C can tell them apart.

use std::collections::{BTreeMap, BTreeSet};

use kina_observ_codegen::lower::NUMBERS;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Fields, Item, Lit, Type, UseTree};

use super::Refusal;
use super::functions::Function;
use super::source::Found;

/// Types beside the numbers that need no definition here.
const KNOWN: &[&str] = &["bool", "char", "c_void", "Option", "MaybeUninit", "NonNull", "ManuallyDrop"];

fn is_known(name: &str) -> bool {
    KNOWN.contains(&name) || NUMBERS.contains(&name)
}

/// The definitions of a crate by their last segment.
pub(super) struct Types<'f> {
    definitions: BTreeMap<String, Vec<&'f Found>>,
    /// The numbers of constants.
    numbers: BTreeMap<String, usize>,
    /// New name of an import, old name, place.
    renamed: BTreeMap<String, (String, String)>,
}

impl<'f> Types<'f> {
    pub(super) fn new(found: &'f [Found]) -> Self {
        let mut types = Self { definitions: BTreeMap::new(), numbers: BTreeMap::new(), renamed: BTreeMap::new() };
        for one in found {
            let ident = match &one.item {
                Item::Struct(item) => &item.ident,
                Item::Enum(item) => &item.ident,
                Item::Union(item) => &item.ident,
                Item::Type(item) => &item.ident,
                Item::Use(item) => {
                    types.renames(&item.tree, one);
                    continue;
                }
                Item::Const(item) => {
                    let value = types.number(&item.expr);
                    types.numbers.extend(value.map(|value| (item.ident.to_string(), value)));
                    continue;
                }
                _ => continue,
            };
            types.definitions.entry(ident.to_string()).or_default().push(one);
        }
        types
    }

    fn renames(&mut self, tree: &UseTree, found: &Found) {
        match tree {
            UseTree::Path(path) => self.renames(&path.tree, found),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.renames(tree, found)),
            UseTree::Rename(rename) => {
                let place = found.place(&rename.rename);
                self.renamed.insert(rename.rename.to_string(), (rename.ident.to_string(), place));
            }
            UseTree::Name(_) | UseTree::Glob(_) => {}
        }
    }

    /// What a length of an array says.
    pub(super) fn number(&self, length: &Expr) -> Option<usize> {
        match length {
            Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
            Expr::Path(path) => self.numbers.get(&path.path.segments.last()?.ident.to_string()).copied(),
            _ => None,
        }
    }

    /// An enum with an integer for each value.
    pub(super) fn is_enum(&self, name: &str) -> bool {
        self.definitions.get(name).is_some_and(|list| list.iter().any(|found| matches!(found.item, Item::Enum(_))))
    }

    pub(super) fn is_known(&self, name: &str) -> bool {
        is_known(name) || self.definitions.contains_key(name)
    }

    pub(super) fn definition(&self, name: &str) -> Option<&'f Found> {
        self.definitions.get(name).and_then(|list| list.first()).copied()
    }

    /// Every definition that the functions need, sorted; what C could not tell apart is refused.
    pub(super) fn crossing(&self, functions: &[Function], refusals: &mut Vec<Refusal>) -> Vec<(String, &'f Found)> {
        let mut seen = BTreeSet::new();
        let mut crossing = Vec::new();
        let mut open: Vec<(Type, String)> = functions
            .iter()
            .flat_map(|function| function.types().map(|ty| (ty.clone(), function.line.clone())))
            .collect();
        while let Some((ty, place)) = open.pop() {
            for name in names(&ty) {
                if !seen.insert(name.clone()) {
                    continue;
                }
                self.refuse(&name, &place, refusals);
                for found in self.definitions.get(&name).into_iter().flatten() {
                    crossing.push((name.clone(), *found));
                    let place = found.place(&found.item);
                    open.extend(parts(&found.item).into_iter().map(|ty| (ty, place.clone())));
                }
            }
        }
        crossing.sort_by(|one, other| one.0.cmp(&other.0));
        crossing
    }

    /// Takes the `Option` from aliases of function pointers: in C each may be null, and cbindgen would make a struct of it.
    pub(super) fn callbacks_may_be_null(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, list) in &self.definitions {
            let is_callback =
                |found: &&Found| matches!(&found.item, Item::Type(item) if matches!(*item.ty, Type::FnPtr(_)));
            if list.iter().any(is_callback) {
                for path in
                    [":: core :: option :: ", "core :: option :: ", ":: std :: option :: ", "std :: option :: ", ""]
                {
                    text = text.replace(&format!("{path}Option < {name} >"), name);
                }
            }
        }
        text
    }

    /// The constants that lengths of arrays name.
    pub(super) fn lengths(&self, found: &[Found], crossing: &[(String, &Found)]) -> Vec<TokenStream> {
        let text = crossing.iter().map(|(_, found)| definition(found).to_string()).collect::<String>();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect::<BTreeSet<_>>();
        let constants = found.iter().filter_map(|one| match &one.item {
            Item::Const(item) if words.remove(item.ident.to_string().as_str()) => Some(definition(one)),
            _ => None,
        });
        constants.collect()
    }

    fn refuse(&self, name: &str, place: &str, refusals: &mut Vec<Refusal>) {
        if let Some((old, import)) = self.renamed.get(name) {
            refusals.push(Refusal::new(
                place,
                format!("`{name}` is `{old}` under another name, which {import} gave it"),
                format!("write `{old}`: C knows a type by its own name"),
            ));
        }
        match self.definitions.get(name).map(Vec::as_slice) {
            None if self.renamed.contains_key(name) || is_known(name) => {}
            None => refusals.push(Refusal::new(
                place,
                format!("`{name}` is not defined in this crate, so C cannot know it"),
                "define a type here that C knows the layout of, or pass a number or a `Handle<T>`",
            )),
            // Only one of them is there at a time.
            Some(list) if list.iter().all(|found| has_cfg(found)) => {}
            Some([first, second, ..]) => refusals.push(Refusal::new(
                first.place(&first.item),
                format!("two types are called `{name}`; the other is at {}", second.place(&second.item)),
                "rename one of the two: C knows a type by the last segment of its path",
            )),
            Some(_) => {}
        }
    }
}

fn has_cfg(found: &Found) -> bool {
    !found.cfg.is_empty() || attributes(&found.item).iter().any(|attr| attr.path().is_ident("cfg"))
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether C knows the layout.
pub(super) fn is_laid_out(item: &Item) -> bool {
    let reprs = attributes(item).iter().filter(|attr| attr.path().is_ident("repr"));
    reprs.into_iter().any(|attr| {
        let text = attr.meta.to_token_stream().to_string();
        text.contains('C') || text.contains("transparent") || matches!(item, Item::Enum(_))
    })
}

/// The types inside; what C gets as an opaque type has none.
fn parts(item: &Item) -> Vec<Type> {
    match item {
        Item::Type(item) => vec![(*item.ty).clone()],
        Item::Struct(inner) if is_laid_out(item) => fields(&inner.fields),
        Item::Enum(inner) if is_laid_out(item) => inner.variants.iter().flat_map(|one| fields(&one.fields)).collect(),
        Item::Union(inner) => inner.fields.named.iter().map(|field| field.ty.clone()).collect(),
        _ => Vec::new(),
    }
}

fn fields(fields: &Fields) -> Vec<Type> {
    fields.iter().map(|field| field.ty.clone()).collect()
}

/// The last segment of a type's path.
pub(super) fn last(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

/// The last segments of every path in a type.
fn names(ty: &Type) -> Vec<String> {
    match ty {
        Type::Ptr(ty) => names(&ty.elem),
        Type::Reference(ty) => names(&ty.elem),
        Type::Array(ty) => names(&ty.elem),
        Type::Slice(ty) => names(&ty.elem),
        Type::Paren(ty) => names(&ty.elem),
        Type::Group(ty) => names(&ty.elem),
        Type::Tuple(ty) => ty.elems.iter().flat_map(names).collect(),
        Type::FnPtr(ty) => {
            let mut all: Vec<String> = ty.inputs.iter().flat_map(|input| names(&input.ty)).collect();
            if let syn::ReturnType::Type(_, ty) = &ty.output {
                all.extend(names(ty));
            }
            all
        }
        Type::Path(path) => {
            let Some(segment) = path.path.segments.last() else { return Vec::new() };
            let mut all = vec![segment.ident.to_string()];
            if let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments {
                for argument in &arguments.args {
                    if let syn::GenericArgument::Type(ty) = argument {
                        all.extend(names(ty));
                    }
                }
            }
            all
        }
        _ => Vec::new(),
    }
}

/// A definition as cbindgen reads it: with the `cfg` of the modules around it.
pub(super) fn definition(found: &Found) -> TokenStream {
    let (cfg, item) = (&found.cfg, &found.item);
    quote!(#(#cfg)* #item)
}
