//! Decides what runs around a body besides the span: the time of a launch, the events of a wait, the entry in a ledger.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, Type};

use super::captures::Captures;
use super::device::function_name;
use super::names::Found;
use super::signature::Signature;
use super::sources::{self, Asks, FUNCTION, Readable, STREAM, Search, path};
use crate::errors::Errors;
use crate::kinds::{Around, Kind};
use crate::lower::{argument, last, peel};
use crate::parse::args::Args;
use crate::plan::{Value, Work};

/// What a kind does around the body, and which parameters it does it with.
pub(super) fn check(
    kind: &'static Kind,
    args: &Args,
    signature: &Signature,
    captures: &Captures,
    span: Option<&Found>,
    errors: &mut Errors,
) -> Option<Work> {
    let at = span.map_or_else(|| signature.function.sig.ident.to_token_stream(), |span| span.at.clone());
    let checker = Checker { kind, args, signature, captures, at };
    match kind.around {
        Around::Nothing => None,
        Around::Launch => checker.launch(errors),
        Around::Wait => checker.wait(errors),
        Around::Memory => {
            checker.named_by_its_ledger(errors);
            if args.free.is_some() { checker.free(errors) } else { checker.allocate(errors) }
        }
    }
}

struct Checker<'a> {
    kind: &'static Kind,
    args: &'a Args,
    signature: &'a Signature,
    captures: &'a Captures,
    at: TokenStream,
}

