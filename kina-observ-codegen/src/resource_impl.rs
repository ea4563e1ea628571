//! `#[alloc_traced]` on an `impl MemoryResource`: a ledger in a static, and the attribute on the two functions that it keeps.

use proc_macro2::{Group, Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Expr, FnArg, ItemImpl, Pat, Signature, Type};

use crate::container::{is_ours, print};
use crate::errors::Errors;
use crate::lower::{last, peel};
use crate::parse::args::Args;
use crate::parse::container::{Container, Function, Member, members};
use crate::paths::{here, runtime};

/// The arguments that an `impl` takes.
const TAKES: [&str; 3] = ["resource", "ledger", "crate"];

/// The implementation with its functions annotated; after a mistake as it was.
pub(crate) fn expand(container: Container, args: &Args, arguments: TokenStream, mut errors: Errors) -> TokenStream {
    let Container { head, word, body, .. } = container;
    let given_back = quote!(#head #body);
    let alone = syn::parse2::<ItemImpl>(quote!(#head {}));
    let resource = match &alone {
        Ok(ItemImpl { trait_: Some((path, _)), self_ty, .. }) => {
            let of = path.segments.last().is_some_and(|last| last.ident == "MemoryResource");
            if !of {
                errors
                    .at(path, "`#[alloc_traced]` goes on an `impl MemoryResource for ..`, and this is another trait")
                    .help("put `#[alloc_traced]` on each function that allocates, and `#[alloc_traced(free)]` on each that frees");
            }
            kind(self_ty)
        }
        _ => {
            errors
                .at(&word, "`#[alloc_traced]` goes on an `impl MemoryResource for ..`, and this is no implementation of it")
                .help("put `#[alloc_traced]` on each function that allocates, and `#[alloc_traced(free)]` on each that frees");
            String::new()
        }
    };
    takes(args, arguments, &mut errors);
    let parts = body.as_ref().map_or_else(|| Ok(Vec::new()), members).unwrap_or_else(|error| {
        errors.syntax(error);
        Vec::new()
    });
    let path = runtime(args.runtime.as_ref());
    let given = args.given("ledger").map(|given| &given.value);
    let ledger = given.map_or_else(|| quote_spanned!(here()=> __KINA_LEDGER), |given| quote!(#given));
    let mut inside = TokenStream::new();
    for part in parts {
        match part {
            Member::Other(tokens) => inside.extend(tokens),
            Member::Function(function) => {
                let own = arguments_of(&function, &mut errors);
                let of_runtime = args.runtime.as_ref().map(|path| quote_spanned!(here()=> , crate = #path));
                let mark =
                    own.map(|own| quote_spanned!(here()=> #[#path::alloc_traced(ledger = #ledger #own #of_runtime)]));
                print(*function, mark.as_ref(), &mut inside);
            }
        }
    }
    if !errors.is_empty() {
        return errors.before(given_back);
    }
    let Some(body) = body else { return given_back };
    let mut braces = Group::new(body.delimiter(), inside);
    braces.set_span(body.span());
    if given.is_some() {
        return quote!(#head #braces);
    }
    let name = match args.given("resource") {
        Some(given) => {
            let value = &given.value;
            quote!(#value)
        }
        None => quote_spanned!(here()=> #resource),
    };
    let item = quote!(#head #braces);
    quote_spanned! {here()=>
        const _: () = {
            static __KINA_LEDGER: #path::__private::Ledger = #path::__private::Ledger::new(#name);
            #item
        };
    }
}

fn takes(args: &Args, arguments: TokenStream, errors: &mut Errors) {
    if args.span_type.is_some() || args.meant.iter().any(|meant| !TAKES.contains(&meant.as_str())) {
        errors
            .at(arguments, "`#[alloc_traced]` on an `impl` takes `resource`, `ledger` and `crate` only")
            .help("put `#[alloc_traced(..)]` with the others on the function that they are for");
    }
    if let (Some(resource), Some(_)) = (args.given("resource"), args.given("ledger")) {
        errors.at(&resource.word, "a ledger has its own name").help("remove `resource`, or `ledger`");
    }
}

/// The arguments of the attribute on `allocate` and `deallocate`; their parameters have any name, and the trait's order.
fn arguments_of(function: &Function, errors: &mut Errors) -> Option<TokenStream> {
    if function.attrs.iter().any(is_ours) {
        return None;
    }
    let (words, free): (&[&str], _) = match function.sig.ident.unraw().to_string().as_str() {
        "allocate" => (&["size", "stream"], None),
        "deallocate" => (&["pointer", "size", "stream"], Some(quote_spanned!(here()=> , free))),
        _ => return None,
    };
    let names = names(&function.sig, errors);
    // With fewer parameters it is not the trait's function, and the compiler says so.
    (names.len() == words.len()).then(|| {
        let words = words.iter().map(|word| Ident::new(word, here()));
        quote_spanned!(here()=> #free #(, #words = #names)*)
    })
}

fn names(sig: &Signature, errors: &mut Errors) -> Vec<Expr> {
    let typed = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(argument) => Some(&*argument.pat),
        FnArg::Receiver(_) => None,
    });
    let mut names = Vec::new();
    for pattern in typed {
        match pattern {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                names.push(Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: pattern.ident.clone().into(),
                }));
            }
            other => {
                errors
                    .at(other, "the ledger reads this parameter, and it has no name")
                    .help("name it: a `_` in front says that the body has no use for it");
            }
        }
    }
    names
}

/// `arena` for a type `ArenaMemoryResource`.
fn kind(ty: &Type) -> String {
    let name = match peel(ty) {
        Type::Path(path) => last(path),
        Type::Reference(reference) => return kind(&reference.elem),
        _ => return "custom".to_owned(),
    };
    let short =
        ["MemoryResource", "Resource"].iter().find_map(|end| name.strip_suffix(end)).filter(|short| !short.is_empty());
    let mut snake = String::new();
    for letter in short.unwrap_or(&name).chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
