//! Finds what C can call, and writes the stubs that cbindgen reads: the same signature, and no body.

use std::path::PathBuf;

use kina_observ_codegen::header::{CFunction, CSlot, function, written};
use kina_observ_codegen::registry::Registry;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Item, ItemFn, Meta, ReturnType, Type, parse_quote};

use super::source::{Found, is_test, place};
use super::types::{Types, last};
use super::{Refusal, c_api};
use crate::renames::Renames;

/// One function of the header.
pub(super) struct Function {
    pub(super) c: CFunction,
    /// The `#[cfg(..)]` of the modules around it.
    pub(super) cfg: Vec<Attribute>,
    pub(super) file: PathBuf,
    pub(super) line: String,
}

/// Every function that C can call, in the order of the source.
pub(super) fn find(found: &[Found], registry: &Registry, refusals: &mut Vec<Refusal>) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut renames = Renames::default();
    for one in found {
        if let Item::Use(import) = &one.item {
            renames.add(&one.file, &import.tree);
        }
    }
    for one in found {
        match &one.item {
            Item::Fn(item) if !item.attrs.iter().any(is_test) => {
                match lowered(item, registry, &|word| renames.is_boundary(&one.file, word)) {
                    Ok(c) => functions.extend(c.map(|c| Function::new(c, one, one.place(&item.sig.ident)))),
                    Err(mistakes) => refusals.extend(mistakes.into_iter().map(|mistake| {
                        let text = mistake.to_string();
                        let (what, help) = text.split_once("\nhelp: ").unwrap_or((&text, "mend it"));
                        Refusal::new(place(&one.file, mistake.span()), what, help)
                    })),
                }
            }
            Item::Macro(call) if is_c_api(&call.mac) => {
                let (exported, _) = c_api::exported(call.mac.tokens.clone());
                functions.extend(exported.into_iter().map(|c| Function::new(c, one, one.place(&call.mac.path))));
            }
            _ => {}
        }
    }
    functions
}

/// Adds the types that `export_c_api!` needs, where it stands.
pub(super) fn add_types(found: &mut Vec<Found>) {
    let mut more = Vec::new();
    for one in found.iter() {
        if let Item::Macro(call) = &one.item
            && is_c_api(&call.mac)
        {
            let (_, types) = c_api::exported(call.mac.tokens.clone());
            let found = |item| Found { item, cfg: one.cfg.clone(), file: one.file.clone() };
            more.extend(types.into_iter().map(found));
        }
    }
    found.append(&mut more);
}

/// The prefix that `export_c_api!` gives, if the item is that.
pub(super) fn prefix(found: &Found) -> Option<String> {
    match &found.item {
        Item::Macro(call) if is_c_api(&call.mac) => Some(c_api::prefix(&call.mac.tokens)),
        _ => None,
    }
}

fn is_c_api(call: &syn::Macro) -> bool {
    call.path.segments.last().is_some_and(|last| last.ident == "export_c_api")
}

fn lowered(
    item: &ItemFn,
    registry: &Registry,
    is_boundary: &dyn Fn(&str) -> bool,
) -> Result<Option<CFunction>, Vec<kina_observ_codegen::Mistake>> {
    let ours = |attr: &Attribute| attr.path().segments.last().is_some_and(|last| is_boundary(&last.ident.to_string()));
    let Some(attr) = item.attrs.iter().find(|attr| ours(attr)) else {
        return Ok(symbol(item).map(|symbol| CFunction {
            symbol,
            attrs: item.attrs.clone(),
            parameters: written(&item.sig),
            out: None,
            error: false,
            output: item.sig.output.clone(),
        }));
    };
    let arguments = match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let mut rest = item.clone();
    rest.attrs.retain(|attr| !ours(attr));
    function(arguments, &rest.into_token_stream(), registry).map(Some)
}

/// The name under which the linker knows a function.
pub(super) fn symbol(item: &ItemFn) -> Option<String> {
    item.attrs.iter().find_map(|attr| {
        let text = attr.meta.to_token_stream().to_string();
        let text = text.trim_start_matches("unsafe").trim_matches([' ', '(', ')']);
        let name = text.strip_prefix("export_name").map(|rest| rest.trim_matches([' ', '=', '"']).to_owned());
        // C cannot call what is no word.
        let name = name.filter(|name| syn::parse_str::<Ident>(name).is_ok());
        name.or_else(|| (text == "no_mangle").then(|| item.sig.ident.to_string()))
    })
}

