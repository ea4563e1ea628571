//! From a Rust signature to the C signature of form (i): what each parameter becomes, and which check leads back.
//! The header writer uses the same function, so a header cannot say anything else than the wrapper does.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{FnArg, GenericArgument, Pat, PathArguments, Signature, Type, TypeFnPtr, TypePath};

use crate::errors::Mistake;

/// The C function that stands for a Rust function.
#[derive(Clone)]
pub struct CSignature {
    /// One entry for each Rust parameter; a slice becomes two C parameters.
    pub parameters: Vec<CParameter>,
    /// What the out pointer points at; it comes last. `None`: nothing is written.
    pub out: Option<Type>,
    /// Whether a pointer that gets the error comes after it.
    pub error: bool,
}

/// One Rust parameter and its way over the boundary.
#[derive(Clone)]
pub struct CParameter {
    /// Name without `r#`.
    pub name: String,
    /// How it crosses.
    pub passing: Passing,
    /// What is pointed at, stands in the handle table or is the enum; else the type itself.
    pub inner: Type,
    /// The parameter that holds the length of this slice; without it C passes one of its own.
    pub length: Option<Length>,
    /// Null is the empty text or slice.
    pub nullable: bool,
    /// What is said about it never shows its value.
    pub secret: bool,
}

/// The parameter that holds the length of a slice.
#[derive(Clone)]
pub struct Length {
    /// Its name.
    pub of: Ident,
    /// Whether it is secret itself.
    pub secret: bool,
}

/// How a parameter crosses the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// A number: unchanged.
    Number,
    /// `bool`: a byte, so that no value of it is undefined behaviour.
    Flag,
    /// An enum with `FfiEnum`: its code.
    Code,
    /// `&T`.
    Shared,
    /// `&mut T`.
    Exclusive,
    /// `Option<&T>`.
    OptionalShared,
    /// `Option<&mut T>`.
    OptionalExclusive,
    /// `&[T]`: pointer and length.
    Slice,
    /// `&mut [T]`: pointer and length.
    SliceMut,
    /// `Option<&[T]>`: the same, null is none.
    OptionalSlice,
    /// `Option<&mut [T]>`: the same, null is none.
    OptionalSliceMut,
    /// `&str`: a C string.
    Text,
    /// `Option<&str>`: the same, null is none.
    OptionalText,
    /// `Handle<T>`: a number.
    Handle,
    /// `Option<Handle<T>>`: a number, 0 is none.
    OptionalHandle,
    /// A raw pointer: unchanged, unchecked.
    Pointer,
    /// `Option<extern "C-unwind" fn>`: unchanged.
    Callback,
    /// `extern "C-unwind" fn`: the same, null is refused.
    Function,
}

impl CParameter {
    /// Whether C passes a length behind the pointer.
    pub fn has_own_length(&self) -> bool {
        self.passing.has_length() && self.length.is_none()
    }
}

impl Passing {
    /// Whether the value can be read before the checks.
    pub fn is_scalar(self) -> bool {
        matches!(self, Self::Number | Self::Flag | Self::Code)
    }

    /// Whether a length belongs to the pointer.
    pub fn has_length(self) -> bool {
        matches!(self, Self::Slice | Self::SliceMut | Self::OptionalSlice | Self::OptionalSliceMut)
    }
}

