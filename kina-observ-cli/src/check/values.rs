//! Whether the JSON text of a value fits the type that the registry gives it.

use kina_observ_conventions::{AttributeDef, ValueType};

use super::finding::Finding;
use crate::names::is_upstream;

/// The floats that JSON has no number for.
const NO_NUMBERS: [&str; 3] = ["\"NaN\"", "\"Infinity\"", "\"-Infinity\""];

/// What is wrong with the value `json` of `def`.
pub(super) fn check(def: &AttributeDef, json: &str) -> Option<Finding> {
    if !fits(def.value_type, json) {
        let message = format!("`{}` is {}, not {}", def.key, word(def.value_type), shown(json));
        let help = "give the registry's type; a number is not written as text";
        return Some(Finding::error("wrong-value-type", message, help));
    }
    // OpenTelemetry's enumerations are open: another value is allowed.
    if def.value_type != ValueType::Enum || is_upstream(def.key) {
        return None;
    }
    let value: String = serde_json::from_str(json).ok()?;
    if def.members.iter().any(|member| member.value == value) {
        return None;
    }
    let members: Vec<&str> = def.members.iter().map(|member| member.value).collect();
    let message = format!("`{value}` is no value of `{}`", def.key);
    let help = match value.as_str() {
        // What the collector writes for a code without a member.
        "_OTHER" => "the caller passed a code that the registry does not list".to_owned(),
        _ => format!("its values are `{}`", members.join("`, `")),
    };
    Some(Finding::error("wrong-enum-value", message, help))
}

fn fits(value_type: ValueType, json: &str) -> bool {
    match value_type {
        ValueType::String | ValueType::Enum => json.starts_with('"'),
        ValueType::Int => json.parse::<i64>().is_ok() || json.parse::<u64>().is_ok(),
        ValueType::Double => json.starts_with(|c: char| c == '-' || c.is_ascii_digit()) || NO_NUMBERS.contains(&json),
        ValueType::Boolean => matches!(json, "true" | "false"),
        ValueType::Strings => each(ValueType::String, json),
        ValueType::Ints => each(ValueType::Int, json),
        ValueType::Doubles => each(ValueType::Double, json),
        ValueType::Booleans => each(ValueType::Boolean, json),
    }
}

fn each(value_type: ValueType, json: &str) -> bool {
    let items: Result<Vec<&serde_json::value::RawValue>, _> = serde_json::from_str(json);
    items.is_ok_and(|items| items.iter().all(|item| fits(value_type, item.get())))
}

fn word(value_type: ValueType) -> &'static str {
    match value_type {
        ValueType::String => "a text",
        ValueType::Enum => "one of the registry's words",
        ValueType::Int => "an integer",
        ValueType::Double => "a number",
        ValueType::Boolean => "true or false",
        ValueType::Strings => "a list of texts",
        ValueType::Ints => "a list of integers",
        ValueType::Doubles => "a list of numbers",
        ValueType::Booleans => "a list of true and false",
    }
}

/// What stands there, without its content: it may be what must not be shown.
fn shown(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "a text",
        Some(b'[') => "a list",
        Some(b'{') => "an object",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ if json.contains(['.', 'e', 'E']) => "a fraction",
        _ => "an integer",
    }
}
