//! Rules about a span's type, name and kind.

use std::borrow::Cow;

use kina_observ_conventions::{SpanDef, SpanKind};

use super::checker::{Checker, SpanLine};
use super::finding::Finding;
use crate::line::Attributes;

pub(super) fn check(checker: &mut Checker<'_>, span: &SpanLine<'_>) {
    let names = checker.names;
    let key = span.span_type();
    let Some(def) = names.span(key) else {
        let finding = if names.owns(key) {
            let help = names.like_span(key, "add it to the registry, or give its file with `--registry`");
            Finding::error("unknown-span-type", format!("there is no span type `{key}`"), help)
        } else {
            let help = "give the definition file of its namespace with `--registry FILE`";
            Finding::warning("unregistered-span", format!("no registry knows the namespace of `{key}`"), help)
        };
        return checker.find(finding);
    };
    if let Some(gone) = def.deprecated {
        let help = gone.renamed_to.map_or_else(|| gone.note.to_owned(), |new| format!("use `{new}`"));
        checker.find(Finding::warning("deprecated-span", format!("`{key}` should no longer be used"), help));
    }
    name(checker, span, def);
    let written = span.line.span_kind.as_deref().unwrap_or("internal");
    let registered = word(def.kind);
    if written != registered {
        let help = format!("write `{registered}`; kinds come from the registry, `internal` is left out");
        let message = format!("the kind of `{key}` is `{registered}`, not `{written}`");
        checker.find(Finding::error("wrong-kind", message, help));
    }
}

fn name(checker: &mut Checker<'_>, span: &SpanLine<'_>, def: &SpanDef) {
    let templates = [def.name].into_iter().chain(def.fallback_names.iter().copied());
    if templates.clone().any(|template| fill(template, span.attributes) == span.name()) {
        return;
    }
    let expected = fill(def.name, span.attributes);
    let help = if def.name == expected {
        "names come from the registry; what differs from call to call is an attribute".to_owned()
    } else {
        format!("the registry's template is `{}`", def.name)
    };
    let message = format!("the name of this `{}` is `{expected}`, not `{}`", def.key, span.name());
    checker.find(Finding::error("wrong-name", message, help));
}

/// The display name; an attribute that is not there leaves its placeholder, as in the collector.
fn fill<'a>(template: &'a str, attributes: &Attributes<'_>) -> Cow<'a, str> {
    if !template.contains('{') {
        return template.into();
    }
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((key, tail)) = after.split_once('}') else { break };
        filled.push_str(before);
        match attributes.text(key).or_else(|| attributes.json(key).map(|json| json.replace(',', ", "))) {
            Some(value) => filled.push_str(&value),
            None => filled.extend(["{", key, "}"]),
        }
        rest = tail;
    }
    filled.push_str(rest);
    filled.into()
}

fn word(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Internal => "internal",
        SpanKind::Server => "server",
        SpanKind::Client => "client",
        SpanKind::Producer => "producer",
        SpanKind::Consumer => "consumer",
    }
}
