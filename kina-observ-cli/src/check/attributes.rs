//! Rules about the attributes of a span and the fields of an event.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use kina_observ_conventions::{
    AttributeDef, Class, Requirement, Source, SpanDef, UpstreamStatus, ValueType, secret_word, upstream_attribute,
};

use super::checker::{Checker, SpanLine};
use super::finding::Finding;
use super::values;
use crate::line::{Attributes, Kind, Line};
use crate::names::Names;

/// The runtime may put these on any span.
const EVERYWHERE: &[&str] = &["code.function.name", "error.type", "runtime.module.id", "runtime.trace.parent_dropped"];

/// They say where and how a call ended, not what it worked on.
const CIRCUMSTANCES: &[&str] = &[
    "error.type",
    "module_id",
    "runtime.device",
    "runtime.ffi.code",
    "runtime.module.id",
    "runtime.trace.parent_dropped",
];

/// What holds for a key whatever its value.
pub(crate) struct Verdict<'n> {
    def: Option<&'n AttributeDef>,
    /// The key that this one repeats under a second or an old name.
    repeats: Option<&'static str>,
    finding: Option<Finding>,
}

pub(super) fn check(checker: &mut Checker<'_>, span: &SpanLine<'_>) {
    let def = checker.names.span(span.span_type());
    for (index, (key, json)) in span.attributes.0.iter().enumerate() {
        if span.attributes.0[..index].iter().any(|(earlier, _)| earlier == key) {
            let help = "write each key once: readers keep the first, the last, or refuse the line";
            checker.find(Finding::error("duplicate-attribute", format!("`{}` is there twice", &**key), help));
        }
        one(checker, span, def, key, json);
    }
    module(checker, span);
    if let Some(def) = def
        && span.kind == Kind::Span
    {
        required(checker, span, def);
    }
}

fn one(checker: &mut Checker<'_>, span: &SpanLine<'_>, of: Option<&SpanDef>, key: &str, json: &str) {
    if !checker.keys.contains_key(key) {
        checker.keys.insert(key.to_owned(), verdict(checker.names, key));
    }
    let verdict = &checker.keys[key];
    if verdict.repeats.is_some_and(|key| span.attributes.json(key).is_some()) {
        return;
    }
    let mut found: Vec<Finding> = verdict.finding.iter().cloned().collect();
    if let Some(def) = verdict.def {
        found.extend(values::check(def, json));
    }
    if let Some(of) = of
        && verdict.finding.is_none()
        && !EVERYWHERE.contains(&key)
        && of.attribute(key).is_none()
    {
        let help = format!("add it to `{}` in the registry, or record it on the span that it belongs to", of.key);
        found.push(Finding::error("unexpected-attribute", format!("`{}` does not carry `{key}`", of.key), help));
    }
    found.into_iter().for_each(|finding| checker.find(finding));
}

fn verdict<'n>(names: &'n Names, key: &str) -> Verdict<'n> {
    let def = names.attribute(key);
    let repeats =
        names.attributes().find(|def| def.alias == Some(key) || def.also_emit.contains(&key)).map(|def| def.key);
    Verdict { def, repeats, finding: about_key(names, key, def) }
}