impl Function {
    fn new(mut c: CFunction, found: &Found, line: String) -> Self {
        let kept = ["doc", "cfg", "deprecated", "must_use"];
        c.attrs.retain(|attr| kept.iter().any(|word| attr.path().is_ident(word)));
        Self { c, cfg: found.cfg.clone(), file: found.file.clone(), line }
    }

    /// Types by which it depends on what the crate defines.
    pub(super) fn types(&self) -> impl Iterator<Item = &Type> {
        let returned = match &self.c.output {
            ReturnType::Type(_, ty) => Some(&**ty),
            ReturnType::Default => None,
        };
        self.c.parameters.iter().map(|slot| &slot.ty).chain(returned)
    }

    /// Turns what is written on success into the last parameter.
    pub(super) fn add_out(&mut self, types: &Types<'_>, refusals: &mut Vec<Refusal>) {
        let Some(value) = self.c.out.take() else { return };
        let (ty, handle) = match last(&value).as_deref() {
            None if matches!(value, Type::Ptr(_)) => (Some(value.clone()), None),
            Some("Handle") => (Some(parse_quote!(u64)), inner(&value)),
            Some(name) if types.is_enum(name) => (Some(parse_quote!(i32)), None),
            Some(name) if types.is_known(name) => (Some(value.clone()), None),
            _ => (None, None),
        };
        let Some(ty): Option<Type> = ty else {
            refusals.push(Refusal::new(
                &self.line,
                format!("`{}` is not defined in this crate, so its form in C is not known", quote!(#value)),
                "define it here, or return a number or a `Handle<T>`",
            ));
            return;
        };
        let ty = parse_quote!(*mut #ty);
        self.c.parameters.push(CSlot { name: format_ident!("out"), cfg: Vec::new(), ty, handle });
    }

    /// The pointer that gets the error, after all others; its type bears the prefix of the C API.
    pub(super) fn add_error(&mut self, prefix: Option<&str>, refusals: &mut Vec<Refusal>) {
        if !self.c.error {
            return;
        }
        let Some(prefix) = prefix else {
            refusals.push(Refusal::new(
                &self.line,
                format!(
                    "`{}` hands over its error, and the crate has no C API that says what an error is",
                    self.c.symbol
                ),
                "add `kina_observ::export_c_api!(\"prefix\");` to the crate",
            ));
            return;
        };
        let ty = c_api::error_copy(prefix);
        self.c.parameters.push(CSlot {
            name: format_ident!("error"),
            cfg: Vec::new(),
            ty: parse_quote!(*mut #ty),
            handle: None,
        });
    }

    /// The stub; handles go by the name of their type.
    pub(super) fn stub(&self) -> TokenStream {
        let (attrs, cfg, output) = (&self.c.attrs, &self.cfg, &self.c.output);
        let name = Ident::new(&self.c.symbol, Span::call_site());
        let parameters = self.c.parameters.iter().map(|CSlot { name, cfg, ty, handle }| {
            let alias = handle.as_ref().and_then(alias);
            let ty = match (alias, ty) {
                (Some(alias), Type::Ptr(_)) => quote!(*mut #alias),
                (Some(alias), _) => quote!(#alias),
                (None, ty) => quote!(#ty),
            };
            quote!(#(#cfg)* #name: #ty)
        });
        quote! {
            #(#attrs)* #(#cfg)*
            #[unsafe(no_mangle)]
            pub extern "C" fn #name(#(#parameters),*) #output { loop {} }
        }
    }

    /// The handles that it takes and gives: the alias and the type.
    pub(super) fn handles(&self) -> impl Iterator<Item = (Ident, String)> {
        let handles = self.c.parameters.iter().filter_map(|slot| slot.handle.as_ref());
        handles.filter_map(|ty| Some((alias(ty)?, last(ty)?)))
    }
}

fn alias(ty: &Type) -> Option<Ident> {
    Some(format_ident!("{}Handle", last(ty)?))
}

fn inner(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}
