//! `#[span]`: a nested function for the body where that is possible, else a closure.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, GenericArgument, GenericParam, PathArguments, ReturnType, Type};

use super::{bare, block, carried, enter, late, prelude, recorded, site, slots, unsafety, without_mut, work};
use crate::paths::here;
use crate::plan::Plan;

/// The shape that costs nothing when off: the body is a function of its own.
pub(super) fn split(plan: &Plan, parent: Option<&Expr>) -> TokenStream {
    let function = &plan.function;
    let sig = &function.sig;
    let (attrs, vis, inner, body) = (&function.attrs, &function.vis, &function.inner, &function.body);
    let nested = carried(attrs, &["track_caller", "target_feature"]);
    let slots = slots(plan);
    let declarations = slots.iter().zip(&function.parameters).map(|(slot, parameter)| {
        let declaration = &slot.declaration;
        // A parameter that is recorded, or that is the parent, is used, even if the body has no use for it.
        let allow = recorded(plan)
            .chain(parent.and_then(bare))
            .any(|ident| *ident == parameter.ident)
            .then(|| quote_spanned!(here()=> #[allow(unused_variables)]));
        quote!(#allow #declaration)
    });
    let plain = slots.iter().map(|slot| &slot.plain);
    let generics = &sig.generics;
    let (where_clause, output, unsafety) = (&generics.where_clause, &sig.output, unsafety(sig));
    let types = turbofish(plan);
    let call = |name: TokenStream| {
        let arguments = slots.iter().map(|slot| &slot.argument);
        let call = quote_spanned!(here()=> #name #types(#(#arguments),*));
        match unsafety {
            Some(_) => quote_spanned!(here()=> unsafe { #call }),
            None => call,
        }
    };
    let run = call(quote_spanned!(here()=> __kina_body));
    let on = call(quote_spanned!(here()=> __kina_on));
    let enter = enter(plan, parent);
    let outcome = outcome();
    let count = plan.late.len();
    let (made, exit) = match count {
        0 => (None, quote_spanned!(here()=> __kina_p::exit_outcome(__kina_entered, #outcome))),
        _ => (
            Some(quote_spanned!(here()=> let __kina_late = __kina_p::Late::<#count>::new();)),
            quote_spanned!(here()=> __kina_p::exit_outcome_late(__kina_entered, #outcome, &__kina_late)),
        ),
    };
    let (finish, of_launch) = (finish(exit), late::of_launch(plan));
    let (bindings, work::Around { begin, end }) = (work::bindings(plan), work::around(plan));
    let is_on = work::is_on(plan);
    let watched = if never(output) {
        quote_spanned!(here()=> let __kina_guard = __kina_p::PanicGuard::new(__kina_entered); #begin #run)
    } else {
        quote_spanned! {here()=>
            let __kina_guard = __kina_p::PanicGuard::new(__kina_entered);
            #begin
            let __kina_result = #run;
            #made
            #of_launch
            #end
            __kina_guard.defuse();
            #finish
            __kina_result
        }
    };
    let outer = without_mut(sig);
    let (prelude, site) = (prelude(plan), site::site(plan));
    let body = block(
        plan,
        quote_spanned! {here()=>
            #(#inner)*
            #prelude
            #site
            #(#nested)*
            #[inline(never)]
            #unsafety fn __kina_body #generics(#(#declarations),*) #output #where_clause #body
            #[cold]
            #[inline(never)]
            #(#nested)*
            #unsafety fn __kina_on #generics(#(#plain),*) #output #where_clause {
                #bindings
                let __kina_entered = #enter;
                #watched
            }
            if #is_on { #on } else { #run }
        },
    );
    quote!(#(#attrs)* #vis #outer #body)
}

/// The shape that sees `self`, `Self` and everything else that the body may name.
pub(super) fn closure(plan: &Plan, parent: Option<&Expr>) -> TokenStream {
    let function = &plan.function;
    let sig = &function.sig;
    let (attrs, vis, inner, body) = (&function.attrs, &function.vis, &function.inner, &function.body);
    let enter = enter(plan, parent);
    let handle = late::handle(plan, late::LATE);
    let count = plan.late.len();
    let make = quote_spanned!(here()=> let __kina_late = __kina_p::Late::<#count>::new(););
    let bind = handle.is_some().then(|| {
        let bind =
            late::bind(plan.late_word.as_ref(), quote_spanned!(here()=> ::core::option::Option::Some(&__kina_late)));
        quote_spanned!(here()=> #make #bind)
    });
    let of_launch = late::of_launch(plan);
    // What no body sets is made only when it is wanted.
    let made = (count > 0 && bind.is_none()).then_some(make);
    let outcome = outcome();
    let exit = match (count > 0).then_some(()) {
        Some(()) => quote_spanned!(here()=> __kina_p::exit_outcome_late(__kina_entered, #outcome, &__kina_late)),
        None => quote_spanned!(here()=> __kina_p::exit_outcome(__kina_entered, #outcome)),
    };
    let finish = finish(exit);
    let arrow = match &sig.output {
        ReturnType::Default => None,
        ReturnType::Type(arrow, ty) => {
            let ty = without_impl(ty);
            Some(quote!(#arrow #ty))
        }
    };
    let run = quote_spanned!(here()=> __kina_p::call_once(move || #arrow #body));
    let (bindings, work::Around { begin, end }, is_on) = (work::bindings(plan), work::around(plan), work::is_on(plan));
    // What runs around the body ends before its span does, also when it unwinds: the first part of a tuple is dropped first.
    let work = begin.is_some().then(|| quote_spanned!(here()=> __kina_work,));
    let rest = if never(&sig.output) {
        run
    } else {
        quote_spanned! {here()=>
            let __kina_result = #run;
            if let ::core::option::Option::Some((#work __kina_entered, __kina_guard)) = __kina_span {
                #made
                #of_launch
                #end
                __kina_guard.defuse();
                #finish
            }
            __kina_result
        }
    };
    let new = quote_spanned!(here()=> __kina_p::PanicGuard::new(__kina_entered));
    let (watch, guard) = match &begin {
        None => (None, new),
        Some(begin) => {
            (Some(quote_spanned!(here()=> let __kina_guard = #new; #begin)), quote_spanned!(here()=> __kina_guard))
        }
    };
    let (prelude, site) = (prelude(plan), site::site(plan));
    let body = block(
        plan,
        quote_spanned! {here()=>
            #(#inner)*
            #prelude
            #site
            #handle
            let __kina_span = if #is_on {
                #bindings
                let __kina_entered = #enter;
                #watch
                ::core::option::Option::Some((#work __kina_entered, #guard))
            } else {
                ::core::option::Option::None
            };
            #bind
            #rest
        },
    );
    quote!(#(#attrs)* #vis #sig #body)
}

/// What the value says about success.
pub(super) fn outcome() -> TokenStream {
    quote_spanned!(here()=> __kina_p::outcome_of!(__kina_result))
}

/// Ends the span.
pub(super) fn finish(exit: TokenStream) -> TokenStream {
    quote_spanned!(here()=> #exit;)
}

/// Types and constants by name: nothing has to be found out. Lifetimes are always inferred.
fn turbofish(plan: &Plan) -> Option<TokenStream> {
    let names: Vec<_> = plan
        .function
        .sig
        .generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(&parameter.ident),
            GenericParam::Const(parameter) => Some(&parameter.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    (!names.is_empty()).then(|| quote_spanned!(here()=> ::<#(#names),*>))
}

fn never(output: &ReturnType) -> bool {
    matches!(output, ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)))
}

/// A closure cannot say `impl Trait`, so the compiler finds those parts out.
pub(super) fn without_impl(ty: &Type) -> Type {
    let mut ty = ty.clone();
    erase(&mut ty);
    ty
}

fn erase(ty: &mut Type) {
    match ty {
        Type::ImplTrait(_) => *ty = syn::parse_quote!(_),
        Type::Group(group) => erase(&mut group.elem),
        Type::Paren(paren) => erase(&mut paren.elem),
        Type::Reference(reference) => erase(&mut reference.elem),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(erase),
        Type::Array(array) => erase(&mut array.elem),
        Type::Path(path) => {
            for segment in &mut path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else { continue };
                for argument in &mut arguments.args {
                    if let GenericArgument::Type(ty) = argument {
                        erase(ty);
                    }
                }
            }
        }
        _ => {}
    }
}
