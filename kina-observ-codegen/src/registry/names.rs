//! The rules that every name must keep, whatever it names.

use std::collections::BTreeMap;

use kina_observ_conventions::{
    OWNED_NAMESPACES, UPSTREAM_NAMESPACES, UpstreamStatus, attribute, event, metric, span, upstream_attribute,
    upstream_metric,
};

use super::Origin;
use super::error::Errors;
use super::raw::Raw;
use super::yaml::{Mark, Word};

/// OpenTelemetry's limit for span types and metric names.
pub(super) const LONGEST: usize = 255;

/// What a name names; two kinds may share one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Attribute,
    Span,
    Metric,
    Event,
}

/// One definition, as far as its name goes.
struct Named {
    name: Word,
    kind: Kind,
    foreign: Option<Mark>,
    deprecated: bool,
}

/// Checks syntax, namespace and uniqueness of every name that `raw` defines.
pub(super) fn check(raw: &Raw, origin: Origin, errors: &mut Errors) {
    let attributes = raw.attributes.iter().map(|def| Named {
        name: def.key,
        kind: Kind::Attribute,
        foreign: def.foreign,
        deprecated: def.deprecated.is_some(),
    });
    let spans = raw.spans.iter().map(|def| Named {
        name: def.key,
        kind: Kind::Span,
        foreign: def.foreign,
        deprecated: def.deprecated.is_some(),
    });
    let metrics = raw.metrics.iter().map(|def| Named {
        name: def.name,
        kind: Kind::Metric,
        foreign: def.foreign,
        deprecated: def.deprecated.is_some(),
    });
    let events = raw.events.iter().map(|def| Named {
        name: def.name,
        kind: Kind::Event,
        foreign: None,
        deprecated: def.deprecated.is_some(),
    });
    let all: Vec<Named> = attributes.chain(spans).chain(metrics).chain(events).collect();
    let sound: Vec<&Named> = all
        .iter()
        .filter(|def| syntax(def, errors) && namespace(def, origin, errors) && fresh(def, origin, errors))
        .collect();
    unique(&sound, errors);
    no_name_is_a_namespace(Kind::Attribute, &sound, errors);
    no_name_is_a_namespace(Kind::Metric, &sound, errors);
}

/// Whether `text` is dotted lower-case words: `^[a-z][a-z0-9]*([._][a-z0-9]+)*$`.
pub(super) fn is_name(text: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.split(['.', '_']).all(word)
}

/// The part before the first dot.
pub(super) fn root(key: &str) -> &str {
    key.split('.').next().unwrap_or(key)
}

/// Whether OpenTelemetry uses the root namespace of `key`.
pub(super) fn is_upstream(key: &str) -> bool {
    UPSTREAM_NAMESPACES.binary_search(&root(key)).is_ok()
}

/// Whether the built-in registry owns the root namespace of `key`.
pub(super) fn is_builtin(key: &str) -> bool {
    OWNED_NAMESPACES.binary_search(&root(key)).is_ok()
}

fn syntax(def: &Named, errors: &mut Errors) -> bool {
    let Word { text, at } = def.name;
    if !is_name(text) {
        errors.at(
            at,
            format!("`{text}` is not a name"),
            "write lower-case words with single `.` or `_` between them, such as `acme.cache.hit`",
        );
        return false;
    }
    if text.len() > LONGEST {
        errors.at(at, format!("the name has {} characters", text.len()), format!("use at most {LONGEST}"));
        return false;
    }
    // An old name may be one word: that can be why it was renamed. An event's name stands beside its span's.
    if !text.contains('.') && !def.deprecated && def.kind != Kind::Event {
        errors.at(at, format!("`{text}` has no namespace"), format!("put your own in front: `acme.{text}`"));
        return false;
    }
    true
}

