//! Reads the `attributes` list of a span, a metric or a group.

use kina_observ_conventions::{Requirement, Source};

use super::super::error::Errors;
use super::super::fields::{Fields, choose};
use super::super::raw::{RawGroup, RawUse};
use super::super::yaml::{Node, Value};
use super::annotations;

const GROUP: &[&str] = &["id", "visibility", "attributes", "brief", "note", "stability", "deprecated", "annotations"];
const USE: &[&str] =
    &["ref", "ref_group", "requirement_level", "brief", "note", "examples", "stability", "deprecated", "annotations"];
const SPAN_USE: &[&str] = &[
    "ref",
    "ref_group",
    "requirement_level",
    "brief",
    "note",
    "examples",
    "stability",
    "deprecated",
    "annotations",
    "sampling_relevant",
];

const LEVELS: &[(&str, Requirement)] =
    &[("required", Requirement::Required), ("recommended", Requirement::Recommended), ("opt_in", Requirement::OptIn)];

const SOURCES: &[(&str, Source)] = &[
    ("context", Source::Context),
    ("return_code", Source::ReturnCode),
    ("outcome", Source::Outcome),
    ("hand", Source::Hand),
];

/// Whose list it is: the format allows `sampling_relevant` in a span's only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Span,
    Other,
}

pub(super) fn group(node: &Node, errors: &mut Errors) -> Option<RawGroup> {
    let fields = Fields::open(node, "an attribute group", GROUP, errors)?;
    let id = fields.text("id", errors);
    if fields.required("visibility", errors).is_some() {
        fields.choice("visibility", &[("internal", ()), ("public", ())], errors);
    }
    let uses = list(&fields, Owner::Other, errors);
    Some(RawGroup { id: id?, uses })
}

pub(super) fn list(fields: &Fields<'_>, owner: Owner, errors: &mut Errors) -> Vec<RawUse> {
    fields.list("attributes", errors).iter().filter_map(|node| one(node, owner, errors)).collect()
}

fn one(node: &Node, owner: Owner, errors: &mut Errors) -> Option<RawUse> {
    let known = if owner == Owner::Span { SPAN_USE } else { USE };
    let fields = Fields::open(node, "an attribute reference", known, errors)?;
    if fields.find("ref_group").is_some() {
        if let Some(stray) = fields.find("ref") {
            errors.at(stray.at, "`ref` and `ref_group` exclude each other", "write two list entries");
        }
        return fields.text("ref_group", errors).map(RawUse::Group);
    }
    let key = fields.text("ref", errors)?;
    let requirement = match fields.find("requirement_level") {
        Some(node) => requirement(node, errors)?,
        None => Requirement::Recommended,
    };
    let kina = annotations(&fields, "the `kina` annotation of a reference", &["source", "param"], errors);
    let node = kina.as_ref().and_then(|kina| kina.find("source"));
    let source = node.and_then(|node| source(node, errors));
    let params = kina.as_ref().map_or_else(Vec::new, |kina| kina.texts("param", errors));
    if let (Some(node), false) = (node, params.is_empty()) {
        errors.at(
            node.at,
            "`source` and `param` exclude each other",
            "a value with `param` comes from that parameter; keep one of the two",
        );
    }
    for param in &params {
        if !is_identifier(param.text) {
            errors.at(
                param.at,
                format!("`{}` cannot be the name of a parameter", param.text),
                "write the Rust name, such as `dtype_code`",
            );
        }
    }
    Some(RawUse::Attribute { key, requirement, source, params })
}

fn is_identifier(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !text.is_empty()
}

fn requirement(node: &Node, errors: &mut Errors) -> Option<Requirement> {
    if let Value::Map(_) = node.value {
        let fields =
            Fields::open(node, "a requirement level", &["conditionally_required", "recommended", "opt_in"], errors)?;
        return match (fields.find("conditionally_required"), fields.find("recommended")) {
            (Some(_), _) => {
                fields.text("conditionally_required", errors).map(|why| Requirement::ConditionallyRequired(why.text))
            }
            (None, Some(_)) => Some(Requirement::Recommended),
            (None, None) => Some(Requirement::OptIn),
        };
    }
    choose(node.text(errors)?, "requirement_level", LEVELS, errors)
}

fn source(node: &Node, errors: &mut Errors) -> Option<Source> {
    if let Value::Map(_) = node.value {
        let fields = Fields::open(node, "a source", &["type"], errors)?;
        return fields.text("type", errors).map(|name| Source::Type(name.text));
    }
    choose(node.text(errors)?, "source", SOURCES, errors)
}
