//! The shape of a value: what the registry says, held against the type of a parameter.

use kina_observ_conventions::{AttributeDef, ValueType};
use syn::{Generics, Path, Type};

use crate::lower::{Passing, passing, peel, shown};
use crate::parse::item::mentions;
use crate::plan::Shape;

/// The shape of an attribute, if a parameter of this type can carry it.
pub(super) fn of_parameter(def: &AttributeDef, ty: &Type, generics: &Generics) -> Option<Shape> {
    let own = match peel(ty) {
        Type::Path(path) if path.qself.is_none() && !is_generic(&path.path, generics) => Some(peel(ty)),
        _ => None,
    };
    shape(def, own).filter(|shape| fits(shape, ty))
}

/// The shape of an attribute whose value is an expression: the compiler decides whether it fits.
pub(super) fn of_expression(def: &AttributeDef) -> Option<Shape> {
    shape(def, None)
}

/// A `static` cannot name the generic parameters of the function around it.
fn is_generic(path: &Path, generics: &Generics) -> bool {
    mentions(path, "Self")
        || mentions(path, "impl")
        || generics.type_params().any(|parameter| mentions(path, &parameter.ident.to_string()))
        || generics.const_params().any(|parameter| mentions(path, &parameter.ident.to_string()))
        || generics.lifetimes().next().is_some()
}

fn shape(def: &AttributeDef, own: Option<&Type>) -> Option<Shape> {
    Some(match def.value_type {
        ValueType::Int => Shape::Int,
        ValueType::Double => Shape::Double,
        ValueType::Boolean => Shape::Boolean,
        ValueType::String => Shape::Str,
        ValueType::Ints => Shape::Ints,
        ValueType::Enum => {
            let members = def.members.iter().filter_map(|member| Some((member.code?, member.value.to_owned())));
            Shape::Enum(members.collect(), own.map(|ty| Box::new(ty.clone())))
        }
        ValueType::Strings | ValueType::Doubles | ValueType::Booleans => return None,
    })
}

/// Rules out what is surely not a value; the traits of the runtime decide the rest.
fn fits(shape: &Shape, ty: &Type) -> bool {
    let Ok((passing, inner)) = passing(ty) else { return true };
    let pointer = matches!(passing, Passing::Pointer | Passing::Callback);
    match shape {
        Shape::Str => {
            !pointer && !matches!(passing, Passing::Number | Passing::Flag | Passing::Slice | Passing::SliceMut)
        }
        Shape::Ints => !pointer && !passing.is_scalar() && passing != Passing::Text,
        Shape::Boolean => {
            !pointer
                && (passing == Passing::Flag || matches!(passing, Passing::Shared | Passing::Code) || is_byte(&inner))
        }
        _ => !pointer && matches!(passing, Passing::Number | Passing::Code | Passing::Shared | Passing::Exclusive),
    }
}

fn is_byte(ty: &Type) -> bool {
    shown(ty) == "u8"
}

/// The shape of an attribute that is in no registry.
pub(super) fn guessed(ty: &Type) -> Option<Shape> {
    match passing(ty).ok()? {
        (Passing::Number, ty)
            if shown(&ty).starts_with('f') || shown(&ty).ends_with("double") || shown(&ty).ends_with("float") =>
        {
            Some(Shape::Double)
        }
        (Passing::Number, _) => Some(Shape::Int),
        (Passing::Flag, _) => Some(Shape::Boolean),
        (Passing::Text, _) => Some(Shape::Str),
        _ => None,
    }
}

/// A type as the registry writes it.
pub(super) fn written(ty: ValueType) -> &'static str {
    match ty {
        ValueType::String => "string",
        ValueType::Int => "int",
        ValueType::Double => "double",
        ValueType::Boolean => "boolean",
        ValueType::Enum => "enum",
        ValueType::Strings => "string[]",
        ValueType::Ints => "int[]",
        ValueType::Doubles => "double[]",
        ValueType::Booleans => "boolean[]",
    }
}