impl Checker<'_> {
    fn launch(&self, errors: &mut Errors) -> Option<Work> {
        let name = match sources::find(&FUNCTION, self.args, self.signature) {
            Search::One(kernel, _) => Value::Read("kernel_name", kernel),
            Search::None => Value::Text(function_name(self.signature)),
            several @ Search::Several(_) => {
                self.report(&FUNCTION, &several, "", errors);
                return None;
            }
        };
        if !self.captures.launch {
            return None;
        }
        match sources::find(&STREAM, self.args, self.signature) {
            Search::One(stream, _) => Some(Work::Launch { name, stream }),
            search => {
                self.report(&STREAM, &search, "and `#[kernel]` takes the time of a launch on its stream", errors);
                None
            }
        }
    }

    fn wait(&self, errors: &mut Errors) -> Option<Work> {
        let events: Vec<_> = match self.args.given("event") {
            Some(given) => vec![given.value.clone()],
            None => sources::all(&sources::EVENT, self.signature).map(|event| path(&event.ident)).collect(),
        };
        let stream = match sources::find(&STREAM, self.args, self.signature) {
            Search::One(stream, _) => Some(stream),
            Search::None if events.is_empty() => {
                let wanted = "and none of type `Event`, so that nothing says what is waited for";
                self.report(&STREAM, &Search::None, wanted, errors);
                return None;
            }
            Search::None => None,
            several @ Search::Several(_) => {
                self.report(&STREAM, &several, "", errors);
                return None;
            }
        };
        Some(Work::Wait { events, stream })
    }

    fn allocate(&self, errors: &mut Errors) -> Option<Work> {
        if let Some(pointer) = self.args.given("pointer") {
            errors
                .at(&pointer.word, "an allocation has no pointer before its body has run")
                .help("remove it: the pointer is what the function returns")
                .help("or write `free`, if the function frees it");
        }
        let (stream, size) = (self.stream(errors), self.size("allocates", errors));
        if let syn::ReturnType::Default = self.signature.function.sig.output {
            errors
                .at(
                    &self.signature.function.sig.ident,
                    "an allocation returns the pointer, and this function returns nothing",
                )
                .help("write `free`, if it frees")
                .help("or return the pointer, in a `Result` or an `Option`");
        }
        Some(Work::Allocate { ledger: self.ledger(), size: Box::new(size?), stream })
    }

    fn free(&self, errors: &mut Errors) -> Option<Work> {
        let stream = self.stream(errors);
        let pointer = match self.args.given("pointer") {
            Some(given) => Some(given.value.clone()),
            None => self.pointer(errors),
        };
        let size = self.size("frees", errors);
        Some(Work::Free { ledger: self.ledger(), pointer: Box::new(pointer?), size: Box::new(size?), stream })
    }

    fn named_by_its_ledger(&self, errors: &mut Errors) {
        if let Some(given) = self.args.given("resource") {
            errors.at(&given.word, "`resource` names an `impl MemoryResource`, and this is a function").help(
                "write `ledger = LEDGER`, with `static LEDGER: Ledger = Ledger::new(\"..\")`: its name is recorded",
            );
        }
    }

    /// The only parameter that is an address.
    fn pointer(&self, errors: &mut Errors) -> Option<Expr> {
        let parameters = &self.signature.function.parameters;
        let all: Vec<&Ident> =
            parameters.iter().filter(|parameter| address(&parameter.ty)).map(|parameter| &parameter.ident).collect();
        if let [only] = all.as_slice() {
            return Some(path(only));
        }
        if self.args.means("pointer") {
            return None;
        }
        let function = &self.signature.function.sig.ident;
        match all.as_slice() {
            [_, second, ..] => {
                let first = all[0];
                errors
                    .at(
                        second,
                        format!("`{function}` has {} parameters that are addresses: which one is freed?", all.len()),
                    )
                    .help(format!("write `pointer = {first}` or `pointer = {second}`"));
            }
            _ => {
                errors
                    .at(
                        &self.at,
                        format!("`{function}` has no parameter that is an address, so that nothing says what it frees"),
                    )
                    .help("write `pointer = ..`: a `DevicePtr`, a raw pointer or a `NonNull`");
            }
        }
        None
    }

    /// `size = ..`, or the parameter of that name.
    fn size(&self, does: &str, errors: &mut Errors) -> Option<Expr> {
        if let Some(given) = self.args.given("size") {
            return Some(given.value.clone());
        }
        let parameters = &self.signature.function.parameters;
        let is_size = |ident: &Ident| ["size", "bytes"].iter().any(|name| ident.unraw() == name);
        let named = parameters.iter().find(|parameter| is_size(&parameter.ident));
        if named.is_none() && !self.args.means("size") {
            let function = &self.signature.function.sig.ident;
            errors
                .at(
                    &self.at,
                    format!("`{function}` has no parameter `size` or `bytes`, so that nothing says how much it {does}"),
                )
                .help("write `size = ..`, a number of bytes")
                .help(if self.args.free.is_none() { "or `free`, if it frees" } else { "" });
        }
        named.map(|parameter| path(&parameter.ident))
    }

    fn ledger(&self) -> Option<Box<Expr>> {
        self.args.given("ledger").map(|given| Box::new(given.value.clone()))
    }

    /// Memory of the host has no stream.
    fn stream(&self, errors: &mut Errors) -> Option<Box<Expr>> {
        match sources::find(&STREAM, self.args, self.signature) {
            Search::One(stream, _) => Some(stream),
            Search::None => None,
            several @ Search::Several(_) => {
                self.report(&STREAM, &several, "", errors);
                None
            }
        }
    }

    fn report(&self, readable: &'static Readable, search: &Search<'_>, wanted: &str, errors: &mut Errors) {
        // An argument that could not be read, and what the span's attributes asked for, was told.
        if self.args.means(readable.argument) || self.captures.told.contains(&readable.ty) {
            return;
        }
        Asks { kind: self.kind, signature: self.signature, at: &self.at }.report(readable, search, wanted, &[], errors);
    }
}

/// Whether a type is an address, by its words.
fn address(ty: &Type) -> bool {
    match peel(ty) {
        Type::Ptr(_) => true,
        Type::Path(path) => match last(path).as_str() {
            "DevicePtr" | "NonNull" => true,
            "Option" => argument(path).is_some_and(address),
            _ => false,
        },
        _ => false,
    }
}
