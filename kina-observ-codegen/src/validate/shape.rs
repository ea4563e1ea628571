//! The shape of a value: what the registry says, held against the type of a parameter.

use kina_observ_conventions::{AttributeDef, ValueType};
use syn::{GenericArgument, PathArguments, Type};

use crate::lower::{Passing, passing, peel, shown};
use crate::plan::{List, Shape};
use crate::registry::render_values;

/// The shape of an attribute, if a parameter of this type can carry it.
pub(super) fn of_parameter(def: &AttributeDef, ty: &Type) -> Option<Shape> {
    of_expression(def).filter(|shape| fits(shape, ty))
}

/// The shape of an attribute whose value is an expression: the compiler decides whether it fits.
pub(super) fn of_expression(def: &AttributeDef) -> Option<Shape> {
    Some(match def.value_type {
        ValueType::Int => Shape::Int,
        ValueType::Double => Shape::Double,
        ValueType::Boolean => Shape::Boolean,
        ValueType::String => Shape::Str,
        ValueType::Ints => Shape::Ints,
        ValueType::Enum => Shape::Enum(list(def), None),
        ValueType::Strings | ValueType::Doubles | ValueType::Booleans => return None,
    })
}

fn list(def: &AttributeDef) -> List {
    let name = render_values::type_name(def.key);
    if kina_observ_conventions::attribute(def.key).is_some() {
        return List::Builtin(name);
    }
    List::Own { name, table: render_values::table(def.members), coded: render_values::coded(def.members) }
}

/// Rules out what is surely not a value; the traits of the runtime decide the rest.
fn fits(shape: &Shape, ty: &Type) -> bool {
    let Ok((passing, inner)) = passing(present(ty)) else { return true };
    let pointer = matches!(passing, Passing::Pointer | Passing::Callback | Passing::Function);
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
    match passing(present(ty)).ok()? {
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

/// `T` of `Option<T>`: a value that is not there is not recorded.
fn present(ty: &Type) -> &Type {
    let ty = peel(ty);
    let Type::Path(path) = ty else { return ty };
    let Some(segment) = path.path.segments.last().filter(|segment| segment.ident == "Option") else { return ty };
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
            Some(GenericArgument::Type(inner)) => inner,
            _ => ty,
        },
        _ => ty,
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
