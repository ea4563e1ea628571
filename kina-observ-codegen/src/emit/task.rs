//! `#[span]` on what makes a future: the span starts with the first poll and belongs to the task.

use proc_macro2::{Group, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ReturnType, Type};

use super::span::{finish, outcome, without_impl};
use super::{block, borrowed, braced, late, prelude, site, value};
use crate::parse::item::split_inner_attributes;
use crate::parse::tail::Tail;
use crate::paths::{at, here, internal};
use crate::plan::{Plan, Shape, Value};
use crate::returned::future;

/// What a future gives, as far as its function says it.
enum Gives {
    Nothing,
    /// Without `impl Trait`.
    Value(Box<Type>),
    /// It never ends.
    Never,
    Unknown,
}

impl Gives {
    fn new(ty: &Type) -> Self {
        match ty {
            Type::Never(_) => Self::Never,
            _ => Self::Value(Box::new(without_impl(ty))),
        }
    }
}

/// `async fn`.
pub(super) fn function(plan: &Plan, parent: Option<&Expr>) -> TokenStream {
    let function = &plan.function;
    let (attrs, vis, sig, inner) = (&function.attrs, &function.vis, &function.sig, &function.inner);
    let gives = match &sig.output {
        ReturnType::Default => Gives::Nothing,
        ReturnType::Type(_, ty) => Gives::new(ty),
    };
    let words = quote_spanned!(here()=> async move);
    let values: Vec<_> = plan.start.iter().map(value).collect();
    let (items, inside) = (items(plan), inside(plan, parent, &values, &gives, &words, &function.body));
    let body = block(plan, quote!(#(#inner)* #items #inside));
    quote!(#(#attrs)* #vis #sig #body)
}

/// A function that ends in a future: only that is rewritten.
pub(super) fn tail(plan: &Plan, parent: Option<&Expr>, tail: &Tail) -> TokenStream {
    let function = &plan.function;
    let (attrs, vis, sig, inner) = (&function.attrs, &function.vis, &function.sig, &function.inner);
    let gives = match &sig.output {
        ReturnType::Type(_, ty) => future(ty).flatten().map_or(Gives::Unknown, Gives::new),
        ReturnType::Default => Gives::Unknown,
    };
    let Tail { before, boxed, words, body } = tail;
    let (own, body) = split_inner_attributes(body.clone()).unwrap_or_else(|_| (Vec::new(), body.clone()));
    let (early, values) = early(plan, !before.is_empty());
    let inside = inside(plan, parent, &values, &gives, words, &body);
    let inside = braced(&body, quote!(#(#own)* #inside));
    // It takes what it records with it, whether the user's future borrows it or not.
    let word = words.clone().into_iter().next();
    let moves = quote_spanned!(here()=> move);
    let future = quote!(#word #moves #inside);
    let future = match boxed {
        None => future,
        Some((path, parentheses)) => {
            let mut group = Group::new(parentheses.delimiter(), future);
            group.set_span(parentheses.span());
            quote!(#path #group)
        }
    };
    let items = items(plan);
    let body = block(plan, quote!(#(#inner)* #items #early #(#before)* #future));
    quote!(#(#attrs)* #vis #sig #body)
}

/// The values, and what keeps those of parameters that the statements before the future may move or hide.
fn early(plan: &Plan, statements: bool) -> (TokenStream, Vec<TokenStream>) {
    let mut kept = TokenStream::new();
    let values = plan.start.iter().enumerate().map(|(index, attr)| {
        let word = !matches!(attr.shape, Shape::Str | Shape::Ints);
        let given = matches!(attr.value, Value::Parameter(_)) && attr.cfg.is_empty();
        if !(statements && word && given) {
            return value(attr);
        }
        let (name, value) = (internal(&format!("value_{index}")), value(attr));
        kept.extend(quote_spanned!(here()=> let #name = #value;));
        name.into_token_stream()
    });
    let values = values.collect();
    (kept, values)
}

fn items(plan: &Plan) -> TokenStream {
    let (prelude, site, handle) = (prelude(plan), site::site(plan), late::handle(plan, late::TASK_LATE));
    quote!(#prelude #site #handle)
}

/// What runs in the task.
fn inside(
    plan: &Plan,
    parent: Option<&Expr>,
    values: &[TokenStream],
    gives: &Gives,
    words: &TokenStream,
    body: &Group,
) -> TokenStream {
    let begin = match parent {
        None => quote_spanned!(here()=> begin(&__KINA_SITE, |__kina_start| __kina_start.task(&[#(#values),*]))),
        Some(parent) => {
            let parent = borrowed(parent);
            quote_spanned!(here()=> begin_child_of(&__KINA_SITE, #parent, |__kina_start| __kina_start.task(&[#(#values),*])))
        }
    };
    let count = plan.late.len();
    let bind = (count > 0).then(|| {
        let bind =
            late::bind(plan.late_word.as_ref(), quote_spanned!(here()=> ::core::option::Option::Some(&__kina_late)));
        quote_spanned!(here()=> let __kina_late = __kina_p::TaskLate::<#count>::new(); #bind)
    });
    let outcome = outcome();
    let end = match bind {
        Some(_) => quote_spanned!(here()=> __kina_span.finish_late(#outcome, &__kina_late)),
        None => quote_spanned!(here()=> __kina_span.finish(#outcome)),
    };
    let finish = finish(end);
    // An `async` block cannot say what it gives; a `return` that never happens says it.
    let (edge, ty) = match gives {
        Gives::Nothing => (Some(quote_spanned!(here()=> if false { return; })), None),
        Gives::Value(ty) => (
            Some(quote_spanned!(at(ty)=> if false { return __kina_p::unreached::<#ty>(); })),
            Some(quote_spanned!(at(ty)=> : #ty)),
        ),
        Gives::Never | Gives::Unknown => (None, None),
    };
    let future = match edge {
        None => quote!(#words #body),
        Some(edge) => {
            // At the user's braces, but ours: a lint would find a second pair of theirs to be too many.
            let mut inner = Group::new(body.delimiter(), body.stream());
            inner.set_span(here().located_at(body.span()));
            let outer = braced(body, quote!(#edge #inner));
            quote!(#words #outer)
        }
    };
    let run = quote_spanned!(here()=> __kina_span.wrap(#future).await);
    let rest = match gives {
        Gives::Never => run,
        _ => quote_spanned!(here()=> let __kina_result #ty = #run; #finish __kina_result),
    };
    quote_spanned!(here()=> let __kina_span = __kina_p::TaskSpan::#begin; #bind #rest)
}
