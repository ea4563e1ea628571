//! What runs around a body besides the span: begun when the span is open, ended before it closes, also when the body unwinds.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::{Expr, ReturnType};

use super::{bare, borrowed, read};
use crate::paths::{at, here};
use crate::plan::{Plan, Value, Work};

/// The statements in front of the body and behind it.
#[derive(Default)]
pub(super) struct Around {
    pub(super) begin: Option<TokenStream>,
    pub(super) end: Option<TokenStream>,
}

pub(super) fn around(plan: &Plan) -> Around {
    let Some(work) = &plan.work else { return Around::default() };
    let plainly = || quote_spanned!(here()=> __kina_work.end(););
    // At the returned type, which may be none that a ledger understands.
    let finish = |output: &ReturnType| match output {
        ReturnType::Type(_, ty) => quote_spanned!(at(ty)=> __kina_work.end(&__kina_result);),
        ReturnType::Default => quote_spanned!(here()=> __kina_work.end(&__kina_result);),
    };
    let (made, end) = match work {
        Work::Launch { name, stream } => {
            let (place, name) = read(name);
            let name = quote_spanned!(place=> __kina_p::text(&#name));
            let stream = borrowed(stream);
            (
                quote_spanned!(at(&stream)=> __kina_p::Launch::begin(&__KINA_SITE, __kina_entered, #stream, #name)),
                plainly(),
            )
        }
        Work::Wait { events, stream } => {
            let events = events.iter().map(|event| {
                let event = borrowed(event);
                quote_spanned!(at(&event)=> __kina_p::waits_for(__kina_entered, #event);)
            });
            let stream = optional(stream.as_deref());
            (quote_spanned!(here()=> { #(#events)* __kina_p::Wait::begin(#stream) }), plainly())
        }
        Work::Allocate { ledger, size, stream } => {
            let (ledger, size) = (self::ledger(ledger.as_deref()), bytes(size));
            let stream = optional(stream.as_deref());
            (
                quote_spanned!(here()=> __kina_p::Allocating::begin(#ledger, #size, #stream)),
                finish(&plan.function.sig.output),
            )
        }
        Work::Free { ledger, pointer, size, stream } => {
            let (ledger, size) = (self::ledger(ledger.as_deref()), bytes(size));
            let (pointer, stream) = (borrowed(pointer), optional(stream.as_deref()));
            let made = quote_spanned!(at(&pointer)=> __kina_p::Freeing::begin(#ledger, #pointer, #size, #stream));
            (made, finish(&plan.function.sig.output))
        }
    };
    Around { begin: Some(quote_spanned!(here()=> let __kina_work = #made;)), end: Some(end) }
}

/// Whether to leave the direct way. A ledger counts what the filter keeps out of the trace, so it asks the gate alone.
pub(super) fn is_on(plan: &Plan) -> TokenStream {
    match &plan.work {
        Some(Work::Allocate { .. } | Work::Free { .. }) => quote_spanned!(here()=> __kina_p::is_gate_open()),
        _ => quote_spanned!(here()=> __kina_p::is_on(&__KINA_SITE)),
    }
}

/// What is evaluated once and read several times.
pub(super) fn bindings(plan: &Plan) -> TokenStream {
    let bindings = plan.bindings.iter().map(|(name, value)| {
        let value = borrowed(value);
        quote_spanned!(at(name)=> let #name = #value;)
    });
    bindings.collect()
}

/// The parameters that it uses.
pub(super) fn used(work: &Work) -> Vec<&Ident> {
    let expressions: Vec<Option<&Expr>> = match work {
        Work::Launch { name, stream } => vec![
            match name {
                Value::Read(_, of) | Value::Expression(of) => Some(of),
                _ => None,
            },
            Some(stream),
        ],
        Work::Wait { events, stream } => events.iter().map(Some).chain([stream.as_deref()]).collect(),
        Work::Allocate { size, stream, .. } => vec![Some(size), stream.as_deref()],
        Work::Free { pointer, size, stream, .. } => vec![Some(pointer), Some(size), stream.as_deref()],
    };
    expressions.into_iter().flatten().filter_map(bare).collect()
}

fn optional(value: Option<&Expr>) -> TokenStream {
    match value {
        Some(value) => {
            let value = borrowed(value);
            quote_spanned!(at(&value)=> #value)
        }
        None => quote_spanned!(here()=> &()),
    }
}

/// Functions that say none share one.
fn ledger(ledger: Option<&Expr>) -> TokenStream {
    match ledger {
        Some(ledger) => borrowed(ledger),
        None => quote_spanned!(here()=> &__kina_p::FUNCTIONS),
    }
}

/// A number of bytes, whatever integer it is.
fn bytes(size: &Expr) -> TokenStream {
    let size = borrowed(size);
    quote_spanned!(at(&size)=> __kina_p::int(#size))
}