/// The C signature of a plain Rust function whose value on success is `value`.
///
/// # Errors
///
/// One mistake for each parameter that C cannot pass, at its type.
pub fn lower(signature: &Signature, value: Option<&Type>) -> Result<CSignature, Vec<Mistake>> {
    let mut parameters = Vec::new();
    let mut mistakes = Vec::new();
    for argument in &signature.inputs {
        // Receivers and patterns are refused elsewhere, with their own sentences.
        let FnArg::Typed(argument) = argument else { continue };
        let Pat::Ident(pattern) = &*argument.pat else { continue };
        match passing(&argument.ty) {
            Ok((passing, inner)) => {
                let name = pattern.ident.unraw().to_string();
                parameters.push(CParameter { name, passing, inner, length: None, nullable: false, secret: false })
            }
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(CSignature { parameters, out: value.cloned(), error: false }) } else { Err(mistakes) }
}

/// How one parameter type crosses, and what is inside it.
///
/// # Errors
///
/// What to write instead.
pub fn passing(ty: &Type) -> Result<(Passing, Type), Mistake> {
    let ty = peel(ty);
    match ty {
        Type::Reference(reference) => {
            if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static") {
                return Err(Mistake::new(ty, "C cannot promise that a value lives for `'static`")
                    .with_help("take the reference without a lifetime"));
            }
            borrowed(ty, peel(&reference.elem), reference.mutability.is_some())
        }
        Type::Ptr(_) => Ok((Passing::Pointer, ty.clone())),
        Type::Path(path) => named(ty, path),
        Type::FnPtr(function) => callback(function).map(|()| (Passing::Function, ty.clone())),
        Type::Slice(_) | Type::Array(_) => {
            Err(refuse(ty).with_help("take a slice, such as `&[i64]`: C passes pointer and length"))
        }
        Type::Tuple(_) => Err(refuse(ty).with_help("take one parameter for each part")),
        _ => Err(refuse(ty).with_help("take a number, a reference, a slice, a `&str` or a `Handle<T>`")),
    }
}

fn borrowed(whole: &Type, inner: &Type, exclusive: bool) -> Result<(Passing, Type), Mistake> {
    match inner {
        Type::Slice(slice) => {
            let passing = if exclusive { Passing::SliceMut } else { Passing::Slice };
            Ok((passing, (*slice.elem).clone()))
        }
        Type::Path(path) if path.path.is_ident("str") => {
            if exclusive {
                Err(refuse(whole).with_help("take `&str`, or `&mut [u8]` to write into it"))
            } else {
                Ok((Passing::Text, inner.clone()))
            }
        }
        Type::Path(path) => match owned(path) {
            Some(help) => Err(refuse(whole).with_help(help)),
            None if exclusive => Ok((Passing::Exclusive, inner.clone())),
            None => Ok((Passing::Shared, inner.clone())),
        },
        Type::Array(_) | Type::Tuple(_) | Type::Ptr(_) => {
            let passing = if exclusive { Passing::Exclusive } else { Passing::Shared };
            Ok((passing, inner.clone()))
        }
        _ => Err(refuse(whole).with_help("take a reference to a type that C knows the layout of")),
    }
}

fn named(ty: &Type, path: &TypePath) -> Result<(Passing, Type), Mistake> {
    if let Some(help) = owned(path) {
        return Err(refuse(ty).with_help(help));
    }
    match last(path).as_str() {
        "bool" => Ok((Passing::Flag, ty.clone())),
        name if is_number(name) => Ok((Passing::Number, ty.clone())),
        "Handle" => match argument(path) {
            Some(inner) => Ok((Passing::Handle, inner.clone())),
            None => {
                Err(Mistake::new(ty, "a `Handle` needs the type that it stands for").with_help("write `Handle<T>`"))
            }
        },
        "Option" => optional(ty, argument(path).map(peel)),
        _ if argument(path).is_some() => Err(refuse(ty).with_help("take a reference to it, or a `Handle<T>`")),
        _ => Ok((Passing::Code, ty.clone())),
    }
}

fn optional(ty: &Type, inner: Option<&Type>) -> Result<(Passing, Type), Mistake> {
    match inner {
        Some(Type::FnPtr(function)) => return callback(function).map(|()| (Passing::Callback, ty.clone())),
        Some(inner @ (Type::Reference(_) | Type::Path(_))) => match passing(inner)? {
            (Passing::Shared, inner) => return Ok((Passing::OptionalShared, inner)),
            (Passing::Exclusive, inner) => return Ok((Passing::OptionalExclusive, inner)),
            (Passing::Slice, inner) => return Ok((Passing::OptionalSlice, inner)),
            (Passing::SliceMut, inner) => return Ok((Passing::OptionalSliceMut, inner)),
            (Passing::Text, inner) => return Ok((Passing::OptionalText, inner)),
            (Passing::Handle, inner) => return Ok((Passing::OptionalHandle, inner)),
            _ => {}
        },
        _ => {}
    }
    Err(refuse(ty).with_help(
        "only `Option` of a reference, a `Handle<T>` or an `extern \"C-unwind\" fn` has a value in C that means none",
    ))
}

