//! Resolves spans: attributes, templates, parents and errors.

use std::collections::BTreeMap;

use kina_observ_conventions::{Cardinality, Requirement, Source, SpanDef, SpanKind, ValueType, nearest, span};

use super::super::error::{Errors, did_you_mean};
use super::super::names::{LONGEST, is_name};
use super::super::raw::{Raw, RawSpan};
use super::super::template::placeholders;
use super::super::yaml::Word;
use super::renames::{self, Next};
use super::uses::{Groups, Uses, at_most_as_stable};
use super::{Known, Origin, leak};

/// OpenTelemetry's limit for the attributes of a span.
const MOST_ATTRIBUTES: usize = 128;

pub(super) fn resolve(raw: &RawSpan, all: &Raw, known: &Known, groups: &Groups<'_>, errors: &mut Errors) -> SpanDef {
    let uses = groups.flatten(&raw.uses, known, errors);
    one_parameter_each(raw, &uses, errors);
    template(raw.name, Text::Name, &uses, errors);
    if let Some(nvtx) = raw.nvtx
        && nvtx.at != raw.name.at
    {
        template(nvtx, Text::Nvtx, &uses, errors);
    }
    for fallback in &raw.fallbacks {
        template(*fallback, Text::Name, &uses, errors);
    }
    always_a_name(raw, &uses, errors);
    parents(raw, all, known, errors);
    error_types(raw, errors);
    events(raw, all, known, errors);
    kind(raw, &uses, errors);
    at_most_as_stable(raw.key, raw.stability, &uses, errors);
    if uses.len() > MOST_ATTRIBUTES {
        let message = format!("`{}` has {} attributes", raw.key.text, uses.len());
        errors.at(raw.key.at, message, format!("leave at most {MOST_ATTRIBUTES}: SDKs drop the rest"));
    }
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
        fallback_names: leak(&raw.fallbacks),
        brief: raw.brief,
        macros: leak(&raw.macros),
        severity: raw.severity,
        level: raw.level,
        nvtx: raw.nvtx.map(|nvtx| nvtx.text),
        parents: leak(&raw.parents),
        errors: leak(&raw.errors),
        events: leak(&raw.events),
        sample_every: raw.sample_every,
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
    if which == Text::Name && text.text.len() > LONGEST {
        errors.at(text.at, format!("the name has {} characters", text.text.len()), format!("use at most {LONGEST}"));
    }
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
        if which == Text::Name && matches!(used.used.source, Source::Outcome | Source::ReturnCode) {
            let help = "leave it out: a span has its name from the start";
            errors.at(text.at, format!("`{key}` is known only when the span ends"), help);
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

/// The last name to be tried must always be possible.
fn always_a_name(raw: &RawSpan, uses: &Uses, errors: &mut Errors) {
    let last = raw.fallbacks.last().copied().unwrap_or(raw.name);
    let sometimes = |key: &&str| uses.get(key).is_some_and(|used| used.used.requirement != Requirement::Required);
    if let Some(key) = placeholders(last.text).unwrap_or_default().into_iter().find(|key| sometimes(key)) {
        let help =
            "make it required, or add `annotations: {kina: {fallback_names: [..]}}` with a name that does without it";
        errors.at(last.at, format!("`{key}` can be absent, and then this span has no name"), help);
    }
}

/// Local work is `internal`, and a call to somebody says to whom.
fn kind(raw: &RawSpan, uses: &Uses, errors: &mut Errors) {
    if raw.kind != SpanKind::Internal
        && let Some(local) = raw.macros.iter().find(|name| name.text != "span")
    {
        let help = "write `kind: internal`, or let `span` make it";
        errors.at(local.at, format!("`{}` is work inside this process", local.text), help);
    }
    if raw.kind == SpanKind::Client && !uses.contains_key("server.address") {
        let help = "add `- {ref: server.address, requirement_level: recommended}`, or write `kind: internal`";
        errors.at(raw.key.at, format!("`{}` is a call to somebody, and does not say to whom", raw.key.text), help);
    }
}

fn events(raw: &RawSpan, all: &Raw, known: &Known, errors: &mut Errors) {
    for event in &raw.events {
        if known.event_names(all).all(|name| name != event.text) {
            let near = nearest(event.text, known.event_names(all));
            let help = did_you_mean(near.as_slice(), "define it under `events`");
            errors.at(event.at, format!("there is no event `{}`", event.text), help);
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
