//! Second step: checks what was parsed, collects every mistake, and makes the plan.

mod captures;
mod device;
mod names;
mod outcome;
mod shape;
mod signature;
mod sources;
mod words;
mod work;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ReturnType};

use crate::errors::Errors;
use crate::kinds::Kind;
use crate::lower::{is_unit, lower};
use crate::parse::args::{Args, Given, Nvtx, SPAN_TYPE};
use crate::parse::item::{Item, mentions};
use crate::paths::{at, internal};
use crate::plan::{Function, Plan, Site, Value, Wrapper};
use crate::registry::Registry;
use crate::suggest::{list, near_or_list};
use kina_observ_conventions::{Level, Severity, SpanDef, SpanKind};
use names::Names;
use signature::Signature;

pub(crate) use names::with_members;
pub(crate) use signature::is_symbol;

/// How a function gets its boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A C function is made beside it.
    Export,
    /// It is a C function.
    Extern,
    /// It has none.
    Span,
}

/// Checks everything; `None` if there is a mistake, which is then in `errors`.
pub(crate) fn check(
    kind: &'static Kind,
    mut args: Args,
    item: Item,
    registry: &Registry,
    errors: &mut Errors,
) -> Option<Plan> {
    let bindings = bindings(&mut args);
    let names = Names { registry, kind };
    let mut signature = signature::check(kind, &args, item, errors);
    let ident = signature.function.sig.ident.clone();
    let span = match args.means(SPAN_TYPE) {
        true => None,
        false => {
            let default = if args.free.is_some() { Some("runtime.free") } else { kind.span_type };
            names.span(args.span_type.as_ref(), default, &ident, &signature.symbol, errors)
        }
    };
    let captures = captures::check(names, &args, &signature, span.as_ref(), errors);
    let work = work::check(kind, &args, &signature, &captures, span.as_ref(), errors);
    let by_body = captures.late.iter().any(|attr| matches!(attr.value, Value::Handle(_)));
    let wrapper = wrapper(&args, &mut signature, by_body, errors);
    let span = span?;
    if let Some(Nvtx::Text(template)) = &args.nvtx {
        placeholders(template, span.def, errors);
    }
    let nvtx = match args.nvtx {
        Some(Nvtx::Off) => None,
        Some(Nvtx::Text(template)) => Some(template.value()),
        // A span of the crate's own that no registry lists is called by its key.
        None => span.def.map_or(Some(span.key.as_str()), |def| def.nvtx).map(str::to_owned),
    };
    let site = Site {
        name: span.def.map_or_else(|| span.key.clone(), |def| def.name.to_owned()),
        kind: span.def.map_or(SpanKind::Internal, |def| def.kind),
        severity: args.level.unwrap_or(span.def.map_or(Severity::Info, |def| def.severity)),
        level: span.def.map_or(Level::Basic, |def| def.level),
        span_type: span.key,
        symbol: signature.symbol,
        code_key: captures.code_key,
        device: captures.device.then(|| registry.device().unwrap_or_default().to_owned()),
        inner_event: args.inner_event,
        nvtx,
    };
    errors.is_empty().then_some(())?;
    Some(Plan {
        function: signature.function,
        site,
        start: captures.start,
        late: captures.late,
        late_word: args.late_word,
        bindings,
        work,
        wrapper: wrapper?,
        runtime: args.runtime,
        marker: registry.declared(),
    })
}

/// Gives a name to each expression that several values are read from.
fn bindings(args: &mut Args) -> Vec<(Ident, Expr)> {
    let several = |given: &&mut Given| ["kernel", "launch", "stream", "size"].iter().any(|word| given.word == word);
    let made = |given: &&mut Given| match &given.value {
        Expr::Lit(_) => false,
        Expr::Path(path) => path.path.get_ident().is_none(),
        _ => true,
    };
    let given = args.given.iter_mut().filter(several).filter(made);
    given
        .map(|given| {
            let mut name = internal(&given.word.to_string());
            name.set_span(at(&given.value));
            let value = core::mem::replace(&mut given.value, sources::path(&name));
            (name, value)
        })
        .collect()
}

