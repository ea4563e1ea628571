//! Fourth step: from the plan to tokens. Only the files of this folder and `derive/` name runtime paths.

mod ffi_export;
mod ffi_extern;
mod given_back;
mod late;
mod site;
mod span;
mod task;
mod work;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Signature, Token, Type};

use crate::paths::{at, here};
use crate::plan::{Attr, Parameter, Plan, Shape, Value, Wrapper};
use crate::returned::{Returned, returned};

pub(crate) use ffi_export::c_types;
pub(crate) use given_back::Promises;

/// The expansion.
pub(crate) fn emit(plan: &Plan) -> TokenStream {
    match &plan.wrapper {
        Wrapper::Export { symbol, c, returns } => ffi_export::emit(plan, symbol, c, returns.as_deref()),
        Wrapper::Extern { status, returns, out, error } => {
            ffi_extern::emit(plan, status.as_deref(), returns.as_deref(), out.as_ref(), error.as_ref())
        }
        Wrapper::Split { parent } => span::split(plan, parent.as_deref()),
        Wrapper::Closure { parent } => span::closure(plan, parent.as_deref()),
        Wrapper::Task { parent } => task::function(plan, parent.as_deref()),
        Wrapper::Tail { parent, tail } => task::tail(plan, parent.as_deref(), tail),
    }
}

/// A parameter of a generated function.
struct Slot {
    /// For the function that holds the body: the user's attributes and `mut`.
    declaration: TokenStream,
    /// For every other function.
    plain: TokenStream,
    /// For a call.
    argument: TokenStream,
}

