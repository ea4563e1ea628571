//! The C function that an `#[ffi_span]` leaves, for the header writer: parsed, checked and lowered as the macro does it.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, FnArg, Ident, Pat, ReturnType, Type, parse_quote};

use crate::emit::c_types;
use crate::errors::{Errors, Mistake};
use crate::kinds::FFI_SPAN;
use crate::lower::Passing;
use crate::parse;
use crate::plan::{Function, Wrapper};
use crate::registry::Registry;
use crate::validate;

/// What C calls.
pub struct CFunction {
    /// Its name.
    pub symbol: String,
    /// The attributes of the Rust function.
    pub attrs: Vec<Attribute>,
    /// In the order of C; the out pointer of form (i) is not among them.
    pub parameters: Vec<CSlot>,
    /// Form (i): the Rust type of what is written through the last pointer, `out`.
    pub out: Option<Type>,
    /// Whether a pointer that gets the error comes last.
    pub error: bool,
    /// What it returns.
    pub output: ReturnType,
}

/// One parameter of a C function.
pub struct CSlot {
    /// Its name.
    pub name: Ident,
    /// Its `#[cfg(..)]` attributes.
    pub cfg: Vec<Attribute>,
    /// Its type in C.
    pub ty: Type,
    /// The type whose handle it is, if it is one.
    pub handle: Option<Type>,
}

/// What C calls for a function under `#[ffi_span(arguments)]`.
///
/// # Errors
///
/// Every mistake that the macro would report.
pub fn function(arguments: TokenStream, item: &TokenStream, registry: &Registry) -> Result<CFunction, Vec<Mistake>> {
    let mut errors = Errors::default();
    let args = parse::args::parse(&FFI_SPAN, arguments, &mut errors);
    let plan = parse::item::parse(&FFI_SPAN, item, &mut errors)
        .and_then(|parsed| validate::check(&FFI_SPAN, args, parsed, registry, &mut errors));
    let Some(plan) = plan.filter(|_| errors.is_empty()) else { return Err(errors.into_mistakes()) };
    let Function { attrs, sig, parameters, .. } = plan.function;
    let symbol = plan.site.symbol;
    let c = match plan.wrapper {
        Wrapper::Export { c, .. } => c,
        other => {
            let mut parameters = written(&sig);
            // What the last one points to has another name in C.
            let error = matches!(other, Wrapper::Extern { error: Some(_), .. }) && parameters.pop().is_some();
            return Ok(CFunction { symbol, attrs, parameters, out: None, error, output: sig.output });
        }
    };
    let slots = parameters.iter().zip(&c.parameters).flat_map(|(parameter, lowered)| {
        let handle = matches!(lowered.passing, Passing::Handle | Passing::OptionalHandle);
        let name = name(&lowered.name);
        c_types(lowered, Span::call_site()).into_iter().enumerate().map(move |(index, ty)| CSlot {
            name: if index == 0 { name.clone() } else { Ident::new(&format!("{}_len", lowered.name), name.span()) },
            cfg: parameter.cfg.clone(),
            ty: parse_quote!(#ty),
            handle: handle.then(|| lowered.inner.clone()),
        })
    });
    Ok(CFunction {
        symbol,
        attrs,
        parameters: slots.collect(),
        out: c.out,
        error: c.error,
        output: parse_quote!(-> i32),
    })
}

/// The parameters of a C function as they are written.
pub fn written(signature: &syn::Signature) -> Vec<CSlot> {
    let typed = signature.inputs.iter().filter_map(|argument| match argument {
        FnArg::Typed(argument) => Some(argument),
        FnArg::Receiver(_) => None,
    });
    typed
        .enumerate()
        .map(|(index, argument)| CSlot {
            name: match &*argument.pat {
                Pat::Ident(pattern) => pattern.ident.clone(),
                _ => name(&format!("argument_{index}")),
            },
            cfg: argument.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect(),
            ty: (*argument.ty).clone(),
            handle: None,
        })
        .collect()
}

/// A word of Rust is no name here, although C may have it.
fn name(text: &str) -> Ident {
    syn::parse_str(text).unwrap_or_else(|_| Ident::new(&format!("{text}_"), Span::call_site()))
}
