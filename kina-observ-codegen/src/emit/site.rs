//! The one `static` of an annotated function.

use kina_observ_conventions::{Level, Severity, SpanKind};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};

use crate::paths::{at, here};
use crate::plan::{Attr, Plan, Shape};

/// The facts that differ from the usual ones, and the site.
pub(super) fn site(plan: &Plan) -> TokenStream {
    let site = &plan.site;
    let (span_type, symbol) = (&site.span_type, &site.symbol);
    let name = (site.name != site.span_type).then(|| {
        let name = &site.name;
        quote_spanned!(here()=> name: #name,)
    });
    // With the span of the function's name, so that the line is the function's and not the attribute's.
    let rest = quote_spanned!(plan.function.sig.ident.span()=> __kina_p::Facts::of(#span_type, #symbol));
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
    quote_spanned! {here()=>
        static __KINA_FACTS: __kina_p::Facts = __kina_p::Facts {
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
            ..#rest
        };
        static __KINA_SITE: __kina_p::Site = __kina_p::Site::new(&__KINA_FACTS);
    }
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
        Shape::Enum(members, own) => {
            let rows = members.iter().map(|(code, text)| {
                let code = proc_macro2::Literal::i32_unsuffixed(*code);
                quote_spanned!(here()=> (#code, #text))
            });
            // A plain number has no names of its own.
            let ty = own.as_ref().map_or_else(|| quote_spanned!(here()=> i32), |ty| ty.to_token_stream());
            let place = own.as_ref().map_or_else(here, at);
            return quote_spanned!(place=> #(#cfg)* __kina_p::Attr::enumeration::<#ty>(#key, &[#(#rows),*]));
        }
    };
    quote_spanned!(here()=> #(#cfg)* __kina_p::Attr::#shape(#key))
}
