//! Finds the launch's shape, the stream, the kernel and the event among the parameters: by type, not by name.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Expr, Type, TypeParamBound};

use super::signature::Signature;
use crate::errors::Errors;
use crate::kinds::Kind;
use crate::lower::{argument, is_plain_value, last, peel};
use crate::parse::args::Args;
use crate::parse::item::mentions;
use crate::plan::Parameter;
use crate::suggest::{list, or_list};

/// A type that registries name in `source: {type: ..}`, and what the runtime reads from it.
pub(super) struct Readable {
    pub(super) ty: &'static str,
    /// Whoever implements it may stand for the type.
    of_trait: &'static str,
    /// The argument that says it where no type does.
    pub(super) argument: &'static str,
    /// Last segments of keys, and the function of the runtime that reads the value.
    readers: &'static [(&'static str, &'static str)],
}

pub(super) static LAUNCH_CONFIG: Readable = Readable {
    ty: "LaunchConfig",
    of_trait: "LaunchShape",
    argument: "launch",
    readers: &[("grid", "launch_grid"), ("block", "launch_block"), ("shared_memory", "launch_shared_memory")],
};

pub(super) static STREAM: Readable = Readable {
    ty: "Stream",
    of_trait: "OnStream",
    argument: "stream",
    readers: &[("id", "stream_id"), ("device", "stream_device")],
};

pub(super) static FUNCTION: Readable =
    Readable { ty: "Function", of_trait: "", argument: "kernel", readers: &[("name", "kernel_name")] };

pub(super) static EVENT: Readable =
    Readable { ty: "Event", of_trait: "", argument: "event", readers: &[("waits_on", "event_stream")] };

static ALL: [&Readable; 4] = [&LAUNCH_CONFIG, &STREAM, &FUNCTION, &EVENT];

impl Readable {
    /// What the registry means with a type's name and the key of an attribute; `None`: the value itself.
    pub(super) fn of(ty: &str, key: &str) -> Option<(&'static Self, &'static str)> {
        let readable = ALL.into_iter().find(|readable| readable.ty == ty)?;
        let (_, reader) = readable.readers.iter().find(|(segment, _)| key.rsplit('.').next() == Some(segment))?;
        Some((readable, reader))
    }
}

/// What a search among the parameters gave.
pub(super) enum Search<'a> {
    /// The argument's expression, or the only parameter of the type.
    One(Box<Expr>, &'a [Attribute]),
    None,
    Several(Vec<&'a Parameter>),
}

/// Looks for the argument, then for a parameter of the type, also behind references, `Option` and `Arc`.
pub(super) fn find<'a>(readable: &Readable, args: &'a Args, signature: &'a Signature) -> Search<'a> {
    if let Some(given) = args.given(readable.argument) {
        return Search::One(Box::new(given.value.clone()), &[]);
    }
    let all: Vec<_> = signature.function.parameters.iter().filter(|parameter| is(&parameter.ty, readable)).collect();
    match all.as_slice() {
        [] => Search::None,
        [only] => Search::One(Box::new(path(&only.ident)), &only.cfg),
        _ => Search::Several(all),
    }
}

/// Every parameter of the type.
pub(super) fn all<'a>(readable: &Readable, signature: &'a Signature) -> impl Iterator<Item = &'a Parameter> {
    signature.function.parameters.iter().filter(|parameter| is(&parameter.ty, readable))
}

/// A parameter, as an expression.
pub(super) fn path(ident: &Ident) -> Expr {
    Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: ident.clone().into() })
}

fn is(ty: &Type, readable: &Readable) -> bool {
    let of_trait = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == readable.of_trait),
        _ => false,
    };
    match peel(ty) {
        Type::Reference(reference) => is(&reference.elem, readable),
        Type::Path(path) => match last(path).as_str() {
            "Option" | "Arc" | "Rc" | "Box" => argument(path).is_some_and(|inner| is(inner, readable)),
            name => name == readable.ty,
        },
        Type::ImplTrait(ty) => ty.bounds.iter().any(of_trait),
        Type::TraitObject(ty) => ty.bounds.iter().any(of_trait),
        _ => false,
    }
}

/// Who asks for a type.
pub(super) struct Asks<'a> {
    pub(super) kind: &'static Kind,
    pub(super) signature: &'a Signature,
    /// Where it is said that there is none.
    pub(super) at: &'a TokenStream,
}

impl Asks<'_> {
    /// Nothing of the type is there, or more than one: says what to write.
    pub(super) fn report(
        &self,
        readable: &Readable,
        search: &Search<'_>,
        wanted: &str,
        keys: &[&'static str],
        errors: &mut Errors,
    ) {
        let Readable { ty, argument, of_trait, .. } = readable;
        let function = &self.signature.function.sig.ident;
        let takes = self.kind.arguments.contains(argument);
        let fields: Vec<_> = keys.iter().map(|key| format!("{key} = ..")).collect();
        let field = (!keys.is_empty()).then(|| format!("`fields({})`", fields.join(", ")));
        match search {
            Search::One(..) => {}
            Search::None => {
                let mistake = errors.at(self.at, format!("`{function}` has no parameter of type `{ty}`, {wanted}"));
                mistake.help(match takes {
                    true if of_trait.is_empty() => format!("take one, or write `{argument} = ..`"),
                    true => format!("take one, or write `{argument} = ..`: a value whose type implements `{of_trait}`"),
                    false => "take one".to_owned(),
                });
                mistake.help(field.map_or_else(String::new, |field| format!("or {field}")));
                // A parameter that is none of ours, and no plain value, may be one under another name.
                let hidden = |parameter: &Parameter| {
                    !is_plain_value(&parameter.ty)
                        && !mentions(&parameter.ty, "DevicePtr")
                        && ALL.iter().all(|readable| !is(&parameter.ty, readable))
                };
                if takes && self.signature.function.parameters.iter().any(hidden) {
                    mistake.help("a macro cannot look through an alias: name the parameter");
                }
            }
            Search::Several(all) => {
                let names: Vec<_> = all.iter().map(|parameter| parameter.ident.to_string()).collect();
                let shown = list(names.iter().map(String::as_str));
                let mistake = errors
                    .at(&all[1].ident, format!("`{function}` has {} parameters of type `{ty}`: {shown}", all.len()));
                let choices: Vec<_> = names.iter().take(3).map(|name| format!("{argument} = {name}")).collect();
                mistake.help(match (takes, field) {
                    (true, _) => format!("say which one is meant: {}", or_list(choices.iter().map(String::as_str))),
                    (false, Some(field)) => format!("write {field} with the value of the one that is meant"),
                    (false, None) => String::new(),
                });
            }
        }
    }
}
