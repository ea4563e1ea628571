//! Reads an attribute and the members of its enum.

use kina_observ_conventions::{Cardinality, Class, ValueType};

use super::super::error::Errors;
use super::super::fields::{Fields, choose};
use super::super::raw::{RawAttribute, RawMember};
use super::super::yaml::{Node, Value};
use super::{annotations, brief, deprecated, foreign, stability};

const KEYS: &[&str] = &["key", "type", "brief", "note", "examples", "stability", "deprecated", "annotations"];
const KINA: &[&str] = &["class", "cardinality", "alias", "also_emit", "allow_name", "foreign"];
const MEMBER: &[&str] = &["id", "value", "brief", "note", "stability", "deprecated", "annotations"];

const TYPES: &[(&str, ValueType)] = &[
    ("string", ValueType::String),
    ("int", ValueType::Int),
    ("double", ValueType::Double),
    ("boolean", ValueType::Boolean),
    ("string[]", ValueType::Strings),
    ("int[]", ValueType::Ints),
    ("double[]", ValueType::Doubles),
    ("boolean[]", ValueType::Booleans),
];

const CLASSES: &[(&str, Class)] = &[
    ("system", Class::System),
    ("identifier", Class::Identifier),
    ("path", Class::Path),
    ("content", Class::Content),
    ("secret", Class::Secret),
    ("personal", Class::Personal),
];

const CARDINALITIES: &[(&str, Cardinality)] =
    &[("low", Cardinality::Low), ("medium", Cardinality::Medium), ("high", Cardinality::High)];

pub(super) fn read(node: &Node, errors: &mut Errors) -> Option<RawAttribute> {
    let fields = Fields::open(node, "an attribute", KEYS, errors)?;
    let key = fields.text("key", errors);
    let stability = stability(&fields, errors);
    let brief = brief(&fields, errors);
    let value_type = fields.required("type", errors).and_then(|node| value_type(node, errors));
    let deprecated = deprecated(&fields, errors);
    let kina = annotations(&fields, "the `kina` annotation of an attribute", KINA, errors);
    let class = kina.as_ref().and_then(|kina| kina.choice("class", CLASSES, errors));
    let cardinality = kina.as_ref().and_then(|kina| kina.choice("cardinality", CARDINALITIES, errors));
    let alias = kina.as_ref().and_then(|kina| kina.maybe_text("alias", errors));
    let also_emit = kina.as_ref().map_or_else(Vec::new, |kina| kina.texts("also_emit", errors));
    let allow_name = kina.as_ref().map_or_else(Vec::new, |kina| kina.texts("allow_name", errors));
    let foreign = kina.as_ref().and_then(|kina| foreign(kina, errors));
    let (value_type, members) = value_type?;
    Some(RawAttribute {
        key: key?,
        value_type,
        members,
        brief: brief?.text,
        class: class.unwrap_or(Class::System),
        // Without a word about it, a value may be in a span name; `high` must be said.
        cardinality: cardinality.unwrap_or(Cardinality::Medium),
        alias,
        also_emit,
        allow_name,
        stability,
        foreign,
        deprecated,
    })
}

fn value_type(node: &Node, errors: &mut Errors) -> Option<(ValueType, Vec<RawMember>)> {
    if let Value::Map(_) = node.value {
        let fields = Fields::open(node, "an enum type", &["members"], errors)?;
        let nodes = fields.list("members", errors);
        let members = nodes.iter().filter_map(|node| member(node, errors)).collect();
        if nodes.is_empty() {
            errors.at(node.at, "an enum type needs `members`", "add `members: [{id: .., value: ..}]`");
        }
        return Some((ValueType::Enum, members));
    }
    let word = node.text(errors)?;
    if word.text == "any" || word.text.starts_with("template[") {
        let help = "name one type: `string`, `int`, `double`, `boolean`, a list such as `int[]`, or `{members: [..]}`";
        errors.at(word.at, format!("the type `{}` has no fixed form", word.text), help);
        return None;
    }
    Some((choose(word, "type", TYPES, errors)?, Vec::new()))
}

fn member(node: &Node, errors: &mut Errors) -> Option<RawMember> {
    let fields = Fields::open(node, "a member", MEMBER, errors)?;
    let id = fields.text("id", errors)?;
    let value = if fields.find("value").is_some() { fields.text("value", errors)? } else { id };
    let brief = fields.maybe_text("brief", errors).map_or(id.text, |brief| brief.text);
    let kina = annotations(&fields, "the `kina` annotation of a member", &["code"], errors);
    let code = kina.and_then(|kina| {
        let node = kina.find("code")?;
        Some((node.code(errors)?, node.at))
    });
    Some(RawMember { id, value, code, brief })
}