fn wrapper(args: &Args, signature: &mut Signature, late: bool, errors: &mut Errors) -> Option<Wrapper> {
    let sig = &signature.function.sig;
    match signature.form {
        Form::Export => {
            let value = outcome::exported_value(args, signature, errors);
            let c = lower(sig, value.as_ref());
            let mut c = match c {
                Ok(c) => c,
                Err(mistakes) => {
                    for mistake in mistakes {
                        errors.push(mistake);
                    }
                    return None;
                }
            };
            c.error = args.error_out.is_some();
            words::lowered(signature, &mut c, errors);
            c_names(signature, &c, errors);
            let returns = args.returns.clone().map(Box::new);
            Some(Wrapper::Export { symbol: signature.symbol.clone(), c: Box::new(c), returns })
        }
        Form::Extern => {
            words::written(signature, errors);
            let out = outcome::out_parameter(args, signature, errors);
            let error = words::error_parameter(args, signature, errors);
            let status = match &sig.output {
                ReturnType::Type(_, ty) if !is_unit(ty) => Some(ty.clone()),
                _ => None,
            };
            Some(Wrapper::Extern { status, returns: args.returns.clone().map(Box::new), out, error })
        }
        Form::Span => {
            let parent = args.parent.clone().map(Box::new);
            if sig.asyncness.is_some() {
                return Some(Wrapper::Task { parent });
            }
            if let Some(tail) = signature.tail.take() {
                return Some(Wrapper::Tail { parent, tail: Box::new(tail) });
            }
            // A nested function sees neither `self` nor `Self`, and an `impl Trait` of its own is another type.
            let closure = !signature.plain
                || late
                || mentions(sig, "Self")
                || mentions(&signature.function.body, "Self")
                || signature::returns_impl(&sig.output);
            Some(if closure { Wrapper::Closure { parent } } else { Wrapper::Split { parent } })
        }
    }
}

/// The C names of a slice's own length and of the pointers for result and error must be free.
fn c_names(signature: &Signature, c: &crate::lower::CSignature, errors: &mut Errors) {
    let taken = |name: &str| signature.function.parameters.iter().find(|parameter| parameter.ident == name);
    for parameter in c.parameters.iter().filter(|parameter| parameter.has_own_length()) {
        let length = format!("{}_len", parameter.name);
        if let Some(other) = taken(&length) {
            errors
                .at(&other.ident, format!("`{length}` is the C name of the length of slice `{}`", parameter.name))
                .help("rename one of the two");
        }
    }
    if let (Some(_), Some(other)) = (&c.out, taken("out")) {
        errors.at(&other.ident, "`out` is the C name of the pointer that gets the result").help("rename the parameter");
    }
    if let (true, Some(other)) = (c.error, taken("error")) {
        errors
            .at(&other.ident, "`error` is the C name of the pointer that gets the error")
            .help("rename the parameter");
    }
}

/// The attributes in an NVTX template must be the span's own.
fn placeholders(template: &syn::LitStr, def: Option<&'static SpanDef>, errors: &mut Errors) {
    let Some(def) = def else { return };
    let text = template.value();
    let keys = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(key, _)| key);
    for key in keys {
        if names::usage(def, key).is_none() {
            errors.at(template, format!("span `{}` has no attribute `{key}`", def.key)).help(near_or_list(
                key,
                "it has",
                def.attributes.iter().map(|usage| usage.key),
            ));
        }
    }
}

fn not_a_parameter(ident: &Ident, function: &Function, errors: &mut Errors) {
    no_parameter(ident, &ident.to_string(), function, errors);
}

fn no_parameter(at: &impl ToTokens, name: &str, function: &Function, errors: &mut Errors) {
    let names: Vec<String> = function.parameters.iter().map(|parameter| parameter.ident.to_string()).collect();
    let help = if names.is_empty() {
        "it has none".to_owned()
    } else {
        format!("its parameters are {}", list(names.iter().map(String::as_str)))
    };
    errors.at(at, format!("`{name}` is not a parameter of `{}`", function.sig.ident)).help(help);
}