/// Refuses a function pointer that C cannot call, or out of which an exception could go unseen.
pub(crate) fn callback(function: &TypeFnPtr) -> Result<(), Mistake> {
    let abi = function.abi.as_ref().map(|abi| abi.name.as_ref().map_or_else(|| "C".to_owned(), syn::LitStr::value));
    let what = match abi.as_deref() {
        Some("C-unwind") => return Ok(()),
        Some("C") => {
            "`extern \"C\"` says that nothing unwinds out of the callback, and a C++ exception would pass through the body unseen"
                .to_owned()
        }
        Some(other) => format!("`extern \"{other}\"` is not the C ABI on every platform"),
        None => "this is a function of Rust, which C does not have".to_owned(),
    };
    let help =
        "write `extern \"C-unwind\" fn(..)`: to C it is the same, and an exception ends the process with a message";
    Err(Mistake::new(function, what).with_help(help))
}

fn refuse(ty: &Type) -> Mistake {
    Mistake::new(ty, format!("`{}` cannot come from C", shown(ty)))
}

/// What to write instead of a type that owns memory or has no C form.
fn owned(path: &TypePath) -> Option<&'static str> {
    Some(match last(path).as_str() {
        "String" | "Cow" | "CString" | "CStr" | "OsString" | "OsStr" | "PathBuf" | "Path" => {
            "take `&str`: C passes a C string"
        }
        "Vec" | "VecDeque" => "take a slice, such as `&[i64]`: C passes pointer and length",
        "Box" | "Rc" | "Arc" => "take a `Handle<T>`, or a reference",
        "NonNull" => "take `&mut T`, or a raw pointer that the body checks",
        "char" => "take `u32`",
        "u128" | "i128" => "take two 64-bit numbers: C has no 128-bit one that is the same everywhere",
        "Self" => "name the type",
        "Result" => "take the value: C has no `Result`",
        _ => return None,
    })
}

pub(crate) fn last(path: &TypePath) -> String {
    path.path.segments.last().map(|segment| segment.ident.unraw().to_string()).unwrap_or_default()
}

/// First type argument of the last segment.
pub(crate) fn argument(path: &TypePath) -> Option<&Type> {
    arguments(path).next()
}

/// The type arguments of the last segment.
pub(crate) fn arguments(path: &TypePath) -> impl Iterator<Item = &Type> {
    let arguments = path.path.segments.last().and_then(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    });
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Whether the type is a number, by its name.
pub(crate) fn is_plain_value(ty: &Type) -> bool {
    match peel(ty) {
        Type::Path(path) => last(path) == "bool" || is_number(&last(path)),
        _ => false,
    }
}

/// `()`.
pub(crate) fn is_unit(ty: &Type) -> bool {
    matches!(peel(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Without the invisible brackets of `macro_rules` and without parentheses.
pub(crate) fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peel(&group.elem),
        Type::Paren(paren) => peel(&paren.elem),
        _ => ty,
    }
}

/// A type as one writes it.
pub(crate) fn shown(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (spaced, tight) in
        [(" < ", "<"), (" >", ">"), ("& ", "&"), (" ,", ","), (" :: ", "::"), ("< ", "<"), ("* ", "*")]
    {
        text = text.replace(spaced, tight);
    }
    text
}

fn is_number(name: &str) -> bool {
    NUMBERS.contains(&name)
}

/// The last segments of the types that are numbers in C as well.
pub const NUMBERS: [&str; 34] = [
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "isize",
    "f32",
    "f64",
    "c_char",
    "c_schar",
    "c_uchar",
    "c_short",
    "c_ushort",
    "c_int",
    "c_uint",
    "c_long",
    "c_ulong",
    "c_longlong",
    "c_ulonglong",
    "c_float",
    "c_double",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "int32_t",
    "int64_t",
    "uint32_t",
    "uint64_t",
];
