//! `#[derive(FfiError)]`: a code for C, a stable `error.type` for traces, and what to do for people.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, LitInt, LitStr, Path, Token, parenthesized};

use super::{integer, is_id, parse, snake_case};
use crate::errors::Errors;
use crate::paths::{here, runtime};
use crate::suggest::near_or_list;

/// What `#[ffi_error(..)]` says about one variant, or about a struct.
#[derive(Default)]
struct Said {
    code: Option<LitInt>,
    negative: bool,
    help: Option<LitStr>,
    error_type: Option<LitStr>,
    transparent: Option<Span>,
    retired: Vec<LitInt>,
    /// Something could not be read, so nothing is missed.
    broken: bool,
    runtime: Option<Path>,
}

/// One variant, or the struct itself.
struct Case<'a> {
    /// `None`: the struct itself.
    variant: Option<&'a Ident>,
    name: &'a Ident,
    fields: &'a Fields,
    said: Said,
}

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input = match parse(item) {
        Ok(input) => input,
        Err(error) => return error,
    };
    let mut errors = Errors::default();
    let mut container = said(&input.attrs, &mut errors);
    let cases = match &input.data {
        Data::Enum(data) => {
            outside(&container, &mut errors);
            data.variants
                .iter()
                .map(|variant| Case {
                    variant: Some(&variant.ident),
                    name: &variant.ident,
                    fields: &variant.fields,
                    said: said(&variant.attrs, &mut errors),
                })
                .collect()
        }
        Data::Struct(data) => {
            let own =
                Said { retired: container.retired.clone(), runtime: container.runtime.clone(), ..Said::default() };
            let said = std::mem::replace(&mut container, own);
            vec![Case { variant: None, name: &input.ident, fields: &data.fields, said }]
        }
        Data::Union(data) => {
            errors.at(data.union_token, "`FfiError` is derived on an enum or a struct").help("write an enum");
            Vec::new()
        }
    };
    check(&cases, &container.retired, &mut errors);
    // With a mistake the impl is still there, so that it is not followed by missing traits.
    let known = if errors.is_empty() { Some(&cases[..]) } else { None };
    let tokens = emit(&input, container.runtime.as_ref(), known);
    errors.before(tokens)
}

fn said(attrs: &[Attribute], errors: &mut Errors) -> Said {
    let mut said = Said::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("ffi_error")) {
        if let Err(error) = attr.parse_nested_meta(|meta| one(&mut said, &meta)) {
            said.broken = true;
            errors.syntax(error);
        }
    }
    said
}

const WORDS: [&str; 6] = ["code", "help", "error_type", "transparent", "retired", "crate"];

fn one(said: &mut Said, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
    match word.as_str() {
        "code" => {
            let value = meta.value()?;
            if value.peek(Token![-]) {
                value.parse::<Token![-]>()?;
                said.negative = true;
            }
            said.code = Some(value.parse()?);
        }
        "help" => said.help = Some(meta.value()?.parse()?),
        "error_type" => said.error_type = Some(meta.value()?.parse()?),
        "transparent" => said.transparent = meta.path.get_ident().map(Ident::span),
        "retired" => {
            let content;
            parenthesized!(content in meta.input);
            said.retired.extend(content.call(Punctuated::<LitInt, Token![,]>::parse_terminated)?);
        }
        "crate" => said.runtime = Some(meta.value()?.call(Path::parse_mod_style)?),
        _ => {
            let help = near_or_list(&word, "it takes", WORDS.into_iter());
            return Err(meta.error(format!("`{word}` is not a word of `ffi_error`\nhelp: {help}")));
        }
    }
    Ok(())
}

/// What an enum says as a whole.
fn outside(said: &Said, errors: &mut Errors) {
    if let Some(code) = &said.code {
        errors
            .at(code, "an enum has no code of its own")
            .help("give each variant `#[ffi_error(code = .., help = \"..\")]`");
    }
    for text in [&said.help, &said.error_type].into_iter().flatten() {
        errors.at(text, "an enum has no text of its own").help("write it on each variant");
    }
}

