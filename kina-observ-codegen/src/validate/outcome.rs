//! Checks what the function returns: which value crosses the boundary, and where it is written.

use syn::{FnArg, Pat, ReturnType, Type};

use super::signature::Signature;
use crate::errors::Errors;
use crate::lower::{is_plain_value, is_unit, peel, shown};
use crate::parse::args::Args;
use crate::plan::Out;
use crate::returned::{result_value, success, unwritable};

/// Form (i): the type that is written through the out pointer; `None`: nothing is.
pub(crate) fn exported_value(args: &Args, signature: &Signature, errors: &mut Errors) -> Option<Type> {
    if let Some(out) = &args.out {
        errors.at(out, "a function with `export` gets its out parameter from its return type").help("remove `out`");
    }
    let declared = match &signature.function.sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(&**ty),
    };
    let ty = args.returns.as_ref().or(declared)?;
    if is_unit(ty) {
        return None;
    }
    let value = match result_value(ty) {
        Some(_) => success(ty),
        None if args.returns.is_some() || is_plain_value(ty) || is_pointer(ty) || unwritable(ty).is_some() => Some(ty),
        None => None,
    };
    let Some(value) = value else { return hidden(ty, errors) };
    (!is_unit(value) && writable(value, errors)).then(|| value.clone())
}

fn is_pointer(ty: &Type) -> bool {
    matches!(peel(ty), Type::Ptr(_))
}

/// Refuses what C cannot own; of other types the runtime's traits say it.
fn writable(value: &Type, errors: &mut Errors) -> bool {
    let help = unwritable(value);
    if let Some(help) = help {
        errors.at(value, format!("`{}` cannot be handed to C through an out pointer", shown(value))).help(help);
    }
    help.is_none()
}

fn hidden(ty: &Type, errors: &mut Errors) -> Option<Type> {
    errors
        .at(ty, format!("`{}` hides what C gets: a macro cannot look through an alias", shown(ty)))
        .help("add `returns = Result<T, E>` with the types written out");
    None
}

/// Form (ii): checks `returns` and `out` against each other and finds the out parameter.
pub(crate) fn out_parameter(args: &Args, signature: &Signature, errors: &mut Errors) -> Option<Out> {
    let Some(returns) = &args.returns else {
        if let Some(out) = &args.out {
            errors
                .at(out, "`out` says where a value is written, and nothing says that there is one")
                .help("add `returns = Result<T, E>`");
        }
        return None;
    };
    let value = success(returns);
    let Some(out) = &args.out else {
        if let Some(value) = value
            && !is_unit(value)
            && writable(value, errors)
        {
            errors.at(returns, format!("`{}` has a value, and nothing says where it is written", shown(returns))).help(
                format!("take a parameter `out: Option<&mut MaybeUninit<{}>>` and add `out = out`", shown(value)),
            );
        }
        return None;
    };
    if let Some(value) = value {
        if is_unit(value) {
            errors.at(out, format!("`{}` has no value to write", shown(returns))).help("remove `out`");
            return None;
        }
        writable(value, errors);
    }
    find(signature, out, errors)
}

fn find(signature: &Signature, out: &proc_macro2::Ident, errors: &mut Errors) -> Option<Out> {
    let parameter = signature.function.sig.inputs.iter().find_map(|argument| match argument {
        FnArg::Typed(argument) => match &*argument.pat {
            Pat::Ident(pattern) if pattern.ident == *out => Some(&*argument.ty),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let Some(ty) = parameter else {
        super::not_a_parameter(out, &signature.function, errors);
        return None;
    };
    let raw = match peel(ty) {
        Type::Ptr(pointer) => matches!(pointer.mutability, syn::PointerMutability::Mut(_)),
        other => {
            let text = shown(other).replace(' ', "");
            let uninit = text.contains("Option<&") && text.contains("mut") && text.contains("MaybeUninit<");
            if uninit {
                return Some(Out { ident: out.clone(), raw: false });
            }
            false
        }
    };
    if !raw {
        errors
            .at(ty, format!("`{}` cannot be written to before it is checked", shown(ty)))
            .help("write `Option<&mut MaybeUninit<T>>` or `*mut T`");
        return None;
    }
    Some(Out { ident: out.clone(), raw: true })
}
