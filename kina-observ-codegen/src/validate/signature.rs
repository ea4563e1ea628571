//! Checks the signature: what C can call, what a span can stand around.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, FnArg, Lit, Meta, Pat, ReturnType, Token, Type};

use super::Form;
use crate::errors::Errors;
use crate::kinds::{Around, KINDS, Kind};
use crate::lower::{argument, callback, is_unit, last, peel, shown};
use crate::parse::args::Args;
use crate::parse::item::Item;
use crate::parse::tail::{self, Tail};
use crate::plan::{Function, Parameter};
use crate::returned::{future, result_value, success};

/// The function, its form and the symbol or name that stands for it.
pub(crate) struct Signature {
    pub(crate) function: Function,
    pub(crate) form: Form,
    pub(crate) symbol: String,
    /// Every parameter is a plain identifier.
    pub(crate) plain: bool,
    /// The future that a function which is not `async` ends in.
    pub(crate) tail: Option<Tail>,
}

pub(crate) fn check(kind: &Kind, args: &Args, item: Item, errors: &mut Errors) -> Signature {
    let name = item.sig.ident.unraw().to_string();
    everywhere(kind, &item, errors);
    let mut tail = None;
    let (form, symbol) = if kind.boundary {
        boundary(kind, args, &item, errors)
    } else if kind.around == Around::Nothing {
        tail = if item.sig.asyncness.is_none() { tail::find(&item.body) } else { None };
        if tail.is_none() {
            returns_no_future(&item.sig.output, errors);
        }
        (Form::Span, name)
    } else {
        on_one_thread(kind, &item, errors);
        (Form::Span, name)
    };
    let mut parameters = Vec::new();
    let mut plain = true;
    for (argument, words) in item.sig.inputs.iter().zip(&item.words) {
        match argument {
            FnArg::Receiver(_) => plain = false,
            FnArg::Typed(argument) => match plain_name(&argument.pat) {
                Some(ident) => parameters.push(Parameter {
                    ident: ident.clone(),
                    ty: (*argument.ty).clone(),
                    cfg: cfgs(&argument.attrs),
                    words: words.clone(),
                }),
                None => {
                    plain = false;
                    if kind.boundary {
                        errors
                            .at(&argument.pat, "a parameter of a C function needs a name")
                            .help("name the parameter, and take it apart in the body");
                    }
                }
            },
        }
    }
    if form == Form::Extern {
        for parameter in &parameters {
            passed_by_c(&parameter.ty, errors);
        }
    }
    let Item { attrs, vis, sig, inner, body, .. } = item;
    Signature { function: Function { attrs, vis, sig, inner, body, parameters }, form, symbol, plain, tail }
}

fn everywhere(kind: &Kind, item: &Item, errors: &mut Errors) {
    let shown = kind.shown();
    let sig = &item.sig;
    if let Some(word) = &sig.constness {
        errors
            .at(word, format!("`{shown}` cannot be used on a `const fn`"))
            .help("remove `const`: a span reads the clock");
    }
    if let (Some(word), true) = (&sig.asyncness, kind.boundary) {
        errors
            .at(word, format!("`{shown}` cannot be used on an `async fn`: C cannot await it"))
            .help("write a function that starts the work and returns a handle");
    }
    for attr in &item.attrs {
        let twice = attr.path().segments.last().is_some_and(|last| KINDS.iter().any(|kind| last.ident == kind.name));
        if twice {
            errors
                .at(attr.path(), format!("a function has one span, and `{shown}` makes it already"))
                .help("remove one of the two attributes");
        }
    }
}