fn check(cases: &[Case<'_>], retired: &[LitInt], errors: &mut Errors) {
    let retired: Vec<i32> = retired.iter().filter_map(|literal| integer(literal, errors)).collect();
    let mut codes: Vec<(i32, &Ident)> = Vec::new();
    for case in cases {
        let Case { name, said, .. } = case;
        if let (Some(_), Some(_)) = (case.variant, said.retired.first()) {
            errors
                .at(&said.retired[0], "retired codes belong to the whole enum")
                .help("move `retired(..)` above the enum");
        }
        if let Some(span) = said.transparent {
            transparent(case, span, errors);
            continue;
        }
        if said.broken {
            continue;
        }
        if let Some(code) = code(case, errors) {
            if let Some((_, first)) = codes.iter().find(|(other, _)| *other == code) {
                errors
                    .at(&said.code, format!("code {code} belongs to `{first}` already"))
                    .help("take a number that was never used");
            }
            if retired.contains(&code) {
                errors
                    .at(&said.code, format!("code {code} is retired: it once meant something else"))
                    .help("take a number that was never used");
            }
            codes.push((code, name));
        }
        match &said.help {
            None => {
                errors
                    .at(name, format!("`{name}` does not say what to do"))
                    .help("add `help = \"..\"`: one sentence for the person who sees the error");
            }
            Some(help) if help.value().trim().is_empty() => {
                errors.at(help, "the help is empty").help("say what the person who sees the error can do");
            }
            Some(_) => {}
        }
        if let Some(error_type) = said.error_type.as_ref().filter(|text| !is_id(&text.value())) {
            errors
                .at(error_type, format!("`{}` is not an `error.type`", error_type.value()))
                .help("use lower-case letters, digits, underscores and dots");
        }
    }
}

fn code(case: &Case<'_>, errors: &mut Errors) -> Option<i32> {
    let Some(literal) = &case.said.code else {
        errors
            .at(case.name, format!("`{}` has no code", case.name))
            .help("add `code = ..`: a positive number that C keeps for ever");
        return None;
    };
    let code = integer(literal, errors)?;
    if case.said.negative || code == 0 {
        errors
            .at(literal, "a code is positive: 0 means success, and what is below belongs to the framework")
            .help("take a number from 1");
        return None;
    }
    Some(code)
}

fn transparent(case: &Case<'_>, span: Span, errors: &mut Errors) {
    let word = Ident::new("transparent", span);
    let Said { code, help, error_type, .. } = &case.said;
    if code.is_some() || help.is_some() || error_type.is_some() {
        errors
            .at(&word, "a transparent variant takes its code and its texts from the error inside")
            .help("remove `transparent`, or everything else");
    }
    if case.fields.len() != 1 {
        errors
            .at(&word, format!("`{}` needs exactly one field to be transparent", case.name))
            .help("give it the code and the help itself");
    }
}

fn emit(input: &DeriveInput, path: Option<&Path>, cases: Option<&[Case<'_>]>) -> TokenStream {
    let runtime = runtime(path);
    let name = &input.ident;
    let (generics, types, clause) = input.generics.split_for_impl();
    let body = |value: &dyn Fn(&Case<'_>) -> TokenStream, method: &str| {
        let Some(cases) = cases else {
            return quote_spanned!(here()=> loop {});
        };
        if cases.is_empty() {
            return quote_spanned!(here()=> match *self {});
        }
        let method = Ident::new(method, here());
        let arms = cases.iter().map(|case| {
            let path = match case.variant {
                Some(variant) => quote_spanned!(here()=> Self::#variant),
                None => quote_spanned!(here()=> Self),
            };
            if case.said.transparent.is_none() {
                let value = value(case);
                return quote_spanned!(here()=> #path { .. } => #value,);
            }
            let field = case.fields.members().next();
            quote_spanned!(here()=> #path { #field: __kina_inner } => __kina_p::FfiError::#method(__kina_inner),)
        });
        quote_spanned!(here()=> match self { #(#arms)* })
    };
    let code = body(&|case| case.said.code.to_token_stream(), "code");
    let error_type = body(
        &|case| match &case.said.error_type {
            Some(text) => text.to_token_stream(),
            None => snake_case(&case.name.to_string()).to_token_stream(),
        },
        "error_type",
    );
    let help = body(&|case| case.said.help.to_token_stream(), "help");
    quote_spanned! {here()=>
        const _: () = {
            use #runtime::__private as __kina_p;
            #[automatically_derived]
            impl #generics __kina_p::FfiError for #name #types #clause {
                fn code(&self) -> i32 { #code }
                fn error_type(&self) -> &'static str { #error_type }
                fn help(&self) -> &'static str { #help }
            }
        };
    }
}
