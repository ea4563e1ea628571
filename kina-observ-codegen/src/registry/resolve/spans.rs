//! Resolves spans: attributes, templates, parents and errors.

use std::collections::BTreeMap;

use kina_observ_conventions::{Cardinality, Source, SpanDef, ValueType, nearest, span};

use super::super::error::{Errors, did_you_mean};
use super::super::names::is_name;
use super::super::raw::{Raw, RawSpan};
use super::super::template::placeholders;
use super::super::yaml::Word;
use super::renames::{self, Next};
use super::uses::{Groups, Uses};
use super::{Known, Origin, leak};

pub(super) fn resolve(raw: &RawSpan, all: &Raw, known: &Known, groups: &Groups<'_>, errors: &mut Errors) -> SpanDef {
    let uses = groups.flatten(&raw.uses, known, errors);
    one_parameter_each(raw, &uses, errors);
    template(raw.name, Text::Name, &uses, errors);
    if let Some(nvtx) = raw.nvtx
        && nvtx.at != raw.name.at
    {
        template(nvtx, Text::Nvtx, &uses, errors);
    }
    parents(raw, all, known, errors);
    error_types(raw, errors);
    let next = |key: &str| {
        if let Some(own) = all.spans.iter().find(|own| own.key.text == key) {
            return renames::next_of(own.deprecated.map(|gone| gone.renamed_to.map(|to| to.text)));
        }
        match span(key).filter(|_| known.origin == Origin::Crate) {
            Some(def) => renames::next_of(def.deprecated.map(|gone| gone.renamed_to)),
            None => Next::Unknown,
        }
    };
    SpanDef {
        key: raw.key.text,
        kind: raw.kind,
        name: raw.name.text,
        brief: raw.brief,
        macros: raw.macros.clone().leak(),
        severity: raw.severity,
        level: raw.level,
        nvtx: raw.nvtx.map(|nvtx| nvtx.text),
        parents: leak(&raw.parents),
        errors: leak(&raw.errors),
        attributes: uses.values().map(|used| used.used).collect::<Vec<_>>().leak(),
        deprecated: raw.deprecated.map(|gone| renames::resolve(raw.key, gone, next, known.span_keys(all), errors)),
    }
}

/// Two attributes that one parameter could fill would need a guess.
fn one_parameter_each(raw: &RawSpan, uses: &Uses, errors: &mut Errors) {
    let mut taken: BTreeMap<&str, &str> = BTreeMap::new();
    for used in uses.values().filter(|used| used.used.source == Source::Parameter) {
        for param in used.used.params {
            if let Some(other) = taken.insert(param, used.used.key) {
                let message = format!(
                    "in `{}`, the parameter `{param}` would be both `{other}` and `{}`",
                    raw.key.text, used.used.key
                );
                errors.at(used.at, message, "name the parameters: `annotations: {kina: {param: [..]}}`");
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Name,
    Nvtx,
}

fn template(text: Word, which: Text, uses: &Uses, errors: &mut Errors) {
    let keys = match placeholders(text.text) {
        Ok(keys) => keys,
        Err(mistake) => {
            errors.at(
                text.at,
                format!("{mistake} in `{}`", text.text),
                "write `{attribute.key}` where its value belongs",
            );
            return;
        }
    };
    for key in keys {
        let Some(used) = uses.get(key) else {
            let near = nearest(key, uses.keys().copied());
            let help = did_you_mean(near.as_slice(), "add it to the span's `attributes`");
            errors.at(text.at, format!("`{key}` is not an attribute of this span"), help);
            continue;
        };
        if !matches!(used.def.value_type, ValueType::String | ValueType::Int | ValueType::Enum) {
            errors.at(
                text.at,
                format!("`{key}` has no short text"),
                "use an attribute of type `string`, `int` or an enum",
            );
        }
        if which == Text::Name && used.def.cardinality == Cardinality::High {
            errors.at(
                text.at,
                format!("`{key}` has too many values for a span name"),
                "leave it out: it is an attribute of the span anyway",
            );
        }
    }
}

fn parents(raw: &RawSpan, all: &Raw, known: &Known, errors: &mut Errors) {
    for parent in &raw.parents {
        let pattern = parent.text.strip_suffix(".*").is_some_and(is_name);
        if pattern || matches!(parent.text, "remote" | "any") || known.span_keys(all).any(|key| key == parent.text) {
            continue;
        }
        let near = nearest(parent.text, known.span_keys(all));
        let help = did_you_mean(near.as_slice(), "name a span type, `ns.*`, `remote` or `any`");
        errors.at(parent.at, format!("there is no span type `{}`", parent.text), help);
    }
}

fn error_types(raw: &RawSpan, errors: &mut Errors) {
    for (index, error) in raw.errors.iter().enumerate() {
        if !is_name(error.text) {
            let help = "write a stable id such as `out_of_memory`, never a sentence";
            errors.at(error.at, format!("`{}` is not an error type", error.text), help);
        }
        if raw.errors[..index].iter().any(|other| other.text == error.text) {
            errors.at(error.at, format!("`{}` stands in this list twice", error.text), "keep one of the two");
        }
    }
}
