//! The one `static` of an annotated function.

use kina_observ_conventions::{Level, Severity, SpanKind};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use crate::paths::{MARKER, at, here};
use crate::plan::{Attr, List, Plan, Shape};

/// The facts that differ from the usual ones, and the site.
pub(super) fn site(plan: &Plan) -> TokenStream {
    let site = &plan.site;
    let (span_type, symbol) = (&site.span_type, &site.symbol);
    let name = (site.name != site.span_type).then(|| {
        let name = &site.name;
        quote_spanned!(here()=> name: #name,)
    });
    // With the span of the function's name, so that the line is the function's and not the attribute's.
    let rest = quote_spanned!(plan.function.sig.ident.span()=> __KinaFacts::of(#span_type, #symbol));
    let kind = match site.kind {
        SpanKind::Internal => None,
        SpanKind::Server => Some("Server"),
        SpanKind::Client => Some("Client"),
        SpanKind::Producer => Some("Producer"),
        SpanKind::Consumer => Some("Consumer"),
    };
    let severity = match site.severity {
        Severity::Error => Some("Error"),
        Severity::Warn => Some("Warn"),
        Severity::Info => None,
        Severity::Debug => Some("Debug"),
        Severity::Trace => Some("Trace"),
    };
    let level = match site.level {
        Level::Off | Level::Basic => None,
        Level::Kernel => Some("Kernel"),
    };
    let kind = kind.map(word).map(|kind| quote_spanned!(here()=> kind: __kina_p::SpanKind::#kind,));
    let severity = severity.map(word).map(|word| quote_spanned!(here()=> severity: __kina_p::Severity::#word,));
    let level = level.map(word).map(|level| quote_spanned!(here()=> level: __kina_p::Level::#level,));
    let start = attrs("start", &plan.start);
    let late = attrs("late", &plan.late);
    let code_key = site.code_key.map(|key| quote_spanned!(here()=> code_key: ::core::option::Option::Some(#key),));
    let device = site.device.as_ref().map(|name| quote_spanned!(here()=> device: ::core::option::Option::Some(#name),));
    let inner_event = site.inner_event.then(|| quote_spanned!(here()=> inner_event: true,));
    let range = match &site.nvtx {
        Some(text) if *text == site.name => None,
        Some(text) => Some(quote_spanned!(here()=> .range(#text))),
        None => Some(quote_spanned!(here()=> .no_range())),
    };
    let new = quote_spanned!(here()=> __KinaSite::new);
    let new = match plan.marker {
        false => quote_spanned!(here()=> #new(&__KINA_FACTS)),
        // What the crate root has comes before the function of the same name in `names`, if it has it.
        true => {
            let marker = word(MARKER);
            quote_spanned!(here()=> { use crate::*; #new(#marker(&__KINA_FACTS)) })
        }
    };
    let own_lists = own_lists(plan);
    quote_spanned! {here()=>
        #own_lists
        static __KINA_FACTS: __KinaFacts = __KinaFacts {
            #name
            #kind
            #severity
            #level
            module: ::core::module_path!(),
            #start
            #late
            #code_key
            #device
            #inner_event
            ..#rest #range
        };
        static __KINA_SITE: __KinaSite = #new;
    }
}

/// The type that stands for a list of values.
pub(super) fn list(list: &List, place: Span) -> TokenStream {
    match list {
        List::Builtin(name) => {
            let name = Ident::new(name, place);
            quote_spanned!(place=> __kina_p::values::#name)
        }
        List::Own { name, .. } => Ident::new(name, place).into_token_stream(),
    }
}

/// A type for each list of the crate's own registry, which `kina_observ` cannot have.
fn own_lists(plan: &Plan) -> TokenStream {
    plan.start.iter().chain(&plan.late).filter_map(own_list).collect()
}

fn own_list(attr: &Attr) -> Option<TokenStream> {
    let Shape::Enum(List::Own { name, table, coded }, _) = &attr.shape else { return None };
    let name = word(name);
    let rows = table.iter().map(|(code, text)| {
        let code = proc_macro2::Literal::i32_unsuffixed(*code);
        quote_spanned!(here()=> (#code, #text))
    });
    let coded = coded.then(|| quote_spanned!(here()=> impl __kina_p::CodedList for #name {}));
    Some(quote_spanned! {here()=>
        enum #name {}
        impl __kina_p::Listed for #name {
            const TABLE: &'static [(i32, &'static str)] = &[#(#rows),*];
        }
        #coded
    })
}

fn word(text: &str) -> Ident {
    Ident::new(text, here())
}

fn attrs(field: &str, attrs: &[Attr]) -> Option<TokenStream> {
    let field = word(field);
    let attrs = attrs.iter().map(attr);
    (attrs.len() > 0).then(|| quote_spanned!(here()=> #field: &[#(#attrs),*],))
}

fn attr(attr: &Attr) -> TokenStream {
    let (key, cfg) = (&attr.key, &attr.cfg);
    let shape = match &attr.shape {
        Shape::Int => word("int"),
        Shape::Double => word("double"),
        Shape::Boolean => word("boolean"),
        Shape::Str => word("text"),
        Shape::Ints => word("ints"),
        Shape::Enum(values, own) => {
            let values = list(values, here());
            let Some(ty) = own else {
                return quote_spanned!(here()=> #(#cfg)* __KinaAttr::enumeration::<#values>(#key));
            };
            // The boundary's own check says it when the type is no enum.
            return quote_spanned! {at(ty)=>
                #(#cfg)*
                __KinaAttr::code::<#values>(
                    #key,
                    {
                        #[allow(unused_imports)]
                        use __kina_p::NotCoded as _;
                        <__kina_p::Coded<#ty>>::MEMBERS
                    },
                )
            };
        }
    };
    quote_spanned!(here()=> #(#cfg)* __KinaAttr::#shape(#key))
}
