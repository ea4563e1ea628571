//! Late values: the typed handle that a body uses, and the statements that form (i) writes itself.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

use super::site::list as list_type;
use super::word;
use crate::paths::{at, here};
use crate::plan::{Attr, Plan, Shape, Value};

/// The name under which the body finds the handle; it is meant to be seen, so it is not hygienic.
pub(crate) const HANDLE: &str = "observ";

/// What keeps the values of a call, and of a task.
pub(super) const LATE: &str = "Late";
pub(super) const TASK_LATE: &str = "TaskLate";

/// The handle's type, with one method for each declared attribute: nothing else can be set.
pub(super) fn handle(plan: &Plan, of: &str) -> Option<TokenStream> {
    if plan.late.iter().all(|attr| !matches!(attr.value, Value::Handle(_))) {
        return None;
    }
    let (count, of) = (plan.late.len(), Ident::new(of, here()));
    let methods = plan.late.iter().enumerate().filter_map(|(index, attr)| method(index, attr));
    Some(quote_spanned! {here()=>
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        struct __KinaDeclaredInLate<'a>(::core::option::Option<&'a __kina_p::#of<#count>>);
        #[allow(dead_code)]
        impl __KinaDeclaredInLate<'_> { #(#methods)* }
    })
}

fn method(index: usize, attr: &Attr) -> Option<TokenStream> {
    let Value::Handle(name) = &attr.value else { return None };
    let (ty, set) = match attr.shape {
        Shape::Int => (
            quote_spanned!(here()=> impl __kina_p::IntValue),
            quote_spanned!(here()=> set_word(#index, __kina_p::int(&__kina_value))),
        ),
        Shape::Double => (
            quote_spanned!(here()=> impl __kina_p::DoubleValue),
            quote_spanned!(here()=> set_word(#index, __kina_p::double(&__kina_value))),
        ),
        Shape::Boolean => (
            quote_spanned!(here()=> impl __kina_p::BooleanValue),
            quote_spanned!(here()=> set_word(#index, __kina_p::boolean(&__kina_value))),
        ),
        Shape::Enum(ref list, _) => {
            let list = list_type(list, here());
            (
                quote_spanned!(here()=> impl __kina_p::EnumValue<#list>),
                quote_spanned!(here()=> set_word(#index, __kina_p::enumeration::<#list, _>(&__kina_value))),
            )
        }
        Shape::Str | Shape::Ints => (
            quote_spanned!(here()=> impl __kina_p::StrValue),
            quote_spanned!(here()=> set_str(#index, __kina_p::text(&__kina_value))),
        ),
    };
    Some(quote_spanned! {here()=>
        fn #name(self, __kina_value: #ty) {
            if let ::core::option::Option::Some(__kina_late) = self.0 {
                __kina_late.#set;
            }
        }
    })
}

/// Makes the handle, under a name that the body sees, from an expression of type `Option<&Late>`.
pub(super) fn bind(word: Option<&Ident>, late: TokenStream) -> TokenStream {
    let handle = Ident::new(HANDLE, word.map_or_else(here, Ident::span));
    quote_spanned!(here()=> let #handle = __KinaDeclaredInLate(#late);)
}

/// What the launch around the body knows once its kernel is enqueued.
pub(super) fn of_launch(plan: &Plan) -> TokenStream {
    let sets = plan.late.iter().enumerate().filter_map(|(index, attr)| match attr.value {
        Value::Launch(_) => {
            let word = word(attr);
            Some(quote_spanned!(here()=> __kina_late.set_word(#index, #word);))
        }
        _ => None,
    });
    sets.collect()
}

/// Form (i): what `fields(..)` gives, written once the parameters have passed their checks.
pub(super) fn statements(plan: &Plan) -> TokenStream {
    let sets = plan.late.iter().enumerate().map(|(index, attr)| {
        let cfg = &attr.cfg;
        let value = word(attr);
        let set = Ident::new(if matches!(attr.shape, Shape::Str) { "set_str" } else { "set_word" }, here());
        let place = match &attr.value {
            Value::Parameter(ident) | Value::Handle(ident) => at(ident),
            Value::Expression(expression) | Value::Read(_, expression) => at(expression),
            Value::Text(text) => at(text),
            Value::Launch(_) => here(),
        };
        quote_spanned!(place=> #(#cfg)* __kina_late.#set(#index, #value);)
    });
    quote_spanned! {here()=>
        if let ::core::option::Option::Some(__kina_late) = __kina_late { #(#sets)* }
    }
}