impl Slot {
    fn new(cfg: &[Attribute], ident: &Ident, ty: &TokenStream) -> Self {
        let plain = quote_spanned!(here()=> #(#cfg)* #ident: #ty);
        Self { declaration: plain.clone(), plain, argument: quote!(#(#cfg)* #ident) }
    }

    fn of(parameter: &Parameter, written: &syn::FnArg) -> Self {
        let ty = &parameter.ty;
        Self { declaration: quote!(#written), ..Self::new(&parameter.cfg, &parameter.ident, &quote!(#ty)) }
    }
}

/// The user's parameters, as they are.
fn slots(plan: &Plan) -> Vec<Slot> {
    let function = &plan.function;
    function
        .parameters
        .iter()
        .zip(&function.sig.inputs)
        .map(|(parameter, written)| Slot::of(parameter, written))
        .collect()
}

/// The start of every expansion: short names.
fn prelude(plan: &Plan) -> TokenStream {
    let runtime = crate::paths::runtime(plan.runtime.as_ref());
    quote_spanned!(here()=> use #runtime::__private as __kina_p; use __kina_p::names::*;)
}

/// The expression that starts the span.
fn enter(plan: &Plan, parent: Option<&syn::Expr>) -> TokenStream {
    let words_only = plan.start.iter().all(|attr| !matches!(attr.shape, Shape::Str | Shape::Ints));
    let start = plan.start.iter();
    if let Some(parent) = parent {
        let values = start.map(value);
        let parent = borrowed(parent);
        quote_spanned!(here()=> __kina_p::enter_child_of(&__KINA_SITE, #parent, |__kina_start| __kina_start.span(&[#(#values),*])))
    } else if words_only {
        let words = start.map(|attr| {
            let (cfg, word) = (&attr.cfg, word(attr));
            quote!(#(#cfg)* #word)
        });
        quote_spanned!(here()=> __kina_p::enter(&__KINA_SITE, || [#(#words),*]))
    } else {
        let values = start.map(value);
        quote_spanned!(here()=> __kina_p::enter_values(&__KINA_SITE, |__kina_start| __kina_start.span(&[#(#values),*])))
    }
}

/// A block with these braces, so that lints and coverage see it as the user's.
fn braced(braces: &Group, tokens: TokenStream) -> Group {
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(braces.span());
    group
}

fn value(attr: &Attr) -> TokenStream {
    let (cfg, word) = (&attr.cfg, word(attr));
    let from = match attr.shape {
        Shape::Str => "of_text",
        Shape::Ints => "of_ints",
        _ => "of_word",
    };
    let from = Ident::new(from, here());
    quote_spanned!(here()=> #(#cfg)* __kina_p::Value::#from(#word))
}

/// The conversion of a value, at the user's tokens, so that a type that does not fit is shown there.
fn word(attr: &Attr) -> TokenStream {
    let convert = match attr.shape {
        Shape::Int => "int",
        Shape::Double => "double",
        Shape::Boolean => "boolean",
        Shape::Enum(_, Some(_)) => "code",
        Shape::Enum(_, None) => "enumeration",
        Shape::Str => "text",
        Shape::Ints => "ints",
    };
    let list = match &attr.shape {
        Shape::Enum(list, None) => {
            let place = match &attr.value {
                Value::Parameter(ident) | Value::Handle(ident) => at(ident),
                Value::Expression(expression) | Value::Read(_, expression) => at(expression),
                Value::Text(text) => at(text),
                Value::Launch(_) => here(),
            };
            let list = site::list(list, place);
            Some(quote_spanned!(place=> ::<#list, _>))
        }
        _ => None,
    };
    match &attr.value {
        Value::Parameter(ident) | Value::Handle(ident) => {
            let convert = Ident::new(convert, at(ident));
            quote_spanned!(at(ident)=> __kina_p::#convert #list(&#ident))
        }
        Value::Expression(expression) => {
            let convert = Ident::new(convert, at(expression));
            let borrowed = borrowed(expression);
            quote_spanned!(at(expression)=> __kina_p::#convert #list(#borrowed))
        }
        Value::Read(..) => {
            let (place, read) = read(&attr.value);
            let convert = Ident::new(convert, place);
            quote_spanned!(place=> __kina_p::#convert #list(&#read))
        }
        Value::Text(text) => {
            let convert = Ident::new(convert, at(text));
            quote_spanned!(at(text)=> __kina_p::#convert #list(#text))
        }
        Value::Launch(_) => read(&attr.value).1,
    }
}

/// A value as the user's expression, the text or what the runtime reads gives it, and the place of the user's tokens.
fn read(value: &Value) -> (Span, TokenStream) {
    match value {
        Value::Parameter(ident) | Value::Handle(ident) => (at(ident), quote!(#ident)),
        Value::Expression(expression) => (at(expression), quote!(#expression)),
        Value::Text(text) => (at(text), quote!(#text)),
        Value::Launch(method) => {
            let method = Ident::new(method, here());
            (here(), quote_spanned!(here()=> __kina_work.#method()))
        }
        Value::Read(reader, of) => {
            let (reader, of) = (Ident::new(reader, at(of)), borrowed(of));
            (at(&of), quote_spanned!(at(&of)=> __kina_p::#reader(#of)))
        }
    }
}

/// `&(expression)`, which makes the same of a value and of a reference to one; it reaches from the first token of the
/// user's expression to its last, so that an error underlines the whole of it.
fn borrowed(expression: &syn::Expr) -> TokenStream {
    let last = expression.to_token_stream().into_iter().last();
    let mut group = Group::new(Delimiter::Parenthesis, expression.to_token_stream());
    group.set_span(here().located_at(last.map_or_else(here, |token| token.span())));
    quote_spanned!(at(expression)=> &#group)
}

/// The two functions of a C boundary and the choice between them; the value is the code.
struct Boundary {
    /// In front of `fn`: `unsafe`, or nothing.
    unsafety: Option<Token![unsafe]>,
    /// Attributes that the nested functions need too.
    attrs: Vec<Attribute>,
    slots: Vec<Slot>,
    /// Marks parameters as used.
    used: Option<TokenStream>,
    /// What runs inside the boundary; its value is the code.
    inside: TokenStream,
    /// The pointer to what gets a copy of the error.
    error: Option<Ident>,
}

impl Boundary {
    fn emit(&self, plan: &Plan) -> (TokenStream, TokenStream) {
        let Self { unsafety, attrs, slots, used, inside, error } = self;
        let declarations = slots.iter().map(|slot| &slot.declaration);
        let plain = slots.iter().map(|slot| &slot.plain);
        let pass = |late: Option<TokenStream>| {
            let arguments = slots.iter().map(|slot| slot.argument.clone()).chain(late);
            quote_spanned!(here()=> __kina_body(#(#arguments),*))
        };
        let guarded = |call: TokenStream| match unsafety {
            Some(_) => quote_spanned!(here()=> unsafe { #call }),
            None => call,
        };
        let count = plan.late.len();
        let late = (count > 0).then_some(());
        let late_parameter =
            late.map(|()| quote_spanned!(here()=> __kina_late: ::core::option::Option<&__kina_p::Late<#count>>));
        let none = late.map(|()| quote_spanned!(here()=> ::core::option::Option::None));
        let some = late.map(|()| quote_spanned!(here()=> ::core::option::Option::Some(&__kina_late)));
        let make_late = late.map(|()| quote_spanned!(here()=> let __kina_late = __kina_p::Late::<#count>::new();));
        let exit = match late {
            Some(()) => quote_spanned!(here()=> __kina_p::exit_code_late(__kina_entered, __kina_code, &__kina_late)),
            None => quote_spanned!(here()=> __kina_p::exit_code(__kina_entered, __kina_code)),
        };
        let (on, off) = (guarded(pass(some)), guarded(pass(none)));
        let arguments = slots.iter().map(|slot| &slot.argument);
        // What the lint says about a type, it says at the user's own signature.
        let allow = (!plain_numbers(plan)).then(|| quote_spanned!(here()=> #[allow(improper_ctypes_definitions)]));
        let (ask, choice) = if late.is_none() && slots.len() > IN_REGISTERS {
            // Arguments on the stack stay where they are only if a function has a single call that they go to, so
            // each of the two choices is a jump to an address. At Off a table gives it in fewer instructions than a branch.
            let plain = plain.clone();
            let ask = guarded(
                quote_spanned!(here()=> (if __kina_p::is_open(&__KINA_SITE) { __kina_on } else { __kina_body })(#(#arguments),*)),
            );
            let ask = quote_spanned! {here()=>
                #allow
                #(#attrs)*
                #unsafety extern "C" fn __kina_ask(#(#plain),*) -> i32 { #ask }
            };
            let arguments = slots.iter().map(|slot| &slot.argument);
            let jump = guarded(quote_spanned!(here()=> __kina_p::choose(&[__kina_body, __kina_ask])(#(#arguments),*)));
            (Some(ask), jump)
        } else {
            let choose_on = guarded(quote_spanned!(here()=> __kina_on(#(#arguments),*)));
            (None, quote_spanned!(here()=> if __kina_p::is_on(&__KINA_SITE) { #choose_on } else { #off }))
        };
        let enter = enter(plan, None);
        let declarations = declarations.cloned().chain(late_parameter);
        let boundary = match error {
            None => quote_spanned!(here()=> __kina_p::boundary(&__KINA_SITE, move || { #inside })),
            Some(error) => quote_spanned! {here()=>
                let __kina_error = unsafe { __kina_p::check_error(#error) };
                __kina_p::boundary_telling(&__KINA_SITE, __kina_error, move || { #inside })
            },
        };
        // The C calling convention does not unwind, so the exported function jumps here instead of calling.
        let functions = quote_spanned! {here()=>
            #[inline(never)]
            #allow
            #(#attrs)*
            #unsafety extern "C" fn __kina_body(#(#declarations),*) -> i32 {
                #used
                #boundary
            }
            #[cold]
            #[inline(never)]
            #allow
            #(#attrs)*
            #unsafety extern "C" fn __kina_on(#(#plain),*) -> i32 {
                #make_late
                let __kina_entered = #enter;
                let __kina_code = #on;
                #exit
            }
            #ask
        };
        (functions, choice)
    }
}

/// Whether every parameter is a number and nothing else crosses.
fn plain_numbers(plan: &Plan) -> bool {
    plan.late.is_empty() && plan.function.parameters.iter().all(|parameter| crate::lower::is_plain_value(&parameter.ty))
}

/// Integer arguments that the x86-64 C ABI passes in registers.
const IN_REGISTERS: usize = 6;

/// Statements whose checks end in `?`, and the code that follows them.
fn checked(statements: TokenStream, code: TokenStream) -> TokenStream {
    quote_spanned! {here()=>
        __kina_p::checked(&__KINA_SITE, move || { #statements ::core::result::Result::Ok(#code) })
    }
}

/// Hands `__kina_result` to C. Each trait is asked for at the very type that may miss it.
fn deliver(ty: Option<&Type>, place: Span, out: TokenStream) -> TokenStream {
    let (function, place) = match ty.map_or(Returned::Hidden, returned) {
        Returned::Result(value, error) => (quote_spanned!(place=> deliver_result::<#value, #error, _>), at(value)),
        Returned::Nested(value, inner, outer) => {
            (quote_spanned!(place=> deliver_nested::<#value, #inner, #outer, _>), at(value))
        }
        Returned::Hidden => (quote_spanned!(place=> deliver), place),
    };
    quote_spanned!(place=> __kina_p::#function(&__KINA_SITE, __kina_result, #out))
}

/// Attributes that change how a body is compiled, so a nested function needs them too.
fn carried(attrs: &[Attribute], names: &[&str]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| names.iter().any(|name| attr.path().is_ident(name))).cloned().collect()
}

/// The parameters that are recorded.
fn recorded(plan: &Plan) -> impl Iterator<Item = &Ident> {
    let read = plan.start.iter().filter_map(|attr| match &attr.value {
        Value::Parameter(ident) => Some(ident),
        Value::Read(_, of) => bare(of),
        _ => None,
    });
    read.chain(plan.work.iter().flat_map(work::used))
}

/// The one word that an expression is.
fn bare(expression: &syn::Expr) -> Option<&Ident> {
    match expression {
        syn::Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

/// The signature of the outer function: `mut` stays with the body, which alone can need it, and so does what is expected of
/// a lint.
fn without_mut(sig: &Signature) -> Signature {
    let mut sig = sig.clone();
    for argument in &mut sig.inputs {
        if let syn::FnArg::Typed(argument) = argument
            && let syn::Pat::Ident(pattern) = &mut *argument.pat
        {
            pattern.mutability = None;
            argument.attrs.retain(|attr| !attr.path().is_ident("expect"));
        }
    }
    sig
}

fn unsafety(sig: &Signature) -> Option<Token![unsafe]> {
    match sig.safety {
        syn::Safety::Unsafe(token) => Some(token),
        _ => None,
    }
}

/// A block with the braces of the user's own body.
fn block(plan: &Plan, tokens: TokenStream) -> Group {
    braced(&plan.function.body, tokens)
}
