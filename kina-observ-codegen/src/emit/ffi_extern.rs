//! Form (ii): the user's own `extern "C"` function, its body moved inside the boundary.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;

use super::{Boundary, block, carried, checked, deliver, late, prelude, recorded, site, slots, unsafety, without_mut};
use crate::lower::{Passing, is_plain_value, passing, shown};
use crate::paths::{at, here};
use crate::plan::{Out, Parameter, Plan};

pub(super) fn emit(
    plan: &Plan,
    status: Option<&Type>,
    returns: Option<&Type>,
    out: Option<&Out>,
    error: Option<&Ident>,
) -> TokenStream {
    let function = &plan.function;
    let boundary = Boundary {
        unsafety: unsafety(&function.sig),
        attrs: carried(&function.attrs, &["target_feature"]),
        slots: slots(plan),
        used: used(plan),
        inside: inside(plan, status, returns, out),
        error: error.cloned(),
    };
    let (functions, choice) = boundary.emit(plan);
    let tail = match status {
        Some(status) if is_code(status) => choice,
        Some(status) => quote_spanned!(at(status)=> <#status as __kina_p::FfiStatus>::from_code(#choice)),
        // A function without a value has no way to give C the code; the last error keeps it.
        None => quote_spanned!(here()=> #choice;),
    };
    let (attrs, vis, inner) = (&function.attrs, &function.vis, &function.inner);
    let sig = without_mut(&function.sig);
    let (prelude, site, handle, enums) =
        (prelude(plan), site::site(plan), late::handle(plan, late::LATE), no_enums(plan));
    let body = block(plan, quote!(#(#inner)* #prelude #enums #site #handle #functions #tail));
    quote!(#(#attrs)* #vis #sig #body)
}

/// C can pass any integer, so an enum must come as one; only its type tells an enum from a struct.
fn no_enums(plan: &Plan) -> TokenStream {
    let named =
        plan.function.parameters.iter().filter(|parameter| matches!(passing(&parameter.ty), Ok((Passing::Code, _))));
    named
        .map(|Parameter { ident, ty, cfg, .. }| {
            let (name, text) = (ident.unraw(), shown(ty));
            let message = format!(
                "`{text}` is an enum, and C can pass an integer that is none of its values\n\
                 help: write `{name}: i32`, and make the enum with `FfiEnum::from_code`\n\
                 help: or write a plain `fn` with `export = \"..\"`, whose parameters are checked for you"
            );
            quote_spanned! {at(ty)=>
                #(#cfg)*
                const _: () = {
                    #[allow(unused_imports)]
                    use __kina_p::NotCoded as _;
                    if <__kina_p::Coded<#ty>>::YES { ::core::panic!(#message) }
                };
            }
        })
        .collect()
}

/// The status is the code itself.
fn is_code(status: &Type) -> bool {
    shown(status) == "i32"
}

/// A parameter that is recorded is used, even if the body has no use for it.
fn used(plan: &Plan) -> Option<TokenStream> {
    let all: Vec<_> = recorded(plan).collect();
    let unconditional = plan.function.parameters.iter().filter(|parameter| parameter.cfg.is_empty());
    let uses = unconditional
        .filter(|parameter| all.contains(&&parameter.ident))
        .map(|Parameter { ident, ty, .. }| if is_plain_value(ty) { quote!(#ident,) } else { quote!(&#ident,) });
    (!all.is_empty()).then(|| quote_spanned!(here()=> let _ = (#(#uses)*);))
}

/// What runs inside the boundary.
fn inside(plan: &Plan, status: Option<&Type>, returns: Option<&Type>, out: Option<&Out>) -> TokenStream {
    let body = &plan.function.body;
    let observ =
        (!plan.late.is_empty()).then(|| late::bind(plan.late_word.as_ref(), quote_spanned!(here()=> __kina_late)));
    let run = |ty: Option<&Type>| {
        let arrow = ty.map(|ty| quote!(-> #ty));
        quote_spanned!(here()=> __kina_p::call_once(move || #arrow #body))
    };
    let Some(returns) = returns else {
        let run = run(status);
        let Some(status) = status else { return quote_spanned!(here()=> #observ #run; 0) };
        let code = match is_code(status) {
            true => quote_spanned!(at(status)=> __kina_result),
            // As a path, like its counterpart: the two errors about one type are then the same, and told once.
            false => quote_spanned!(at(status)=> <#status as __kina_p::FfiStatus>::code(&__kina_result)),
        };
        return quote_spanned! {at(status)=>
            #observ
            let __kina_result = #run;
            __kina_p::note_code(&__KINA_SITE, #code)
        };
    };
    let run = run(Some(returns));
    let Some(Out { ident, raw }) = out else {
        let deliver = deliver(Some(returns), at(returns), quote_spanned!(at(returns)=> __kina_p::no_out()));
        return quote_spanned! {at(returns)=>
            #observ
            let __kina_result = #run;
            #deliver
        };
    };
    let name = ident.unraw().to_string();
    let check = match raw {
        true => quote_spanned!(at(ident)=> unsafe { __kina_p::check_out(#ident, #name) }),
        false => quote_spanned!(at(ident)=> __kina_p::check_out_opt(#ident, #name)),
    };
    checked(
        quote_spanned! {at(returns)=>
            let __kina_out = #check?;
            #observ
            let __kina_result = #run;
        },
        deliver(Some(returns), at(returns), quote_spanned!(at(returns)=> __kina_out)),
    )
}