/// What is wrong with the key itself.
fn about_key(names: &Names, key: &str, def: Option<&AttributeDef>) -> Option<Finding> {
    let renamed = |new: &str| {
        Finding::warning("deprecated-attribute", format!("`{key}` should no longer be used"), format!("use `{new}`"))
    };
    if let Some(def) = def {
        let class = match def.class {
            Class::Secret => "a secret",
            Class::Personal => "about a person",
            Class::Content => "what a user wrote",
            Class::System | Class::Identifier | Class::Path => {
                let gone = def.deprecated?;
                return Some(gone.renamed_to.map_or_else(
                    || Finding::warning("deprecated-attribute", format!("`{key}` should no longer be used"), gone.note),
                    renamed,
                ));
            }
        };
        let help = "record its size or an id instead, and delete the trace";
        return Some(Finding::error("private-class", format!("`{key}` is {class}: it must not be on a span"), help));
    }
    if let Some(finding) = secret(key) {
        return Some(finding);
    }
    match upstream_attribute(key).map(|name| name.status) {
        Some(UpstreamStatus::Renamed(new)) => return Some(renamed(new)),
        Some(UpstreamStatus::Gone(note)) => {
            let message = format!("`{key}` should no longer be used");
            return Some(Finding::warning("deprecated-attribute", message, note));
        }
        Some(_) => return None,
        None => {}
    }
    let message = format!("there is no attribute `{key}`");
    Some(if names.owns(key) {
        let help = names.like_attribute(key, "add it to the registry, or give its file with `--registry`");
        Finding::error("unknown-attribute", message, help)
    } else {
        let help = names.like_attribute(key, "give the definition file of its namespace with `--registry FILE`");
        Finding::warning("unregistered-attribute", message, help)
    })
}

fn secret(key: &str) -> Option<Finding> {
    let word = secret_word(key)?;
    let message = format!("`{key}` looks like a secret: `{word}`");
    Some(Finding::error("secret-word", message, "record its size or an id instead, and delete the trace"))
}

/// The keys of an event are the program's own; only secrets are refused.
pub(super) fn event(checker: &mut Checker<'_>, site: &super::finding::Site, line: &Line<'_>) {
    for (key, _) in Attributes::of(line).unwrap_or_default().0 {
        if checker.names.attribute(&key).is_none()
            && let Some(finding) = secret(&key)
        {
            checker.found.push((site.clone(), finding));
        }
    }
}

fn required(checker: &mut Checker<'_>, span: &SpanLine<'_>, def: &SpanDef) {
    let missing = def.attributes.iter().filter(|used| used.requirement == Requirement::Required);
    for used in missing.filter(|used| span.attributes.json(used.key).is_none()) {
        // A call that failed early may not have come to what is recorded after the checks of its parameters.
        let early = match used.source {
            Source::Context | Source::ReturnCode | Source::Outcome => true,
            Source::Parameter | Source::Type(_) => checker.names.attribute(used.key).is_some_and(|def| {
                matches!(def.value_type, ValueType::Int | ValueType::Double | ValueType::Boolean | ValueType::Enum)
            }),
            Source::Hand => false,
        };
        if early || !span.failed {
            let message = format!("`{}` needs `{}`", def.key, used.key);
            let help = match used.source {
                Source::Context => "set it in the context that the call runs in".to_owned(),
                Source::ReturnCode | Source::Outcome => {
                    "the macro records it; write the span with the macro".to_owned()
                }
                _ => format!("add `fields({} = ..)` to the attribute of the function", used.key),
            };
            checker.find(Finding::error("missing-attribute", message, help));
        }
    }
}

/// The module stands on the line and among its attributes.
fn module(checker: &mut Checker<'_>, span: &SpanLine<'_>) {
    let line = span.line.module_id.as_deref();
    for key in ["runtime.module.id", "module_id"] {
        let attribute = span.attributes.text(key);
        if attribute.as_deref() != line && (attribute.is_some() || key == "runtime.module.id") {
            let help = "write one id in `module_id` of the line and in its attributes";
            let message = format!("the line and its attribute `{key}` do not agree on the module");
            return checker.find(Finding::error("module-mismatch", message, help));
        }
    }
}

/// Equal for spans that work on the same; the order of attributes does not count.
pub(super) fn what_it_works_on(attributes: &Attributes<'_>) -> u64 {
    let pairs = attributes.0.iter().filter(|(key, _)| !CIRCUMSTANCES.contains(&&**key));
    pairs.fold(0, |sum: u64, (key, json)| {
        let mut hash = DefaultHasher::new();
        (&**key, json).hash(&mut hash);
        sum.wrapping_add(hash.finish())
    })
}
