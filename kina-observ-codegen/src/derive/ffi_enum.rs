//! `#[derive(FfiEnum)]`: the codes that C passes and the names that a trace shows.

use kina_observ_conventions::AttributeDef;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprLit, ExprUnary, Fields, Ident, Lit, LitInt, LitStr, Path, Token, UnOp,
    Variant,
};

use super::{integer, is_id, parse, snake_case};
use crate::errors::Errors;
use crate::parse::name::Name;
use crate::paths::{here, runtime};
use crate::registry::Registry;
use crate::suggest::near_or_list;
use crate::validate::with_members;

struct Member {
    ident: Ident,
    code: i32,
    name: String,
}

#[derive(Default)]
struct Container {
    attribute: Option<Name>,
    runtime: Option<Path>,
}

/// Without a registry its files are broken, and `conventions!()` says so.
pub(crate) fn expand(item: TokenStream, registry: Option<&Registry>) -> TokenStream {
    let input = match parse(item) {
        Ok(input) => input,
        Err(error) => return error,
    };
    let mut errors = Errors::default();
    let container = container(&input.attrs, &mut errors);
    let members = members(&input, &mut errors);
    if let (Some(name), Some(registry)) = (&container.attribute, registry) {
        registered(name, &members, registry, &mut errors);
    }
    // Without members the impl is still there, so that one mistake is not followed by missing traits.
    let members = if errors.is_empty() { members } else { Vec::new() };
    errors.before(emit(&input, &container, &members))
}

fn container(attrs: &[Attribute], errors: &mut Errors) -> Container {
    let mut container = Container::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("ffi_enum")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("attribute") {
                container.attribute = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("crate") {
                container.runtime = Some(meta.value()?.call(Path::parse_mod_style)?);
            } else {
                return Err(meta.error("an enum takes `attribute = the.key` and `crate = path`"));
            }
            Ok(())
        });
        if let Err(error) = parsed {
            errors.syntax(error);
        }
    }
    container
}

fn members(input: &DeriveInput, errors: &mut Errors) -> Vec<Member> {
    let Data::Enum(data) = &input.data else {
        errors.at(&input.ident, "`FfiEnum` is derived on an enum").help("C passes its values as integers");
        return Vec::new();
    };
    if !has_repr(&input.attrs) {
        errors.at(&input.ident, format!("`{}` has no fixed size in C", input.ident)).help("add `#[repr(i32)]`");
    }
    if !input.generics.params.is_empty() {
        errors.at(&input.generics.params, "an enum for C has no generic parameters").help("remove them");
    }
    let mut members: Vec<Member> = Vec::new();
    for variant in &data.variants {
        let Some(member) = member(variant, errors) else { continue };
        if let Some(other) = members.iter().find(|other| other.name == member.name) {
            errors
                .at(
                    &variant.ident,
                    format!("`{}` and `{}` have one name, `{}`", other.ident, member.ident, member.name),
                )
                .help("give one of them `#[ffi_enum(name = \"..\")]`");
        }
        members.push(member);
    }
    members
}

fn member(variant: &Variant, errors: &mut Errors) -> Option<Member> {
    let mut name = snake_case(&variant.ident.to_string());
    for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident("ffi_enum")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("name") {
                return Err(meta.error("a variant takes `name = \"..\"`"));
            }
            let literal: LitStr = meta.value()?.parse()?;
            name = literal.value();
            if !is_id(&name) {
                return Err(syn::Error::new(literal.span(), "a name is lower-case letters, digits and underscores"));
            }
            Ok(())
        });
        if let Err(error) = parsed {
            errors.syntax(error);
        }
    }
    if !matches!(variant.fields, Fields::Unit) {
        errors.at(&variant.fields, "C passes an integer, which has no room for fields").help("remove them");
        return None;
    }
    let Some((_, discriminant)) = &variant.discriminant else {
        errors
            .at(&variant.ident, format!("`{}` has no explicit code", variant.ident))
            .help(format!("write `{} = 1`: a code that C has seen never changes", variant.ident));
        return None;
    };
    let Some(code) = code(discriminant, errors) else {
        errors.at(discriminant, "a code is written as an integer").help("write the number itself");
        return None;
    };
    Some(Member { ident: variant.ident.clone(), code: code?, name })
}

/// `None`: not a literal. `Some(None)`: a literal that does not fit, already reported.
fn code(expression: &Expr, errors: &mut Errors) -> Option<Option<i32>> {
    let literal = |expression: &Expr| -> Option<LitInt> {
        match expression {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => Some(literal.clone()),
            _ => None,
        }
    };
    match expression {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
            let negative = LitInt::new(&format!("-{}", literal(expr)?.base10_digits()), literal(expr)?.span());
            Some(integer(&negative, errors))
        }
        Expr::Group(group) => code(&group.expr, errors),
        _ => Some(integer(&literal(expression)?, errors)),
    }
}

fn has_repr(attrs: &[Attribute]) -> bool {
    attrs.iter().filter(|attr| attr.path().is_ident("repr")).any(|attr| {
        attr.parse_args_with(syn::punctuated::Punctuated::<Ident, Token![,]>::parse_terminated)
            .is_ok_and(|words| words.iter().any(|word| word == "i32"))
    })
}

/// Holds names and codes against the registry's.
fn registered(name: &Name, members: &[Member], registry: &Registry, errors: &mut Errors) {
    let Some(def) = with_members(name, registry, errors) else { return };
    for member in members {
        agrees(def, member, errors);
    }
}

fn agrees(def: &AttributeDef, member: &Member, errors: &mut Errors) {
    let values = || def.members.iter().map(|member| member.value);
    match def.members.iter().find(|known| known.value == member.name) {
        None => {
            errors.at(&member.ident, format!("`{}` is not a value of `{}`", member.name, def.key)).help(near_or_list(
                &member.name,
                "its values are",
                values(),
            ));
        }
        Some(known) => {
            if let Some(code) = known.code.filter(|code| *code != member.code) {
                errors
                    .at(
                        &member.ident,
                        format!("`{}` has code {code} in the registry, not {}", member.name, member.code),
                    )
                    .help(format!("write `{} = {code}`", member.ident));
            }
        }
    }
}

fn emit(input: &DeriveInput, container: &Container, members: &[Member]) -> TokenStream {
    let runtime = runtime(container.runtime.as_ref());
    let name = &input.ident;
    let (generics, types, clause) = input.generics.split_for_impl();
    let codes: Vec<_> = members.iter().map(|member| proc_macro2::Literal::i32_unsuffixed(member.code)).collect();
    let texts = members.iter().map(|member| &member.name);
    let idents = members.iter().map(|member| &member.ident);
    // Data that cannot be cast is reported above; the stub must still compile.
    let code = if members.is_empty() { quote_spanned!(here()=> loop {}) } else { quote_spanned!(here()=> self as i32) };
    quote_spanned! {here()=>
        const _: () = {
            use #runtime::__private as __kina_p;
            #[automatically_derived]
            impl #generics __kina_p::FfiEnum for #name #types #clause {
                const MEMBERS: &'static [(i32, &'static str)] = &[#((#codes, #texts)),*];
                fn from_code(__kina_code: i32) -> ::core::option::Option<Self> {
                    match __kina_code {
                        #(#codes => ::core::option::Option::Some(Self::#idents),)*
                        _ => ::core::option::Option::None,
                    }
                }
                fn code(self) -> i32 { #code }
            }
            #[automatically_derived]
            impl #generics __kina_p::KnownInC for #name #types #clause {
                type C = i32;
                fn into_c(self) -> i32 { __kina_p::FfiEnum::code(self) }
            }
        };
    }
}
