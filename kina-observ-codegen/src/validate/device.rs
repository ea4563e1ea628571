//! What a span carries of a launch, a wait or an allocation: read by the runtime from parameters that are found by their types.

use kina_observ_conventions::{AttributeUse, Requirement, SpanDef};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, LitStr};

use super::captures::Checker;
use super::names::Found;
use super::signature::Signature;
use super::sources::{self, Readable, Search};
use super::{Form, shape};
use crate::errors::Errors;
use crate::kinds::Around;
use crate::plan::{Attr, Value};

/// Keys whose values a launch knows when it is enqueued, and its method for each.
const OF_LAUNCH: [(&str, &str); 4] = [
    ("runtime.kernel.captured", "captured"),
    ("runtime.kernel.registers", "registers"),
    ("runtime.kernel.static_shared_memory", "static_shared_memory"),
    ("runtime.kernel.occupancy", "occupancy"),
];

impl Checker<'_> {
    /// What the launch knows, an argument such as `size = ..`, or for a kernel without any name that of the function.
    pub(super) fn by_argument(&mut self, usage: &AttributeUse, errors: &mut Errors) -> bool {
        if let (true, Some((key, method))) = (self.captures.launch, OF_LAUNCH.iter().find(|(key, _)| *key == usage.key))
            && let Some(shape) = self.names.definition(usage).and_then(shape::of_expression)
        {
            let (key, value) = ((*key).to_owned(), Value::Launch(method));
            self.captures.late.push(Attr { key, shape, value, cfg: Vec::new() });
            return true;
        }
        if self.names.kind.around == Around::Launch && usage.key == "runtime.kernel.name" {
            match sources::find(&sources::FUNCTION, self.args, self.signature) {
                Search::None => self.take(usage, Value::Text(function_name(self.signature)), &[], errors),
                Search::One(..) | Search::Several(_) => self.read(&sources::FUNCTION, "kernel_name", usage, errors),
            }
            return true;
        }
        if self.names.kind.around == Around::Memory {
            return self.of_memory(usage, errors);
        }
        false
    }

    /// The size as `size = ..` gives it, and the name of the ledger.
    fn of_memory(&mut self, usage: &AttributeUse, errors: &mut Errors) -> bool {
        let given = |argument| self.args.given(argument).map(|given| Box::new(given.value.clone()));
        let value = match usage.key {
            "runtime.alloc.size" => match given("size") {
                Some(size) => Value::Expression(size),
                // More is told about what is missing than that it is an attribute.
                None => return self.source(usage).is_none(),
            },
            "runtime.alloc.resource" => match given("ledger") {
                Some(ledger) => Value::Read("ledger_resource", ledger),
                None => Value::Text(LitStr::new("functions", crate::paths::here())),
            },
            _ => return false,
        };
        self.take(usage, value, &[], errors);
        true
    }

    fn take(&mut self, usage: &AttributeUse, value: Value, cfg: &[Attribute], errors: &mut Errors) {
        let Some(shape) = self.names.definition(usage).and_then(shape::of_expression) else { return };
        let at = match &value {
            Value::Expression(expression) | Value::Read(_, expression) => expression.to_token_stream(),
            _ => self.signature.function.sig.ident.to_token_stream(),
        };
        let attr = Attr { key: usage.key.to_owned(), shape, value, cfg: cfg.to_vec() };
        self.push(attr, self.signature.form != Form::Export, &at, errors);
    }

    /// Where a stream is at hand, it knows its device better than the context does.
    pub(super) fn of_stream(&mut self, usage: &AttributeUse, errors: &mut Errors) {
        let around = self.names.kind.around != Around::Nothing;
        if around && usage.key == "runtime.device" {
            let search = sources::find(&sources::STREAM, self.args, self.signature);
            if matches!(search, Search::One(..)) {
                self.read(&sources::STREAM, "stream_device", usage, errors);
            }
        }
    }

    /// What the runtime reads from a parameter of this type.
    pub(super) fn read(
        &mut self,
        readable: &'static Readable,
        reader: &'static str,
        usage: &AttributeUse,
        errors: &mut Errors,
    ) {
        let (args, signature) = (self.args, self.signature);
        match sources::find(readable, args, signature) {
            Search::One(value, cfg) => self.take(usage, Value::Read(reader, value), cfg, errors),
            Search::None if usage.requirement != Requirement::Required => {}
            // What it was to be could not be read, and that was told.
            Search::None if args.means(readable.argument) => {}
            Search::None | Search::Several(_) => {
                match self.unread.iter_mut().find(|(other, _)| other.ty == readable.ty) {
                    Some((_, keys)) => keys.push(usage.key),
                    None => self.unread.push((readable, vec![usage.key])),
                }
            }
        }
    }

    /// Says each type that was not found, or found more than once.
    pub(super) fn unread(&mut self, def: &SpanDef, span: &Found, errors: &mut Errors) {
        for (readable, keys) in core::mem::take(&mut self.unread) {
            let search = sources::find(readable, self.args, self.signature);
            let wanted = format!("and span `{}` requires {}", def.key, and_list(&keys));
            let asks = sources::Asks { kind: self.names.kind, signature: self.signature, at: &span.at };
            asks.report(readable, &search, &wanted, &keys, errors);
            self.captures.told.push(readable.ty);
        }
    }
}

/// The function's name, as a text.
pub(super) fn function_name(signature: &Signature) -> LitStr {
    let ident = &signature.function.sig.ident;
    LitStr::new(&ident.unraw().to_string(), ident.span())
}

fn and_list(keys: &[&'static str]) -> String {
    let names: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
