//! What a function returns, as far as the words of its type say.

use syn::punctuated::Punctuated;
use syn::{GenericArgument, PathArguments, Token, Type, TypeParamBound};

use crate::lower::{argument, arguments, last, peel};

/// The parts of a returned type.
pub(crate) enum Returned<'t> {
    /// `Result<value, error>`.
    Result(&'t Type, &'t Type),
    /// `Result<Result<value, inner>, outer>`.
    Nested(&'t Type, &'t Type, &'t Type),
    /// Anything else: a value, or an alias.
    Hidden,
}

/// Takes a returned type apart.
pub(crate) fn returned(ty: &Type) -> Returned<'_> {
    let parts = |ty| match peel(ty) {
        Type::Path(path) if last(path) == "Result" => {
            let mut arguments = arguments(path);
            Some((arguments.next(), arguments.next()))
        }
        _ => None,
    };
    match parts(ty) {
        Some((Some(value), Some(outer))) => match parts(value) {
            None => Returned::Result(value, outer),
            Some((Some(value), Some(inner))) => Returned::Nested(value, inner, outer),
            Some(_) => Returned::Hidden,
        },
        _ => Returned::Hidden,
    }
}

/// The type arguments of `Result<..>`, if the last segment says so.
pub(crate) fn result_value(ty: &Type) -> Option<Option<&Type>> {
    match peel(ty) {
        Type::Path(path) if last(path) == "Result" => Some(argument(path)),
        _ => None,
    }
}

/// What is inside one `Result` or two.
pub(crate) fn success(ty: &Type) -> Option<&Type> {
    let value = result_value(ty)??;
    result_value(value).unwrap_or(Some(value))
}

/// What a future gives, if the type says that it is a future, and what it gives.
pub(crate) fn future(ty: &Type) -> Option<Option<&Type>> {
    match peel(ty) {
        Type::ImplTrait(ty) => bounds(&ty.bounds),
        Type::TraitObject(ty) => bounds(&ty.bounds),
        Type::Path(path) => match last(path).as_str() {
            "Pin" | "Box" => future(argument(path)?),
            "BoxFuture" | "LocalBoxFuture" => Some(argument(path)),
            _ => None,
        },
        _ => None,
    }
}

fn bounds(bounds: &Punctuated<TypeParamBound, Token![+]>) -> Option<Option<&Type>> {
    let mut segments = bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last(),
        _ => None,
    });
    let segment = segments.find(|segment| segment.ident == "Future")?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Some(None) };
    Some(arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(output) if output.ident == "Output" => Some(&output.ty),
        _ => None,
    }))
}

/// What to do instead of writing a type through an out pointer, if C could not own it.
pub(crate) fn unwritable(ty: &Type) -> Option<&'static str> {
    const BORROWED: &str = "return a `Handle<T>`: a borrow ends with the call";
    const MANY: &str = "take a `&mut [T]` of the caller's and write into it, or return a `Handle<T>`";
    Some(match peel(ty) {
        Type::Reference(_) => BORROWED,
        Type::Slice(_) | Type::Array(_) => MANY,
        Type::Tuple(tuple) if !tuple.elems.is_empty() => "return one value, and take a `&mut T` for each other",
        Type::Path(path) => match last(path).as_str() {
            "String" | "Cow" | "CString" | "OsString" | "PathBuf" => {
                "take a `&mut [u8]` of the caller's and write the text into it, or return a `Handle<T>`"
            }
            "Vec" | "VecDeque" => MANY,
            "Box" | "Rc" | "Arc" => "return a `Handle<T>`",
            "Option" => "say none with an error, or with a value that means it",
            "char" => "return `u32`",
            _ => return None,
        },
        _ => return None,
    })
}
