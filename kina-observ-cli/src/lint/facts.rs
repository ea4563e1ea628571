//! What one file says that the rules ask about: exported functions, error codes, prefixes.

use std::path::Path;
use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, Item, ItemEnum, ItemStruct, LitInt, LitStr, Macro, Meta, Token};

use super::attributes::{Plain, is_test, plain};
use super::macros;
use super::place::Place;
use super::source::Source;
use crate::renames::Renames;

/// Everything of one crate.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) exports: Vec<Export>,
    pub(super) codes: Vec<Code>,
    pub(super) retired: Vec<Retired>,
    /// Of `export_c_api!("kina")`.
    pub(super) prefixes: Vec<String>,
}

/// One exported function.
pub(super) struct Export {
    pub(super) place: Place,
    /// The symbol; without it, as in a macro, the function's name.
    pub(super) name: String,
    /// Whether `name` is what C sees.
    pub(super) is_symbol: bool,
    pub(super) boundary: Boundary,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Boundary {
    Always,
    /// Only under the predicate of a `cfg_attr` that the export does not need.
    Sometimes(String),
    Never,
}

/// `#[ffi_error(code = 101, ..)]` on `Error::Variant`.
pub(super) struct Code {
    pub(super) place: Place,
    pub(super) code: i32,
    pub(super) of: String,
}

/// A code in `#[ffi_error(retired(..))]` of an error type.
pub(super) struct Retired {
    pub(super) place: Place,
    pub(super) code: i32,
    pub(super) by: String,
}

impl Facts {
    /// Adds what `source` says.
    pub(super) fn read(&mut self, source: &Source, renames: &Renames) {
        Reader { file: &source.name, facts: self, renames }.visit_file(&source.parsed);
    }
}

struct Reader<'a> {
    file: &'a Rc<Path>,
    facts: &'a mut Facts,
    renames: &'a Renames,
}

impl Reader<'_> {
    fn place(&self, span: Span) -> Place {
        Place::new(self.file, span)
    }

    fn function(&mut self, attributes: &[Attribute], name: &Ident) {
        let all = plain(attributes);
        let own = name.to_string().trim_start_matches("r#").to_owned();
        let place = self.place(name.span());
        for attribute in &all {
            let (symbol, is_symbol) = match (attribute.exports(), attribute.exported_as()) {
                // A name that is no literal is known to the compiler alone.
                (Some(None), _) => {
                    let named = matches!(&attribute.meta, Meta::Path(_));
                    (own.clone(), named)
                }
                (Some(Some(symbol)), _) => (symbol, true),
                (None, Some(symbol)) if self.is_boundary(attribute) => (symbol, true),
                (None, _) => continue,
            };
            let boundary = self.boundary(attribute, &all);
            self.facts.exports.push(Export { place: place.clone(), name: symbol, is_symbol, boundary });
        }
    }

    /// Whether an attribute makes a boundary, as `#[ffi_span]` does.
    fn is_boundary(&self, attribute: &Plain) -> bool {
        self.renames.is_boundary(self.file, &attribute.word())
    }

    fn boundary(&self, export: &Plain, all: &[Plain]) -> Boundary {
        let mut found = Boundary::Never;
        for one in all.iter().filter(|one| self.is_boundary(one)) {
            match one.conditions.iter().find(|condition| !export.conditions.contains(condition)) {
                None => return Boundary::Always,
                Some(condition) => found = Boundary::Sometimes(condition.clone()),
            }
        }
        found
    }

    fn error(&mut self, attributes: &[Attribute], name: &Ident) {
        for (retired, span) in self.words(attributes).retired {
            let place = self.place(span);
            self.facts.retired.push(Retired { place, code: retired, by: name.to_string() });
        }
    }

    fn case(&mut self, attributes: &[Attribute], of: String) {
        for (code, span) in self.words(attributes).codes {
            let place = self.place(span);
            self.facts.codes.push(Code { place, code, of: of.clone() });
        }
    }

    /// What `#[ffi_error(..)]` says about codes; its other words are the derive's to check.
    fn words(&self, attributes: &[Attribute]) -> Words {
        let mut words = Words::default();
        for attribute in plain(attributes) {
            if let Meta::List(list) = &attribute.meta
                && list.path.is_ident("ffi_error")
            {
                // A mistake in it is a compile error already; what stands before it counts.
                let _ = list.parse_nested_meta(|meta| words.word(&meta));
            }
        }
        words
    }
}

#[derive(Default)]
struct Words {
    codes: Vec<(i32, Span)>,
    retired: Vec<(i32, Span)>,
}

impl Words {
    fn word(&mut self, meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<()> {
        let number = |literal: &LitInt| Ok::<_, syn::Error>((literal.base10_parse()?, literal.span()));
        if meta.path.is_ident("code") {
            self.codes.push(number(&meta.value()?.parse()?)?);
        } else if meta.path.is_ident("retired") {
            let content;
            syn::parenthesized!(content in meta.input);
            for literal in content.call(Punctuated::<LitInt, Token![,]>::parse_terminated)? {
                self.retired.push(number(&literal)?);
            }
        } else if meta.input.peek(Token![=]) {
            meta.value()?.parse::<syn::Expr>()?;
        }
        Ok(())
    }
}

/// Whether `FfiError` is derived.
fn is_error(attributes: &[Attribute]) -> bool {
    plain(attributes).iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("derive") => {
            let parse = Punctuated::<syn::Path, Token![,]>::parse_terminated;
            let names = list.parse_args_with(parse).into_iter().flatten();
            names.into_iter().any(|path| path.segments.last().is_some_and(|last| last.ident == "FfiError"))
        }
        _ => false,
    })
}

impl Visit<'_> for Reader<'_> {
    fn visit_item(&mut self, item: &Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Const(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if is_test(attributes) {
            return;
        }
        if let Item::Fn(function) = item {
            self.function(attributes, &function.sig.ident);
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, method: &ImplItemFn) {
        self.function(&method.attrs, &method.sig.ident);
        visit::visit_impl_item_fn(self, method);
    }

    fn visit_item_enum(&mut self, item: &ItemEnum) {
        if is_error(&item.attrs) {
            self.error(&item.attrs, &item.ident);
            for variant in &item.variants {
                self.case(&variant.attrs, format!("{}::{}", item.ident, variant.ident));
            }
        }
        visit::visit_item_enum(self, item);
    }

    fn visit_item_struct(&mut self, item: &ItemStruct) {
        if is_error(&item.attrs) {
            self.error(&item.attrs, &item.ident);
            self.case(&item.attrs, item.ident.to_string());
        }
        visit::visit_item_struct(self, item);
    }

    fn visit_macro(&mut self, call: &Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if name == "export_c_api" {
            let first = |input: ParseStream<'_>| {
                let prefix: LitStr = input.parse()?;
                input.parse::<proc_macro2::TokenStream>().map(|_| prefix.value())
            };
            self.facts.prefixes.extend(first.parse2(call.tokens.clone()));
            return;
        }
        let is_boundary = |word: &str| self.renames.is_boundary(self.file, word);
        for bare in macros::bare_exports(&name, call.tokens.clone(), &is_boundary) {
            let place = self.place(bare.span);
            let export = Export { place, name: bare.name, is_symbol: false, boundary: Boundary::Never };
            self.facts.exports.push(export);
        }
    }
}
