//! Checks what `#[ffi(..)]` says about a parameter against its type, and `error = out` against the signature.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, PointerMutability, Type};

use super::Form;
use super::signature::Signature;
use crate::errors::Errors;
use crate::lower::{CParameter, CSignature, Length, Passing, last, peel, shown};
use crate::parse::args::Args;
use crate::plan::Parameter;

/// Form (i): carries the words over to the C parameters.
pub(super) fn lowered(signature: &Signature, c: &mut CSignature, errors: &mut Errors) {
    let written = &signature.function.parameters;
    let given: Vec<CParameter> = c.parameters.clone();
    for (parameter, lowered) in written.iter().zip(&mut c.parameters) {
        let words = &parameter.words;
        lowered.secret = words.secret.is_some();
        if let Some(word) = &words.nullable {
            lowered.nullable = nullable(word, parameter, lowered, errors);
        }
        let Some(length) = &words.len else { continue };
        if !lowered.passing.has_length() {
            errors
                .at(length, format!("`{}` is a `{}`, which has no length", lowered.name, shown(&parameter.ty)))
                .help("`len` is for slices: `&[T]`, `&mut [T]`, or `Option` of one");
            continue;
        }
        let named = written.iter().zip(&given).find(|(other, _)| other.ident.unraw() == length.value());
        match named {
            Some((other, known)) if known.passing == Passing::Number && is_integer(&other.ty) => {
                lowered.length = Some(Length { of: other.ident.clone(), secret: other.words.secret.is_some() });
            }
            Some((other, _)) => {
                errors
                    .at(length, format!("`{}` is a `{}`, which cannot be a length", other.ident, shown(&other.ty)))
                    .help("name a parameter that is an integer, such as `n: usize` or `n: i64`");
            }
            None => super::no_parameter(length, &length.value(), &signature.function, errors),
        }
    }
}

/// Form (ii): its types must say everything themselves.
pub(super) fn written(signature: &Signature, errors: &mut Errors) {
    if signature.form != Form::Extern {
        return;
    }
    for parameter in &signature.function.parameters {
        if let Some(word) = &parameter.words.nullable {
            errors
                .at(word, "`nullable` is for the checks of `export`, and this C function gets its parameters unchecked")
                .help("take an `Option<&T>` or a raw pointer");
        }
        if let Some(length) = &parameter.words.len {
            errors
                .at(length, "`len` is for the checks of `export`, and this C function gets its parameters unchecked")
                .help("take pointer and length, or write a plain `fn` with `export = \"..\"`");
        }
    }
}

/// Whether null becomes an empty value; where there is none, the type must say it.
fn nullable(word: &Ident, parameter: &Parameter, lowered: &CParameter, errors: &mut Errors) -> bool {
    let ty = shown(&parameter.ty);
    let (what, help) = match lowered.passing {
        Passing::Text | Passing::Slice | Passing::SliceMut => return true,
        Passing::OptionalShared
        | Passing::OptionalExclusive
        | Passing::OptionalSlice
        | Passing::OptionalSliceMut
        | Passing::OptionalText
        | Passing::OptionalHandle
        | Passing::Callback => (format!("`{ty}` says already that there may be none"), "remove `nullable`".to_owned()),
        Passing::Pointer => {
            ("a raw pointer is passed as it is, null or not".to_owned(), "remove `nullable`".to_owned())
        }
        Passing::Shared | Passing::Exclusive | Passing::Handle | Passing::Function => {
            (format!("`{ty}` has no value that null could become"), format!("write `Option<{ty}>`"))
        }
        Passing::Number | Passing::Flag | Passing::Code => {
            (format!("`{ty}` is passed by value, so it is never null"), "remove `nullable`".to_owned())
        }
    };
    errors.at(word, what).help(help);
    false
}

fn is_integer(ty: &Type) -> bool {
    let text = shown(peel(ty));
    let name = text.rsplit("::").next().unwrap_or_default();
    !(name.starts_with('f') || name.ends_with("float") || name.ends_with("double"))
}

/// Refuses the secret parameters that the value of a field names.
pub(super) fn secrets(value: &Expr, parameters: &[Parameter], errors: &mut Errors) {
    let secret = |ident: &Ident| {
        let mut parameters = parameters.iter();
        parameters.any(|parameter| parameter.words.secret.is_some() && parameter.ident.unraw() == ident.unraw())
    };
    idents(value.to_token_stream(), &mut |ident| {
        if secret(&ident) {
            refuse_secret(&ident, errors);
        }
    });
}

pub(super) fn refuse_secret(ident: &Ident, errors: &mut Errors) {
    errors
        .at(ident, format!("`{ident}` is secret, so nothing of it is recorded"))
        .help("remove the field, or `secret` from the parameter");
}

/// Every identifier in the tokens that is no field and no method.
fn idents(tokens: TokenStream, found: &mut impl FnMut(Ident)) {
    let mut dots = 0;
    for token in tokens {
        // Two are a range.
        let member = dots == 1;
        let dot = matches!(&token, TokenTree::Punct(dot) if dot.as_char() == '.');
        dots = if dot { dots + 1 } else { 0 };
        match token {
            TokenTree::Ident(ident) if !member => found(ident),
            TokenTree::Group(group) => idents(group.stream(), &mut *found),
            _ => {}
        }
    }
}

/// Form (ii) with `error = out`: the last parameter, which the user wrote.
pub(super) fn error_parameter(args: &Args, signature: &Signature, errors: &mut Errors) -> Option<Ident> {
    const PARAMETER: &str = "`error: *mut kina_observ::ffi::ErrorCopy`";
    let word = args.error_out.as_ref()?;
    let Some(parameter) = signature.function.parameters.last().filter(|last| last.ident == "error") else {
        let name = &signature.function.sig.ident;
        errors
            .at(word, format!("`error = out` fills the last parameter, and the last one of `{name}` is not `error`"))
            .help(format!("add {PARAMETER} at the end, or write a plain `fn` with `export = \"..\"`"));
        return None;
    };
    let fits = match peel(&parameter.ty) {
        Type::Ptr(pointer) if matches!(pointer.mutability, PointerMutability::Mut(_)) => match peel(&pointer.elem) {
            Type::Path(path) => last(path) == "ErrorCopy",
            _ => false,
        },
        _ => false,
    };
    if !fits {
        errors
            .at(&parameter.ty, format!("`{}` cannot be filled with an error", shown(&parameter.ty)))
            .help(format!("write {PARAMETER}: the boundary checks it"));
    }
    fits.then(|| parameter.ident.clone())
}