fn namespace(def: &Named, origin: Origin, errors: &mut Errors) -> bool {
    let Word { text, at } = def.name;
    if let Some(mark) = def.foreign {
        return foreign(def, mark, origin, errors);
    }
    if is_upstream(text) {
        let known = match def.kind {
            Kind::Attribute => upstream_attribute(text).map(|name| name.status),
            Kind::Metric => upstream_metric(text).map(|name| name.status),
            Kind::Span | Kind::Event => None,
        };
        let help = match (def.kind, known) {
            (_, Some(UpstreamStatus::Renamed(to))) => {
                format!("OpenTelemetry calls it `{to}` today: refer to that name")
            }
            (Kind::Attribute, _) if attribute(text).is_some() => {
                "remove this definition and refer to the name: OpenTelemetry defines it".to_owned()
            }
            (Kind::Attribute | Kind::Metric, Some(_)) => {
                "OpenTelemetry defines it; to say what it is, add `annotations: {kina: {foreign: true}}`".to_owned()
            }
            _ => "start the name with your own namespace".to_owned(),
        };
        errors.at(at, format!("`{}.*` belongs to OpenTelemetry", root(text)), help);
        return false;
    }
    if origin == Origin::Crate && is_builtin(text) {
        errors.at(
            at,
            format!("`{}.*` belongs to the built-in registry", root(text)),
            "start the name with your own namespace",
        );
        return false;
    }
    true
}

/// A definition that says "others define this": they must.
fn foreign(def: &Named, mark: Mark, origin: Origin, errors: &mut Errors) -> bool {
    let Word { text, at } = def.name;
    // The published names have no list of span types, so only ours are trusted to know them.
    let status = match def.kind {
        Kind::Attribute => upstream_attribute(text).map(|name| name.status),
        Kind::Metric => upstream_metric(text).map(|name| name.status),
        Kind::Span if is_upstream(text) && origin == Origin::Builtin => Some(UpstreamStatus::Development),
        Kind::Span | Kind::Event => None,
    };
    let (at, message, help) = match status {
        Some(UpstreamStatus::Stable | UpstreamStatus::Development | UpstreamStatus::Moved) => return true,
        Some(UpstreamStatus::Renamed(to)) => {
            (at, format!("`{text}` is called `{to}` today"), format!("refer to `{to}`"))
        }
        Some(UpstreamStatus::Gone(why)) => (at, format!("`{text}` is no longer in use"), why.to_owned()),
        None => {
            let help = if is_upstream(text) {
                "start the name with your own namespace, and remove `foreign: true`"
            } else {
                "remove `foreign: true`: the name is yours"
            };
            (mark, format!("`{text}` is no name of OpenTelemetry's"), help.to_owned())
        }
    };
    errors.at(at, message, help);
    false
}

fn fresh(def: &Named, origin: Origin, errors: &mut Errors) -> bool {
    let text = def.name.text;
    let known = match def.kind {
        Kind::Attribute => attribute(text).is_some(),
        Kind::Span => span(text).is_some(),
        Kind::Metric => metric(text).is_some(),
        Kind::Event => event(text).is_some(),
    };
    if origin == Origin::Crate && known {
        errors.at(
            def.name.at,
            format!("`{text}` is in the built-in registry already"),
            "remove this definition and refer to the name",
        );
        return false;
    }
    true
}

fn unique(all: &[&Named], errors: &mut Errors) {
    let mut seen: BTreeMap<(Kind, String), Word> = BTreeMap::new();
    for Named { name, kind, .. } in all {
        let Some(first) = seen.insert((*kind, name.text.replace('.', "_")), *name) else { continue };
        let message = if first.text == name.text {
            format!("`{}` is defined twice", name.text)
        } else {
            format!("`{}` and `{}` differ only in dots and underscores", first.text, name.text)
        };
        let help = format!("keep one of the two; the other is at {}", errors.place(first.at));
        errors.at(name.at, message, help);
    }
}

fn no_name_is_a_namespace(kind: Kind, all: &[&Named], errors: &mut Errors) {
    let names: Vec<Word> = all.iter().filter(|def| def.kind == kind && !def.deprecated).map(|def| def.name).collect();
    for name in &names {
        let inner =
            names.iter().find(|other| other.text.strip_prefix(name.text).is_some_and(|rest| rest.starts_with('.')));
        if let Some(inner) = inner {
            let help = format!("give it a last word of its own, such as `{}.id`", name.text);
            errors.at(name.at, format!("`{}` is also the namespace of `{}`", name.text, inner.text), help);
        }
    }
}