/// What only a C boundary forbids; says which of the two forms it is.
fn boundary(kind: &Kind, args: &Args, item: &Item, errors: &mut Errors) -> (Form, String) {
    let sig = &item.sig;
    let name = sig.ident.unraw().to_string();
    if let Some(receiver) = sig.receiver() {
        errors
            .at(receiver, format!("`{}` needs a free function: C cannot pass `self`", kind.shown()))
            .help("take a `Handle<T>` or a reference as an ordinary parameter");
    }
    if !sig.generics.params.is_empty() {
        errors
            .at(&sig.generics.params, "a generic function cannot be exported: C needs one symbol and one layout")
            .help("name the types; leave lifetimes out, the compiler finds them");
    } else if let Some(clause) = &sig.generics.where_clause {
        errors
            .at(clause, "a generic function cannot be exported: C needs one symbol and one layout")
            .help("remove the `where` clause");
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(variadic.dots, "C varargs cannot be forwarded").help("take a pointer and a length");
    }
    let exported = exported(&item.attrs);
    let symbol = match (&args.export, &exported) {
        (Some(export), _) => export.value(),
        (None, Some((_, Some(symbol)))) => symbol.clone(),
        _ => name.clone(),
    };
    let Some(abi) = &sig.abi else {
        plain_function(args, item, exported.map(|(attr, _)| attr), errors);
        return (Form::Export, symbol);
    };
    let abi_name = abi.name.as_ref().map_or_else(|| "C".to_owned(), syn::LitStr::value);
    if !matches!(abi_name.as_str(), "C" | "C-unwind") {
        errors
            .at(abi, format!("`extern \"{abi_name}\"` is not the C ABI on every platform"))
            .help("write `extern \"C\"`");
    }
    if let Some(export) = &args.export {
        errors
            .at(export, "`export` makes a C function, and this is one already")
            .help(format!("remove it, and write `#[unsafe(export_name = \"{}\")]` on the function", export.value()));
    } else if exported.is_none() {
        errors
            .at(&sig.ident, format!("`{name}` is not exported, so C cannot call it"))
            .help("add `#[unsafe(no_mangle)]`");
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && result_value(ty).is_some()
    {
        let returns = shown(ty);
        errors.at(ty, "C cannot read a `Result`").help(match success(ty) {
            Some(value) if !is_unit(value) => format!(
                "return `i32`, take `out: Option<&mut MaybeUninit<{}>>`, and write `returns = {returns}, out = out` in the attribute",
                shown(value)
            ),
            _ => format!("return `i32` and write `returns = {returns}` in the attribute"),
        });
    }
    (Form::Extern, symbol)
}

fn plain_function(args: &Args, item: &Item, no_mangle: Option<&Attribute>, errors: &mut Errors) {
    let ident = &item.sig.ident;
    if let Some(attr) = no_mangle {
        errors.at(attr, "this exports the Rust function, which C cannot call safely").help(match &args.export {
            Some(export) => format!("remove it: C calls `{}`, which checks what it passes", export.value()),
            None => format!("write `export = \"{}\"` instead, or make the function `extern \"C\"`", ident.unraw()),
        });
    }
    match &args.export {
        None if no_mangle.is_none() && !args.means("export") => {
            errors
                .at(ident, "`#[ffi_span]` on a plain function needs the symbol that C calls")
                .help(format!("write `#[ffi_span(export = \"{}\")]`", ident.unraw()))
                .help("or make it `#[unsafe(no_mangle)] pub extern \"C\" fn`");
        }
        Some(export) if !is_symbol(&export.value()) => {
            errors
                .at(export, format!("`{}` is not a C symbol", export.value()))
                .help("use letters, digits and underscores, and no digit first");
        }
        _ => {}
    }
}

/// Letters, digits and underscores, no digit first.
pub(crate) fn is_symbol(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The attribute that exports a function, and the name that it gives.
fn exported(attrs: &[Attribute]) -> Option<(&Attribute, Option<String>)> {
    attrs.iter().find_map(|attr| {
        let metas = if attr.path().is_ident("unsafe") {
            attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?
        } else {
            Punctuated::from_iter([attr.meta.clone()])
        };
        metas.iter().find_map(|meta| match meta {
            Meta::Path(path) if path.is_ident("no_mangle") => Some((attr, None)),
            Meta::NameValue(pair) if pair.path.is_ident("export_name") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) => Some((attr, Some(name.value()))),
                _ => Some((attr, None)),
            },
            _ => None,
        })
    })
}

/// Form (ii) gets its arguments before any check can run, so their types must hold whatever C passes.
fn passed_by_c(ty: &Type, errors: &mut Errors) {
    match peel(ty) {
        Type::Reference(reference) => {
            let inner = peel(&reference.elem);
            let (pointer, word) = match reference.mutability {
                Some(_) => ("*mut", "&mut "),
                None => ("*const", "&"),
            };
            let instead = match inner {
                Type::Slice(slice) => {
                    format!("write `{pointer} {}` and a length of type `usize`", shown(&slice.elem))
                }
                Type::Path(path) if path.path.is_ident("str") => "write `*const c_char`".to_owned(),
                _ => format!("write `Option<{word}{0}>` or `{pointer} {0}`", shown(inner)),
            };
            errors
                .at(ty, format!("C can pass a null pointer, and `{}` must never be one", shown(ty)))
                .help(instead)
                .help("or write a plain `fn` with `export = \"..\"`, whose parameters are checked for you");
        }
        Type::FnPtr(function) => {
            errors
                .at(ty, "C can pass null where a function is expected")
                .help(format!("write `Option<{}>`", shown(ty).replace("extern \"C\"", "extern \"C-unwind\"")))
                .help("or write a plain `fn` with `export = \"..\"`, whose parameters are checked for you");
            callback(function).err().map(|mistake| errors.push(mistake));
        }
        Type::Path(path) => {
            if let ("Option", Some(Type::FnPtr(function))) = (last(path).as_str(), argument(path).map(peel)) {
                callback(function).err().map(|mistake| errors.push(mistake));
            }
        }
        Type::Slice(_) => {
            errors.at(ty, format!("`{}` has no size that C knows", shown(ty))).help("write a pointer and a length");
        }
        _ => {}
    }
}

/// A launch, a wait and an allocation begin and end in one call, on one thread.
fn on_one_thread(kind: &Kind, item: &Item, errors: &mut Errors) {
    let place = match (&item.sig.asyncness, &item.sig.output) {
        (Some(word), _) => word.to_token_stream(),
        (None, ReturnType::Type(_, ty)) if future(ty).is_some() => ty.to_token_stream(),
        _ => return,
    };
    let what = match kind.around {
        Around::Launch => "a kernel is launched in one call, and this one can be left in the middle",
        Around::Wait => "a wait for a stream ends in the call that began it, and this one can be left in the middle",
        Around::Memory | Around::Nothing => "memory is allocated in one call, and this one can be left in the middle",
    };
    errors
        .at(place, format!("`{}` cannot be used on what is awaited: {what}", kind.shown()))
        .help(format!("put `{}` on a function that this one calls, and `#[span]` on this one", kind.shown()));
}

fn returns_no_future(output: &ReturnType, errors: &mut Errors) {
    if let ReturnType::Type(_, ty) = output
        && future(ty).is_some()
    {
        errors
            .at(ty, "this function returns a future but is not `async`, so its span would only cover the making of it")
            .help("make it an `async fn`")
            .help("or end it with `async move { .. }` or `Box::pin(async move { .. })`");
    }
}

fn plain_name(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => Some(&pattern.ident),
        _ => None,
    }
}

fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

/// Whether `impl Trait` occurs in the return type.
pub(crate) fn returns_impl(output: &ReturnType) -> bool {
    crate::parse::item::mentions(&output.to_token_stream(), "impl")
}
